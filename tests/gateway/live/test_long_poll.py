"""Long polls: the next move, or an empty page after a while."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from tests.gateway.conftest import World
from tests.gateway.table import Player, Table
from tests.support.processes import Process


def poll(player: Player, after: int, wait: str) -> tuple[list[int], dict[str, Any], float]:
    """Return the versions of the answer, the answer, and the seconds it took."""
    begun = time.monotonic()
    answer = player.look("moves", after=after, wait=wait, audience="seat")
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return [move["version"] for move in body["moves"]], body, time.monotonic() - begun


def later(what: Any, seconds: float = 0.3) -> threading.Timer:
    timer = threading.Timer(seconds, what)
    timer.start()
    return timer


def test_a_move_that_is_there_is_answered_at_once(table: Table) -> None:
    versions, body, took = poll(table.players[0], 0, "20s")
    assert (versions, body["version"], body["status"]) == ([1], 1, "running")
    assert took < 1


def test_the_next_move_ends_the_waiting(table: Table) -> None:
    player, other = table.players
    moving = later(other.any_move)
    versions, _, took = poll(player, 1, "20s")
    moving.join()
    assert versions == [2]
    assert 0.2 < took < 3


def test_after_the_time_the_page_is_empty(table: Table) -> None:
    versions, body, took = poll(table.players[0], 1, "1s")
    assert (versions, body["version"], body["status"]) == ([], 1, "running")
    assert 0.9 < took < 3


def test_the_end_of_the_match_ends_the_waiting(table: Table) -> None:
    ending = later(table.end)
    versions, body, _ = poll(table.players[0], 1, "20s")
    ending.join()
    assert (versions, body["status"]) == ([2], "ended")
    versions, body, took = poll(table.players[0], 2, "20s")
    assert (versions, body["status"]) == ([], "ended")
    assert took < 1, "nothing will come any more"


def test_a_whole_match_is_followed_by_polling(table: Table) -> None:
    player = table.players[0]
    told: list[int] = []

    def follow() -> None:
        while True:
            versions, body, _ = poll(player, len(told), "5s")
            told.extend(versions)
            if body["status"] == "ended" and not versions:
                return

    following = threading.Thread(target=follow)
    following.start()
    table.play_on(10)
    table.end()
    following.join(20)
    assert told == list(range(1, table.match()["version"] + 1))


def test_a_revoked_token_waits_no_longer(table: Table) -> None:
    later(lambda: table.platform.post(f"{table.path}/seats/0/revoke", json={}))
    answer = table.players[0].look("moves", after=1, wait="20s")
    assert (answer.status_code, answer.json()["reason"]) == (403, "SEAT_FORBIDDEN")


@pytest.mark.parametrize("wait", ["31s", "20", "-1s", "1.5s", "1m", "", "20s\n"])
def test_a_time_that_is_none_is_refused(table: Table, wait: str) -> None:
    answer = table.players[0].look("moves", after=1, wait=wait)
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "wait")


def test_a_stopping_gateway_answers_who_waits(world: World, table: Table) -> None:
    settings = world.gateway_settings(world.rules_address)
    with Process("gateway", world.folder / "gateway_polled.log", **settings) as gateway:
        with Player(gateway.start(), table.match_id, 0, table.players[0].token) as player:
            later(gateway.ask_to_stop)
            versions, _, took = poll(player, 1, "20s")
        assert versions == []
        assert took < 5
        assert gateway.wait() == 0
