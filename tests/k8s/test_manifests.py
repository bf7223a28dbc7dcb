"""The set of objects: valid, complete, and pointing at each other."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from pathlib import Path
from typing import Any

import kubernetes_validate

from engine.registry import GAMES

ROOT = Path(__file__).resolve().parents[2]
KUBERNETES = "1.34"
Manifest = dict[str, Any]


def of_kind(manifests: list[Manifest], kind: str) -> list[Manifest]:
    return [manifest for manifest in manifests if manifest["kind"] == kind]


def selects(selector: dict[str, str], manifest: Manifest) -> bool:
    labels = manifest["spec"]["template"]["metadata"]["labels"]
    return selector.items() <= labels.items()


def containers(manifests: list[Manifest]) -> list[dict[str, Any]]:
    return [
        container
        for manifest in manifests
        if manifest["kind"] in {"Deployment", "Job"}
        for container in manifest["spec"]["template"]["spec"]["containers"]
    ]


def test_every_object_is_valid_by_the_schemas_of_the_kubernetes_api(manifests: list[Manifest]) -> None:
    for manifest in manifests:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


def test_the_base_starts_exactly_the_processes_of_one_machine(rendered: list[Manifest]) -> None:
    commands = Counter(" ".join(container["command"]) for container in containers(rendered))
    assert commands == {
        "python -m gateway": 1,
        "python -m services.rules": len(GAMES),
        "python -m services.platform": 1,
        "python -m services.bots": 1,
        "python -m migrations": 1,
    }


def test_every_game_has_its_rules_servers_and_the_gateway_knows_them(rendered: list[Manifest]) -> None:
    settings = {
        name: value
        for manifest in of_kind(rendered, "ConfigMap")
        for name, value in manifest["data"].items()
        if name == "FOLDTABLE_RULES"
    }
    routes = dict(pair.split("=", 1) for pair in settings["FOLDTABLE_RULES"].split(","))
    services = {service["metadata"]["name"]: service for service in of_kind(rendered, "Service")}
    assert routes.keys() == GAMES.keys()
    for game, address in routes.items():
        host, port = address.rsplit(":", 1)
        assert services[host]["spec"]["ports"][0]["port"] == int(port)
        (deployment,) = [
            deployment
            for deployment in of_kind(rendered, "Deployment")
            if selects(services[host]["spec"]["selector"], deployment)
        ]
        assert game in served_by(deployment, rendered)


def served_by(deployment: Manifest, manifests: list[Manifest]) -> list[str]:
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    maps = {source["configMapRef"]["name"] for source in container["envFrom"]}
    return [
        game
        for manifest in of_kind(manifests, "ConfigMap")
        if manifest["metadata"]["name"] in maps
        for game in manifest["data"].get("FOLDTABLE_GAMES", "").split(",")
    ]


def test_services_budgets_and_autoscalers_point_at_one_deployment_each(rendered: list[Manifest]) -> None:
    deployments = of_kind(rendered, "Deployment")
    names = sorted(deployment["metadata"]["name"] for deployment in deployments)
    scaled = [
        scaler["spec"]["scaleTargetRef"]["name"] for scaler in of_kind(rendered, "HorizontalPodAutoscaler")
    ]
    assert sorted(scaled) == names
    for kind, path in (("Service", ("selector",)), ("PodDisruptionBudget", ("selector", "matchLabels"))):
        pointed_at = []
        for manifest in of_kind(rendered, kind):
            selector = manifest["spec"]
            for step in path:
                selector = selector[step]
            pointed_at += [d["metadata"]["name"] for d in deployments if selects(selector, d)]
        called = [name for name in names if name != "bots" or kind != "Service"]
        assert sorted(pointed_at) == called, f"{kind}; bots take no calls"


def test_every_setting_and_secret_that_is_named_exists(rendered: list[Manifest]) -> None:
    there = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in rendered}
    keys = {
        (secret["metadata"]["name"], key) for secret in of_kind(rendered, "Secret") for key in secret["data"]
    }
    for manifest in of_kind(rendered, "Deployment") + of_kind(rendered, "Job"):
        pod = manifest["spec"]["template"]["spec"]
        assert ("ServiceAccount", pod["serviceAccountName"]) in there
        for volume in pod["volumes"]:
            if secret := volume.get("secret"):
                assert ("Secret", secret["secretName"]) in there
        for container in pod["containers"]:
            for source in container["envFrom"]:
                assert ("ConfigMap", source["configMapRef"]["name"]) in there
            for variable in container["env"]:
                if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
                    assert (reference["name"], reference["key"]) in keys


def test_only_who_signs_gets_a_private_key_and_only_who_checks_or_publishes_the_public_ones(
    workloads: dict[str, Manifest],
) -> None:
    held = {
        component: {
            volume["name"]
            for volume in manifest["spec"]["template"]["spec"]["volumes"]
            if volume["name"].startswith(("token", "export"))
        }
        for component, manifest in workloads.items()
    }
    assert held == {
        "rules": {"token-private", "token-public", "export-private", "export-public"},
        "gateway": {"token-public", "export-public"},
        "platform": {"token-public"},
        "bots": set(),
        "migration": set(),
    }


def test_secrets_are_placeholders(rendered: list[Manifest]) -> None:
    for secret in of_kind(rendered, "Secret"):
        for value in secret["data"].values():
            assert b"replace" in b64decode(value).lower()


def test_image_labels_and_job_carry_the_release(rendered: list[Manifest]) -> None:
    version = next(
        line.split('"')[1]
        for line in (ROOT / "pyproject.toml").read_text().splitlines()
        if line.startswith("version = ")
    )
    (job,) = of_kind(rendered, "Job")
    assert job["metadata"]["name"] == "migration-" + version.replace(".", "-")
    for manifest in rendered:
        assert manifest["metadata"]["labels"]["app.kubernetes.io/version"] == version
    for container in containers(rendered):
        assert container["image"] == f"registry.example/foldtable:{version}"
