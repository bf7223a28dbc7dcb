"""Many matches as lines: which, in which order, what of each, and how an export goes on after it was cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import Caller, Platform, Table


def lines_of(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.text.endswith("\n") or not answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def exported(caller: Caller, **query: Any) -> list[dict[str, Any]]:
    """Export, the oldest match first unless another order is asked for."""
    return lines_of(caller.get("/v1/matches/export", params={"order": "created", **query}))


@pytest.fixture(scope="module")
def player() -> str:
    return f"ada-{uuid4()}"


@pytest.fixture(scope="module")
def tables(platform: Platform, player: str) -> Iterator[list[Table]]:
    """Three matches of one player, oldest first: over, running, and one that waits."""
    with ExitStack() as stack:
        ended, running, waiting = (
            stack.enter_context(platform.new_table(2, players=[player, "bert"])),
            stack.enter_context(platform.new_table(2, players=[player, "bert"])),
            stack.enter_context(platform.new_table(2, seating=[{"player": player}, {"kind": "open"}])),
        )
        ended.play_on(3)
        ended.end()
        running.play_on(2)
        yield [ended, running, waiting]


def test_each_line_is_the_export_of_a_match_oldest_first(
    platform: Platform, tables: list[Table], player: str
) -> None:
    lines = exported(platform, player=player)
    assert [line["match_id"] for line in lines] == [table.match_id for table in tables]
    for line, table in zip(lines, tables, strict=True):
        assert set(line) == {"match_id", "page_token", "export"}
        assert line["export"] == platform.get(f"{table.path}/export").json()


def test_a_running_match_has_only_what_the_public_may_know(
    platform: Platform, tables: list[Table], player: str
) -> None:
    ended, running, _ = (line["export"] for line in exported(platform, player=player))
    assert ended["secret"]
    assert running["secret"] is None
    assert all(move["request"] is None for move in running["moves"][1:])


def test_results_are_the_match_documents_of_the_list(
    platform: Platform, tables: list[Table], player: str
) -> None:
    lines = exported(platform, player=player, what="results")
    listed = platform.get("/v1/matches", params={"player": player, "order": "created"}).json()["matches"]
    assert [line["match"] for line in lines] == listed
    assert lines[0]["match"]["outcome"]["winners"]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"status": "ended"}, [0]),
        ({"status": "waiting"}, [2]),
        ({"game": "al_rashid"}, []),
        ({"order": "-created"}, [2, 1, 0]),
        ({"updated_since": "2026-01-01T00:00:00Z", "order": "updated"}, [0, 1, 2]),
        ({"visibility": "public"}, []),
    ],
)
def test_filters_and_orders_are_those_of_the_list(
    platform: Platform, tables: list[Table], player: str, query: dict[str, str], numbers: list[int]
) -> None:
    found = [line["match_id"] for line in exported(platform, player=player, what="results", **query)]
    wanted = [tables[number].match_id for number in numbers]
    assert sorted(found) == sorted(wanted) if "updated_since" in query else found == wanted


@pytest.mark.parametrize("what", ["moves", "results"])
def test_after_any_line_an_export_goes_on_with_its_token(
    platform: Platform, tables: list[Table], player: str, what: str
) -> None:
    whole = exported(platform, player=player, what=what)
    for number, line in enumerate(whole):
        rest = exported(platform, player=player, what=what, page_token=line["page_token"])
        assert rest == whole[number + 1 :]


def test_a_token_after_the_last_line_finds_what_was_created_since(platform: Platform) -> None:
    player = f"carl-{uuid4()}"
    with platform.new_table(2, players=[player, "bert"]):
        last = exported(platform, player=player)[-1]["page_token"]
        with platform.new_table(2, players=[player, "dora"]) as later:
            lines = exported(platform, player=player, page_token=last)
    assert [line["match_id"] for line in lines] == [later.match_id]


def test_without_an_order_a_later_export_has_what_was_updated_since(platform: Platform) -> None:
    """Also in the minute of the last line, and though the match is older than that."""
    player = f"gil-{uuid4()}"

    def versions(**query: str) -> dict[str, int]:
        lines = lines_of(
            platform.get("/v1/matches/export", params={"player": player, "what": "results", **query})
        )
        tokens.extend(line["page_token"] for line in lines)
        return {line["match_id"]: line["match"]["version"] for line in lines}

    tokens: list[str] = []
    with (
        platform.new_table(2, players=[player, "bert"]) as first,
        platform.new_table(2, players=[player, "bert"]) as second,
    ):
        assert versions() == {first.match_id: 1, second.match_id: 1}
        first.play_on(1)
        assert versions(page_token=tokens[-1])[first.match_id] == 2


def test_a_credential_that_ends_is_refused_before_anything_is_sent(world: World) -> None:
    with Caller(world.url, "ft_nobody") as nobody:
        answer = nobody.get("/v1/matches/export")
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_INVALID")


def test_a_page_boundary_loses_and_repeats_nothing(platform: Platform) -> None:
    player = f"eve-{uuid4()}"
    made = [platform.create(2, players=[player, "bert"]).json()["match"]["match_id"] for _ in range(103)]
    assert [line["match_id"] for line in exported(platform, player=player, what="results")] == made


def test_another_tenant_and_other_parameters_have_other_tokens(
    platform: Platform, foreign_platform: Platform, tables: list[Table], player: str
) -> None:
    token = exported(platform, player=player)[0]["page_token"]
    assert exported(foreign_platform, player=player) == []
    for caller, query in ((platform, {}), (foreign_platform, {"player": player})):
        asked = {"page_token": token, "order": "created", **query}
        answer = caller.get("/v1/matches/export", params=asked)
        assert (answer.status_code, answer.json()["reason"]) == (400, "PAGE_TOKEN_INVALID")


def test_only_keys_and_sessions_export_and_a_session_its_own_matches(
    world: World, platform: Platform, tables: list[Table], player: str
) -> None:
    assert tables[0].players[0].get("/v1/matches/export").json()["reason"] == "TENANT_ONLY"
    session = platform.post("/v1/player-sessions", json={"player": player}).json()
    with Caller(world.url, session["token"]) as ada:
        lines = exported(ada)
        assert [line["match_id"] for line in lines] == [table.match_id for table in tables]
        assert lines[1]["export"]["audience"] == {"kind": "seat", "seat": 0}


@pytest.mark.parametrize(
    ("query", "parameter"),
    [({"what": "views"}, "what"), ({"page_size": "3"}, "page_size"), ({"seat": "1"}, "seat")],
)
def test_other_parameters_are_refused(platform: Platform, query: dict[str, str], parameter: str) -> None:
    answer = platform.get("/v1/matches/export", params=query)
    assert answer.status_code == 400
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


def test_a_match_that_cannot_be_exported_has_a_line_and_the_others_follow(
    world: World, platform: Platform
) -> None:
    """One whose game this gateway has no route to, as after a game was taken out of service."""
    player = f"finn-{uuid4()}"
    with (
        platform.new_table(2, players=[player, "bert"]) as first,
        platform.new_table(2, players=[player, "bert"]) as last,
    ):
        with psycopg.connect(world.database_url, autocommit=True) as database:
            database.execute("UPDATE matches SET game = 'chess' WHERE id = %s", (first.match_id,))
        lines = exported(platform, player=player)
    assert [line["match_id"] for line in lines] == [first.match_id, last.match_id]
    assert lines[0]["problem"]["reason"] == "RULES_UNAVAILABLE"
    assert "export" not in lines[0]
    assert lines[1]["export"]["match_id"] == last.match_id
