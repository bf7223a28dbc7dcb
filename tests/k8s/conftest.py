"""The manifests of k8s/base: as kubectl renders them, or, where there is no kubectl, as they are written."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

BASE = Path(__file__).resolve().parents[2] / "k8s" / "base"
Manifest = dict[str, Any]


def written(folder: Path) -> Iterator[Manifest]:
    """Walk a kustomization's resources; what kustomize would change or generate is missing."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    for resource in kustomization["resources"]:
        path = (folder / resource).resolve()
        if path.is_dir():
            yield from written(path)
        else:
            yield from yaml.safe_load_all(path.read_text())


@pytest.fixture(scope="session")
def rendered() -> list[Manifest]:
    """The set that would be applied."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl here: names, labels and references across objects cannot be rendered")
    done = subprocess.run([kubectl, "kustomize", str(BASE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@pytest.fixture(scope="session")
def overlay(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, Any]], list[Manifest]]:
    """Renders the base with what an overlay adds; its `components` are given relative to k8s/."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl here: an overlay cannot be rendered")

    def render(kustomization: dict[str, Any]) -> list[Manifest]:
        folder = tmp_path_factory.mktemp("overlay")
        components = [
            os.path.relpath(BASE.parent / one, folder) for one in kustomization.get("components", [])
        ]
        whole = {**kustomization, "resources": [os.path.relpath(BASE, folder)], "components": components}
        (folder / "kustomization.yaml").write_text(yaml.safe_dump(whole))
        done = subprocess.run(
            [kubectl, "kustomize", str(folder)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return list(yaml.safe_load_all(done.stdout))

    return render


@pytest.fixture(scope="session")
def manifests(request: pytest.FixtureRequest) -> list[Manifest]:
    """Every object: rendered where kubectl is at hand, else as written; what is checked on it holds for both."""
    if shutil.which("kubectl") is None:
        return list(written(BASE))
    return request.getfixturevalue("rendered")


@pytest.fixture(scope="session")
def workloads(manifests: list[Manifest]) -> dict[str, Manifest]:
    """Everything that makes pods, by its component."""
    made = [manifest for manifest in manifests if manifest["kind"] in {"Deployment", "Job"}]
    return {manifest["metadata"]["labels"]["app.kubernetes.io/component"]: manifest for manifest in made}
