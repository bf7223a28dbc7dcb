"""Clocks over REST: asked for, shown, run out, come back to."""

from __future__ import annotations

import time
from typing import Any

import pytest
from httpx_sse import connect_sse

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Platform, Table, unmarked
from tests.support.passing_time import run_out

HOUR = {"kind": "per_move", "seconds": 3600}


def until(table: Table, version: int) -> dict[str, Any]:
    """Wait for the sweeper."""
    for _ in range(500):
        match = table.match()
        if match["version"] >= version:
            return match
        time.sleep(0.02)
    raise AssertionError("nobody sweeps")


def test_a_match_says_how_much_time_it_gives_and_what_each_seat_has_left(platform: Platform) -> None:
    clock = {"kind": "budget", "seconds": 600, "increment_seconds": 5, "absent": "forfeit", "away_after": 1}
    clock |= {"remind_before_seconds": None, "vacations": False}
    with platform.new_table(clock={**clock, "abandoned_after_seconds": 86_400}) as table:
        assert table.match()["clock"] == {**clock, "abandoned_after_seconds": 86_400}
    with platform.new_table(clock=clock) as table:
        match = table.match()
        assert match["clock"] == {**clock, "abandoned_after_seconds": 259_200}, "three days"
        assert [sorted(seat) for seat in match["clocks"]["seats"]] == [
            ["away", "deadline", "left_seconds", "on_vacation", "seat", "time_outs"]
        ] * 2
        first = match["clocks"]["seats"][0]
        assert 595 < first["left_seconds"] <= 605
        assert match["clocks"]["as_of"] < first["deadline"]
        moved = table.players[0].move(PROGRAM, 1).json()
        stopped, running = moved["clocks"]["seats"]
        assert (stopped["deadline"], running["deadline"] is None) == (None, False)
        for what in ("view", "legal-actions"):
            assert table.players[1].look(what).json()["clocks"]["seats"][1]["deadline"] == running["deadline"]


def test_without_a_clock_there_is_nothing_to_tell(table: Table) -> None:
    match = table.match()
    assert (match["clock"], match["clocks"]) == (None, None)
    assert table.players[0].look("view").json()["clocks"] is None
    refused = table.players[0].post(f"{table.path}/return")
    assert (refused.status_code, refused.json()["reason"]) == (409, "NOT_AWAY")


def test_a_stream_tells_of_the_time_out_and_of_the_next_deadline(world: World, platform: Platform) -> None:
    with platform.new_table(clock=HOUR) as table:
        with connect_sse(platform, "GET", f"{table.path}/stream") as source:
            events = source.iter_sse()
            snapshot = next(event for event in events if event.data).json()
            assert [seat["deadline"] is None for seat in snapshot["clocks"]["seats"]] == [False, False]
            run_out(world.database_url, table.match_id, 1)
            applied = next(event for event in events if event.data).json()
        assert (applied["version"], applied["seat"], applied["timed_out"]) == (2, 1, True)
        assert [seat["time_outs"] for seat in applied["clocks"]["seats"]] == [0, 1]
        listed = table.players[1].look("moves").json()["moves"]
        assert [move["timed_out"] for move in listed] == [False, True]
        assert listed[1]["action"]["type"] == "time_out"
        assert table.players[0].look("moves").json()["moves"][1]["action"] is None


def test_who_is_away_comes_back(world: World, platform: Platform) -> None:
    with platform.new_table(clock={**HOUR, "away_after": 1}) as table:
        run_out(world.database_url, table.match_id, 0)
        assert until(table, 2)["clocks"]["seats"][0]["away"]
        back = table.players[0].post(f"{table.path}/return", headers={"idempotency-key": '"back"'})
        assert (back.status_code, unmarked(back)) == (200, '"v:3"')
        assert back.json()["events"] == [{"type": "seat_returned", "seat": 0}]
        assert not back.json()["clocks"]["seats"][0]["away"]
        again = table.players[0].post(f"{table.path}/return", headers={"idempotency-key": '"back"'})
        assert again.headers["idempotent-replayed"] == "true"
        assert table.players[0].post(f"{table.path}/return").json()["reason"] == "NOT_AWAY"
        assert table.players[0].post(f"{table.path}/return", json={"seat": 1}).status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "sundial", "seconds": 60},
        {"kind": "per_move"},
        {"kind": "per_move", "seconds": 0},
        {"kind": "per_move", "seconds": 60, "increment_seconds": 5},
        {"kind": "per_move", "seconds": 2_592_001},
        {"kind": "budget", "seconds": 60, "away_after": 0},
        {"kind": "budget", "seconds": 60, "absent": "wait"},
        {"kind": "budget", "seconds": 60, "days": 3},
        {"kind": "budget", "seconds": 60, "abandoned_after_seconds": 0},
        {"kind": "budget", "seconds": 60, "abandoned_after_seconds": 31_536_001},
    ],
)
def test_a_clock_that_cannot_be_is_refused(platform: Platform, wrong: dict[str, Any]) -> None:
    refused = platform.create(2, clock=wrong)
    assert (refused.status_code, refused.json()["reason"]) == (400, "MALFORMED_REQUEST")
