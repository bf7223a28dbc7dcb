"""Who has something to do besides moving learns of it: in the match, the table, lists, feeds, streams and events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from httpx_sse import EventSource

from tests.gateway.table import Platform, Table


@pytest.fixture
def players() -> list[str]:
    """Two players whom no other test knows."""
    return [f"{name}-{uuid4()}" for name in ("ada", "bob")]


@pytest.fixture
def table(platform: Platform, players: list[str]) -> Iterator[Table]:
    with platform.new_table(2, players=players) as table:
        yield table


def ask(table: Table, what: str, seat: int, **body: Any) -> None:
    if what != "abort":
        body["expected_version"] = table.match()["version"]
    answer = table.players[seat].post(f"{table.path}/{what}", json=body)
    assert answer.status_code == 200, answer.text


def todos(table: Table) -> list[tuple[str, int]]:
    return [(one["kind"], one["seat"]) for one in table.match()["todos"]]


def listed(platform: Platform, player: str) -> list[str]:
    page = platform.get("/v1/matches", params={"waiting_for": player}).json()["matches"]
    return [match["match_id"] for match in page]


def in_feed(platform: Platform, player: str) -> list[dict[str, Any]]:
    """What a player's feed begins with."""
    with platform.stream("GET", "/v1/feed", params={"player": player}) as response:
        first = next(event for event in EventSource(response).iter_sse() if event.data)
    found: list[dict[str, Any]] = first.json()["matches"]
    return found


def events_of(platform: Platform, match_id: str, kind: str) -> list[dict[str, Any]]:
    page = platform.get("/v1/events", params={"limit": 200}).json()
    return [
        one["data"]
        for one in page["events"]
        if one["type"] == f"foldtable.{kind}.v1" and one["data"].get("match_id") == match_id
    ]


def soon(told: Callable[[], Any], seconds: float = 10) -> Any:
    """Return the first thing that holds."""
    deadline = time.monotonic() + seconds
    while not (found := told()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.1)
    return found


PROPOSALS = [pytest.param("abort", {}, id="abort"), pytest.param("undo", {"to": 1}, id="undo")]


@pytest.mark.parametrize(("what", "body"), PROPOSALS)
def test_who_must_answer_is_told_everywhere(
    platform: Platform, table: Table, players: list[str], what: str, body: dict[str, Any]
) -> None:
    table.play_on(2)
    ask(table, what, 0, **body)
    (todo,) = table.match()["todos"]
    assert (todo["kind"], todo["seat"], todo["player"]) == (f"answer_{what}", 1, players[1])
    proposal = table.players[1].look("table").json()["proposal"]
    assert todo["deadline"] == proposal["expires_at"]
    assert table.players[0].look("table").json()["match"]["todos"] == [todo]
    assert listed(platform, players[1]) == [table.match_id]
    (match,) = in_feed(platform, players[1])
    assert (match["waiting_for_me"], match["todos"]) == (True, [todo])
    assert players[1] in match["waiting_for"]

    ask(table, f"{what}/answer", 1, accept=False)
    assert todos(table) == []
    assert table.players[0].look("table").json()["match"]["todos"] == []
    assert in_feed(platform, players[1])[0]["todos"] == []


@pytest.mark.parametrize(("what", "body"), PROPOSALS)
def test_a_seat_that_has_answered_has_nothing_to_do(
    platform: Platform, what: str, body: dict[str, Any]
) -> None:
    with platform.new_table(3) as table:
        table.play_on(3)
        ask(table, what, 0, **body)
        assert todos(table) == [(f"answer_{what}", 1), (f"answer_{what}", 2)]
        ask(table, f"{what}/answer", 2, accept=True)
        assert todos(table) == [(f"answer_{what}", 1)]


def by_a_move(table: Table) -> None:
    seat = table.match()["to_act"][0]
    table.players[seat].any_move().raise_for_status()


ENDS = {
    "accepted": lambda table: ask(table, "abort/answer", 1, accept=True),
    "refused": lambda table: ask(table, "abort/answer", 1, accept=False),
    "moved": by_a_move,
    "ended": lambda table: table.players[1].post(f"{table.path}/resign", json={}).raise_for_status(),
}


@pytest.mark.parametrize("clock", [None, {"kind": "per_move", "seconds": 3600}], ids=["no clock", "clock"])
@pytest.mark.parametrize("result", ENDS)
def test_events_say_who_is_asked_and_how_it_ends(
    platform: Platform, result: str, clock: dict[str, Any] | None, players: list[str]
) -> None:
    kinds = {"event_types": ["consent.asked", "consent.settled"]}
    platform.put("/v1/events/recording", json=kinds).raise_for_status()
    more = {} if clock is None else {"clock": clock}
    with platform.new_table(2, players=players, **more) as table:
        table.play_on(2)
        ask(table, "abort", 0)
        version = table.match()["version"]
        ENDS[result](table)
        assert todos(table) == []
        asked, settled = (
            soon(lambda kind=kind: events_of(platform, table.match_id, kind))
            for kind in ("consent.asked", "consent.settled")
        )
    assert [(one["seat"], one["player"], one["proposal"], one["version"]) for one in asked] == [
        (1, players[1], "abort", version)
    ]
    assert [(one["seat"], one["player"], one["proposal"], one["result"]) for one in settled] == [
        (0, players[0], "abort", result)
    ]
