"""One more game in an overlay, and a game on servers of its own: rendered, valid, and found by the gateway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kubernetes_validate
import pytest

from engine.registry import GAMES
from tests.k8s.routes import games_served_at, of_kind, routes_of, selects

KUBERNETES = "1.34"
Manifest = dict[str, Any]
Overlay = Callable[[dict[str, Any]], list[Manifest]]

ONE_MORE = {
    "name": "foldtable-games",
    "behavior": "merge",
    "literals": [f"FOLDTABLE_GAMES={','.join(GAMES)},ladders"],
}


def test_one_more_game_is_one_line(overlay: Overlay) -> None:
    manifests = overlay({"configMapGenerator": [ONE_MORE]})
    routes = routes_of(manifests)
    assert routes.keys() == {*GAMES, "ladders"}
    assert "ladders" in games_served_at(routes["ladders"], manifests)


@pytest.fixture(scope="module")
def apart(overlay: Overlay) -> list[Manifest]:
    """The base with servers for River Dragons alone, mutual TLS, one more game, and an image from elsewhere."""
    return overlay(
        {
            "components": ["components/own-servers", "components/tls"],
            "configMapGenerator": [ONE_MORE],
            "images": [{"name": "registry.example/foldtable", "newName": "elsewhere.example/foldtable"}],
        }
    )


def test_every_object_is_valid_by_the_schemas_of_the_kubernetes_api(apart: list[Manifest]) -> None:
    for manifest in apart:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


def test_a_game_with_servers_of_its_own_is_found_there_and_the_others_where_they_were(
    apart: list[Manifest],
) -> None:
    routes = routes_of(apart)
    own = routes.pop("river_dragons")
    assert games_served_at(own, apart) == ["river_dragons"]
    assert set(routes.values()) == {"rules:7100"}
    assert routes.keys() <= set(games_served_at("rules:7100", apart))


def test_its_servers_have_a_budget_an_autoscaler_and_the_policies_of_rules_servers(
    apart: list[Manifest],
) -> None:
    by_name = {one["metadata"]["name"]: one for one in of_kind(apart, "Deployment")}
    own, shared = by_name["rules-river-dragons"], by_name["rules"]
    budgets = [one["spec"]["selector"]["matchLabels"] for one in of_kind(apart, "PodDisruptionBudget")]
    policies = [one["spec"]["podSelector"].get("matchLabels", {}) for one in of_kind(apart, "NetworkPolicy")]
    scaled = [one["spec"]["scaleTargetRef"]["name"] for one in of_kind(apart, "HorizontalPodAutoscaler")]
    for deployment in (own, shared):
        assert sum(selects(budget, deployment) for budget in budgets) == 1
        assert {"app.kubernetes.io/component": "rules"} in [
            one for one in policies if selects(one, deployment)
        ]
        assert scaled.count(deployment["metadata"]["name"]) == 1
        assert not selects(
            deployment["spec"]["selector"]["matchLabels"], shared if deployment is own else own
        )


def test_its_servers_run_the_image_of_the_others_under_the_labels_of_the_release(
    apart: list[Manifest],
) -> None:
    deployments = of_kind(apart, "Deployment")
    images = {
        container["image"]
        for one in deployments
        for container in one["spec"]["template"]["spec"]["containers"]
    }
    assert len(images) == 1
    assert images.pop().startswith("elsewhere.example/foldtable:")
    for name in ("app.kubernetes.io/version", "app.kubernetes.io/part-of"):
        assert len({one["metadata"]["labels"][name] for one in deployments}) == 1
