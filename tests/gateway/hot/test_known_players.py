"""Players whom gateway and rules server know by now: they have read before they move.

Every test is of both ways in which a move can arrive at a gateway: as a whole, as nearly all do, and in parts. That the moves came
so is counted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Platform, Player, Table
from tests.support.ways import ACCEPTED, AS_A_WHOLE, IN_PARTS, REFUSED, Ways

SHORT = timedelta(seconds=6)
CLOCK = {"kind": "per_move", "seconds": 3_600}


class Way:
    """One of the two ways in which a move can arrive."""

    def __init__(self, world: World, *, whole: bool) -> None:
        self._world = world
        self._whole = whole
        self._before = self._counted()

    def _counted(self) -> Ways:
        return Ways.of([self._world.gateway.metrics, self._world.rules.metrics])

    def move(self, player: Player, action: Any, version: int, *, match: str = "") -> httpx.Response:
        body = json.dumps({"action": action, "expected_version": version}).encode()
        return player.post(
            f"/v1/matches/{match or player.match_id}/moves",
            content=body if self._whole else iter([body]),
            headers={"content-type": "application/json"},
        )

    def was_taken(self, answered: str) -> None:
        """Assert that the moves of this test took this way, and were answered by the rules server like this."""
        taken = self._counted().since(self._before)
        here, there = (AS_A_WHOLE, IN_PARTS) if self._whole else (IN_PARTS, AS_A_WHOLE)
        assert taken.counts[here] > 0, str(taken)
        assert taken.counts[there] == 0, str(taken)
        assert taken.counts[answered] > 0, str(taken)


@pytest.fixture(params=["whole", "in parts"])
def way(request: pytest.FixtureRequest, world: World, table: Table) -> Iterator[Way]:
    """A way through the gateway; the fixture `table` is there, and has looked, before anything is counted."""
    return Way(world, whole=request.param == "whole")


def test_a_token_that_has_expired_moves_no_more(world: World, table: Table, way: Way) -> None:
    token, expires_at = world.several.tokens.mint(
        match_id=table.match_id, game="river_dragons", seat=0, generation=0, lifetime=SHORT
    )
    with Player(world.url, table.match_id, 0, token) as player:
        assert player.look("view").status_code == 200
        time.sleep((expires_at - datetime.now(UTC)).total_seconds() + 0.05)
        answer = way.move(player, PROGRAM, 1)
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_EXPIRED")
    assert table.match()["version"] == 1


def test_a_token_of_another_match_moves_in_neither(platform: Platform, table: Table, way: Way) -> None:
    with platform.new_table() as other:
        assert other.players[0].look("view").status_code == 200
        answer = way.move(table.players[0], PROGRAM, 1, match=other.match_id)
        assert (answer.status_code, answer.json()["reason"]) == (403, "SEAT_FORBIDDEN")
        assert [one.match()["version"] for one in (table, other)] == [1, 1]
    way.was_taken(REFUSED)


def test_a_move_by_the_clock_is_answered_with_the_clocks(platform: Platform, way: Way) -> None:
    with platform.new_table(clock=CLOCK) as table:
        player = table.players[0]
        assert player.look("view").status_code == 200
        answer = way.move(player, PROGRAM, 1)
    seats = answer.json()["clocks"]["seats"]
    assert [one["deadline"] is not None for one in seats] == [False, True]
    way.was_taken(ACCEPTED)


def test_the_last_move_is_answered_with_the_outcome(table: Table, way: Way) -> None:
    to_act = table.match()["to_act"]
    while to_act:
        player = table.players[to_act[0]]
        legal = player.look("legal-actions", samples=1).json()
        answer = way.move(player, legal["samples"][0], legal["version"])
        assert answer.status_code == 200, answer.text
        last = answer.json()
        to_act = last["to_act"]
    match = table.match()
    assert (last["version"], last["status"], match["status"]) == (match["version"], "ended", "ended")
    assert match["outcome"] is not None
    assert last["outcome"] == match["outcome"]
    way.was_taken(ACCEPTED)
