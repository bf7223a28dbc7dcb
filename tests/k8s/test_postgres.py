"""The component with three Postgres servers, laid over the base: who uses them, and what of it is valid.

The schema of the operator's own kind, Cluster, is not here: of that object only what the rest depends on is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import kubernetes_validate
import pytest
import yaml

from tests.k8s.conftest import BASE
from tests.k8s.routes import of_kind

KUBERNETES: Final = "1.34"
OPERATORS: Final = "postgresql.cnpg.io/v1"
USERS: Final = {"rules", "platform", "migration"}
"""Components that have the database's address."""
Manifest = dict[str, Any]
Overlay = Callable[[dict[str, Any]], list[Manifest]]


@pytest.fixture(scope="module")
def with_postgres(overlay: Overlay) -> list[Manifest]:
    return overlay({"components": ["components/own-servers", "components/postgres"]})


@pytest.fixture(scope="module")
def cluster() -> Manifest:
    found: Manifest = yaml.safe_load((BASE.parent / "components" / "postgres" / "cluster.yaml").read_text())
    return found


def _pods(manifests: list[Manifest]) -> list[tuple[str, dict[str, Any]]]:
    made = [*of_kind(manifests, "Deployment"), *of_kind(manifests, "Job")]
    return [
        (one["metadata"]["labels"]["app.kubernetes.io/component"], one["spec"]["template"]["spec"])
        for one in made
    ]


def _environment(pod: dict[str, Any]) -> dict[str, dict[str, Any]]:
    (container,) = pod["containers"]
    return {one["name"]: one for one in container["env"]}


def test_every_object_but_the_operators_is_valid_by_the_schemas_of_the_kubernetes_api(
    with_postgres: list[Manifest],
) -> None:
    for manifest in with_postgres:
        if manifest["apiVersion"] != OPERATORS:
            kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    assert [one["kind"] for one in with_postgres if one["apiVersion"] == OPERATORS] == ["Cluster"]


def test_whoever_had_an_address_of_a_database_has_that_of_the_cluster_and_its_authority(
    with_postgres: list[Manifest], cluster: Manifest
) -> None:
    name = cluster["metadata"]["name"]
    for component, pod in _pods(with_postgres):
        environment = _environment(pod)
        assert ("FOLDTABLE_DATABASE_URL" in environment) == (component in USERS)
        if component not in USERS:
            continue
        given = environment["FOLDTABLE_DATABASE_URL"]["valueFrom"]
        assert given == {"secretKeyRef": {"name": f"{name}-app", "key": "uri"}}
        assert environment["PGSSLMODE"]["value"] == "verify-full"
        (volume,) = [one for one in pod["volumes"] if one["name"] == "postgres-authority"]
        assert volume["secret"]["secretName"] == f"{name}-ca"
        assert [one["key"] for one in volume["secret"]["items"]] == ["ca.crt"], "never the authority's key"
        (mounted,) = [
            one["mountPath"]
            for one in pod["containers"][0]["volumeMounts"]
            if one["name"] == "postgres-authority"
        ]
        assert environment["PGSSLROOTCERT"]["value"] == f"{mounted}/ca.crt"


def test_no_commit_is_answered_that_only_the_leader_has(cluster: Manifest) -> None:
    synchronous = cluster["spec"]["postgresql"]["synchronous"]
    assert cluster["apiVersion"] == OPERATORS
    assert cluster["spec"]["instances"] == 3
    assert synchronous == {
        "method": "any",
        "number": 1,
        "dataDurability": "required",
        "failoverQuorum": True,
    }


def test_its_pods_are_reached_by_those_that_use_it_although_everything_else_is_denied(
    with_postgres: list[Manifest], cluster: Manifest
) -> None:
    (policy,) = [
        one for one in of_kind(with_postgres, "NetworkPolicy") if one["metadata"]["name"] == "postgres"
    ]
    assert policy["spec"]["podSelector"]["matchLabels"] == {"cnpg.io/cluster": cluster["metadata"]["name"]}
    (admitted,) = policy["spec"]["ingress"][0]["from"]
    (expression,) = admitted["podSelector"]["matchExpressions"]
    assert set(expression["values"]) == USERS
    assert policy["spec"]["ingress"][0]["ports"] == [{"protocol": "TCP", "port": 5432}]
