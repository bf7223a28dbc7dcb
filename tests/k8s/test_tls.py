"""The component for mutual TLS, laid over the base: valid, and what it sets is what the processes read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from gateway.settings import Settings
from services.rpc.settings import RpcSettings

K8S = Path(__file__).resolve().parents[2] / "k8s"
KUBERNETES = "1.34"
PREFIX = "FOLDTABLE_"
SECRETS = {
    "rules": "foldtable-tls-services",
    "platform": "foldtable-tls-services",
    "gateway": "foldtable-tls-gateway",
}
Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> list[Manifest]:
    """The base with the component, as an overlay would ask for it."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl here: a component cannot be laid over the base")
    overlay = tmp_path_factory.mktemp("overlay")
    kustomization = {
        "resources": [os.path.relpath(K8S / "base", overlay)],
        "components": [os.path.relpath(K8S / "components" / "tls", overlay)],
    }
    (overlay / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    done = subprocess.run([kubectl, "kustomize", str(overlay)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def deployments(manifests: list[Manifest]) -> list[tuple[str, Manifest, dict[str, Any]]]:
    """Return component, pod and container of those that speak TLS."""
    found = []
    for manifest in manifests:
        component = manifest["metadata"].get("labels", {}).get("app.kubernetes.io/component", "")
        if manifest["kind"] == "Deployment" and component in SECRETS:
            pod = manifest["spec"]["template"]["spec"]
            (container,) = pod["containers"]
            found.append((component, pod, container))
    return found


def test_every_object_is_valid_by_the_schemas_of_the_kubernetes_api(guarded: list[Manifest]) -> None:
    for manifest in guarded:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


def test_every_certificate_is_read_from_a_secret_that_is_mounted_where_the_settings_say(
    guarded: list[Manifest],
) -> None:
    assert {component for component, _, _ in deployments(guarded)} == SECRETS.keys()
    for component, pod, container in deployments(guarded):
        (volume,) = [volume for volume in pod["volumes"] if volume["name"] == "tls"]
        (mount,) = [mount for mount in container["volumeMounts"] if mount["name"] == "tls"]
        assert volume["secret"]["secretName"] == SECRETS[component]
        assert mount["readOnly"] is True
        set_here = {
            one["name"]: one["value"] for one in container["env"] if one["name"].startswith(f"{PREFIX}TLS")
        }
        files = [value for name, value in set_here.items() if name.endswith("_FILE")]
        assert len(files) == 3, "certificate, key and authority: both sides show and both sides check"
        assert {str(Path(file).parent) for file in files} == {mount["mountPath"]}
        fields = Settings.model_fields if component == "gateway" else RpcSettings.model_fields
        assert {name.removeprefix(PREFIX).lower() for name in set_here} <= fields.keys()


def test_services_are_probed_where_no_tls_is_spoken(guarded: list[Manifest]) -> None:
    for component, _, container in deployments(guarded):
        if component == "gateway":
            continue
        (listen,) = [one["value"] for one in container["env"] if one["name"] == f"{PREFIX}HEALTH_LISTEN"]
        port = int(listen.rpartition(":")[2])
        assert {
            container[f"{kind}Probe"]["grpc"]["port"] for kind in ("startup", "readiness", "liveness")
        } == {port}
        assert container["readinessProbe"]["grpc"]["service"], (
            "still asked about the service, not the process"
        )
        assert port in {one["containerPort"] for one in container["ports"]}


def test_no_service_says_that_it_speaks_plain_http_2(guarded: list[Manifest]) -> None:
    ports = [port for one in guarded if one["kind"] == "Service" for port in one["spec"]["ports"]]
    assert [port for port in ports if port.get("appProtocol") == "kubernetes.io/h2c"] == []
