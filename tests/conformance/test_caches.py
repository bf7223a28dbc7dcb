"""Caches that others wrote show no caller what another was sent: browsers, proxies, clients' own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.gateway.table import FIVE_CARDS
from tests.proofs.leaks.behind_caches import FOUND_BY, Scene, look, planted, scene
from tests.proofs.leaks.caching_clients import channels
from tests.proofs.leaks.caching_proxies import NGINX, NGINX_CONFIGURATIONS, VARNISH_CONFIGURATIONS, proxy
from tests.support.several_of_each import Several

CHANNELS = channels()
PLANTS = [(fault, name) for fault, names in FOUND_BY.items() for name in sorted(names)]
PROGRAM = {"type": "submit_program", "cards": FIVE_CARDS}


def needs(name: str) -> None:
    """Skip what cannot be tried here, and say why."""
    if CHANNELS[name].missing:
        pytest.skip(CHANNELS[name].missing)


@pytest.fixture(scope="module")
def played(stack: Several) -> Iterator[Scene]:
    with scene(stack) as found:
        yield found


@pytest.fixture(scope="module")
def wrong_gateways(stack: Several) -> Iterator[dict[str, str]]:
    """Gateways with a fault, by its name."""
    with (
        planted(stack, "no_audience") as one,
        planted(stack, "silent") as two,
        planted(stack, "public") as three,
    ):
        yield {"no_audience": one, "silent": two, "public": three}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", CHANNELS)
def test_everybody_is_shown_their_own(stack: Several, played: Scene, name: str) -> None:
    needs(name)
    found = look(CHANNELS[name], stack.urls[0], played)
    assert (found.leaks, found.odd) == ([], [])
    assert found.own >= len(played.visits)


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("fault", "name"), PLANTS)
def test_a_planted_fault_is_found(
    wrong_gateways: dict[str, str], played: Scene, fault: str, name: str
) -> None:
    needs(name)
    assert look(CHANNELS[name], wrong_gateways[fault], played).leaks


def test_every_cache_finds_a_fault() -> None:
    finders = frozenset().union(*FOUND_BY.values())
    assert CHANNELS.keys() - finders == {"varnish"}, "it looks up nothing for whoever has a credential"


@pytest.mark.parametrize(
    ("name", "caching"),
    [
        *((name, caching) for name in NGINX_CONFIGURATIONS for caching in (True, False)),
        *((name, True) for name in VARNISH_CONFIGURATIONS),
    ],
)
def test_tags_as_a_proxy_hands_them_on_are_taken(stack: Several, name: str, *, caching: bool) -> None:
    needs(name)
    conditions_pass = name in VARNISH_CONFIGURATIONS or not caching
    with stack.client(stack.key) as platform:
        created = platform.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).json()
    path = f"/v1/matches/{created['match']['match_id']}"
    bearer = {"authorization": f"Bearer {created['seat_tokens'][0]['token']}", "accept-encoding": "gzip"}
    with (
        proxy(name, stack.urls[0], caching=caching) as address,
        httpx.Client(base_url=address, headers=bearer, timeout=60, trust_env=False) as player,
    ):
        tags = [player.get(f"{path}/{what}").headers["etag"] for what in ("view", "table")]
        assert (name == "nginx, gzip") is all(tag.startswith("W/") for tag in tags)
        for what, tag in zip(("view", "table"), tags, strict=True):
            again = player.get(f"{path}/{what}", headers={"if-none-match": tag})
            assert again.status_code == (304 if conditions_pass else 200)
        moved = player.post(f"{path}/moves", json={"action": PROGRAM}, headers={"if-match": tags[0]})
        assert (moved.status_code, moved.json()["version"]) == (200, 2)
        stale = player.post(f"{path}/moves", json={"action": PROGRAM}, headers={"if-match": tags[0]})
        assert (stale.status_code, stale.json()["reason"]) == (412, "VERSION_CONFLICT")


@pytest.mark.skipif(not NGINX, reason="needs nginx")
def test_what_is_public_is_kept_by_a_proxy(stack: Several) -> None:
    with proxy("nginx", stack.urls[0]) as address:
        kept = [httpx.get(f"{address}/v1/games", trust_env=False).headers["x-cache-status"] for _ in "12"]
    assert kept == ["MISS", "HIT"]
