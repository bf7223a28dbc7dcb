"""The set of objects: valid, complete, and pointing at each other."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from pathlib import Path
from typing import Any

import kubernetes_validate

from engine.registry import GAMES
from tests.k8s.routes import GAMES_NAMED, games_served_at, of_kind, routes_of, selects, settings_of

ROOT = Path(__file__).resolve().parents[2]
KUBERNETES = "1.34"
Manifest = dict[str, Any]


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
        "python -m services.rules": 1,
        "python -m services.platform": 1,
        "python -m services.bots": 1,
        "python -m migrations": 1,
    }


def test_the_games_are_named_in_one_line_that_gateway_and_rules_servers_read(
    rendered: list[Manifest],
) -> None:
    assert sum(GAMES_NAMED in one["data"] for one in of_kind(rendered, "ConfigMap")) == 1
    assert {
        component for component, settings in settings_of(rendered).items() if GAMES_NAMED in settings
    } == {
        "gateway",
        "rules",
    }
    assert settings_of(rendered)["gateway"][GAMES_NAMED].split(",") == list(GAMES)


def test_the_gateway_finds_the_rules_servers_of_every_game(rendered: list[Manifest]) -> None:
    routes = routes_of(rendered)
    assert routes.keys() == GAMES.keys()
    for game, address in routes.items():
        assert game in games_served_at(address, rendered)


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
