"""A game of another distribution behind a gateway that does not have its package, and games that are refused or gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from services.rules.wire.contract import server_descriptors
from tests.support.outside_games import install_game
from tests.support.several_of_each import Several, several_of_each

pytestmark = pytest.mark.slow

GAMES = "ladders,raises,river_dragons"
"""What the gateway is to offer. `raises` cannot be used, and `ladders` is another distribution's."""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install_game(folder, "ladders")
    install_game(folder, "raises", package="raise RuntimeError('no licence')")
    return folder


@pytest.fixture(scope="module")
def several(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory, packages: Path
) -> Iterator[Several]:
    """One of each; all but the gateway have the packages, and one address serves all games."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(packages))
        folder = tmp_path_factory.mktemp("servers")
        with several_of_each(
            postgres_url, template_database, folder, replicas=1, rules_settings={"games": GAMES}
        ) as one:
            yield one


@pytest.fixture(scope="module")
def url(several: Several) -> Iterator[str]:
    """A gateway without the packages."""
    with several.another_gateway("plain", games=GAMES, rules=several.rules_addresses[0]) as url:
        yield url


@pytest.fixture
def tenant(several: Several, url: str) -> Iterator[httpx.Client]:
    with several.client(several.key) as client:
        client.base_url = url
        yield client


def played(tenant: httpx.Client, game: str) -> dict[str, Any]:
    answer = tenant.post("/v1/matches", json={"game": game, "seats": 2})
    assert answer.status_code == 201, answer.text
    match: dict[str, Any] = answer.json()["match"]
    path = f"/v1/matches/{match['match_id']}"
    seat = tenant.get(path).json()["to_act"][0]
    legal = tenant.get(f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
    move = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
    assert tenant.post(f"{path}/moves", json=move).status_code in {200, 201}
    return match


def test_it_is_listed_and_played_and_what_was_refused_is_not(tenant: httpx.Client) -> None:
    games = tenant.get("/v1/games").json()["games"]
    assert [one["game"] for one in games] == ["ladders", "river_dragons"]
    for game in ("ladders", "river_dragons"):
        played(tenant, game)


def test_what_was_refused_is_answered_with_a_problem_that_says_so(tenant: httpx.Client) -> None:
    created = tenant.post("/v1/matches", json={"game": "raises", "seats": 2})
    assert (created.status_code, created.json()["reason"]) == (400, "GAME_UNKNOWN")
    described = tenant.get("/v1/games/raises")
    assert (described.status_code, described.json()["reason"]) == (404, "GAME_NOT_FOUND")


def test_the_openapi_document_describes_it(tenant: httpx.Client) -> None:
    document = tenant.get("/openapi.json").json()
    assert any(name.lower().startswith("ladders") for name in document["components"]["schemas"])


def test_the_grpc_contracts_include_its_messages_each_after_its_imports(tenant: httpx.Client) -> None:
    answer = tenant.get("/descriptors.binpb")
    told = FileDescriptorSet.FromString(answer.content)
    assert list(told.file[: len(server_descriptors().file)]) == list(server_descriptors().file)
    pool = DescriptorPool()
    for file in told.file:
        pool.Add(file)
    assert pool.FindMessageTypeByName("ladders.v1.View")
    known = tenant.get("/descriptors.binpb", headers={"if-none-match": answer.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_matches_of_a_game_that_is_gone_say_so_and_lists_go_on(
    several: Several, tenant: httpx.Client
) -> None:
    gone, stays = played(tenant, "ladders"), played(tenant, "river_dragons")
    (rules,) = several.rules
    assert rules.stop() == 0
    rules.set(games="river_dragons")
    several.start_what_ended()
    try:
        path = f"/v1/matches/{gone['match_id']}"
        for what in ("view", "legal-actions", "moves", "export"):
            answer = tenant.get(f"{path}/{what}", params={"seat": 0} if what == "legal-actions" else None)
            assert (what, answer.status_code, answer.json()["reason"]) == (what, 404, "GAME_NOT_FOUND")
            assert "does not serve the game of this match, ladders" in answer.json()["detail"]
        assert tenant.get(path).json()["game"] == "ladders"
        listed = {
            one["match_id"]
            for one in tenant.get("/v1/matches", params={"visibility": "any"}).json()["matches"]
        }
        assert {gone["match_id"], stays["match_id"]} <= listed
        assert (
            tenant.get(f"/v1/matches/{stays['match_id']}/view", params={"audience": "public"}).status_code
            == 200
        )
        with several.client(several.keys["foreign"]) as stranger:
            stranger.base_url = tenant.base_url
            assert stranger.get(f"{path}/view").json()["reason"] == "MATCH_NOT_FOUND"
        played(tenant, "river_dragons")
    finally:
        rules.stop()
        rules.set(games=GAMES)
        several.start_what_ended()
