"""Several gateways, several rules servers: any of them serves any match, and any may go."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import httpx
import pytest

from tests.gateway.live.test_streams import following, read
from tests.gateway.table import Platform, Player, Table
from tests.support.deployment import ANY_PORT
from tests.support.processes import Process
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow


@pytest.fixture
def several(several: Several) -> Iterator[Several]:
    """Those of the session, of which any may be ended here."""
    yield several
    several.start_what_ended()


def play_to_the_end(platform: Platform, table: Table, moves: int) -> None:
    table.play_on(moves)
    table.end()


def test_a_stream_cut_after_every_event_and_resumed_elsewhere_tells_each_version_once(
    several: Several,
) -> None:
    with Platform(several.urls[0], several.key) as platform, platform.new_table() as table:
        playing = threading.Thread(target=play_to_the_end, args=(platform, table, 25))
        playing.start()
        told: list[tuple[str, str]] = []
        players = [Player(url, table.match_id, 0, table.players[0].token) for url in several.urls]
        for player in cycle(players):
            last = told[-1][1] if told else "0"
            with following(player, table.path, last_event_id=last) as (response, events):
                if response.status_code == 204:
                    break
                ((name, number, _),) = read(events, 1)
                told.append((name, number))
        playing.join()
        for player in players:
            player.close()
        last = str(table.match()["version"])
    assert [number for name, number in told if name == "move.applied"] == [
        str(version) for version in range(1, int(last) + 1)
    ]
    assert set(told) - {("move.applied", number) for _, number in told} <= {("match.ended", last)}


def _ended_streams(gateway: Process) -> list[dict[str, Any]]:
    return [line for line in gateway.lines() if line["event"] == "play stream ended"]


def test_every_replica_is_used_and_a_match_stays_with_one(several: Several) -> None:
    """Which one is seen in the names of the streams: each logs its end when the server goes.

    The gateway is a new one: the streams of another may all lead to the replica that was there first.
    """
    settings = {**several.gateway_settings, "http_listen": ANY_PORT}
    with Process("gateway", several.folder / "gateway_new.log", **settings) as gateway:
        with Platform(gateway.start(), several.key) as platform:
            tables = [platform.new_table() for _ in range(12)]
            for table in tables:
                table.play_on(2)
            for table in tables:
                table.__exit__(None, None, None)
        several.rules[0].kill()
        deadline = time.monotonic() + 10
        while not (ended := _ended_streams(gateway)) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.2)  # the other one, if it was to the same server
        ended = _ended_streams(gateway)
    assert len(ended) == 1, "one of two streams was to the server that went"


def test_a_replica_that_goes_costs_no_stream_and_no_move(several: Several) -> None:
    told: dict[int, list[str]] = {}
    ready = threading.Barrier(7)

    def follow(number: int, table: Table) -> None:
        with (
            Player(several.urls[1], table.match_id, 0, table.players[0].token) as player,
            following(player, table.path, last_event_id="0") as (_, events),
        ):
            told[number] = [next(events).id]
            ready.wait(10)
            told[number] += [event.id for event in events if event.event == "move.applied"]

    with ExitStack() as stack:
        platform = stack.enter_context(Platform(several.urls[0], several.key))
        tables = [stack.enter_context(platform.new_table()) for _ in range(6)]
        followers = [
            threading.Thread(target=follow, args=(number, table)) for number, table in enumerate(tables)
        ]
        for follower in followers:
            follower.start()
        ready.wait(10)
        for table in tables:
            table.play_on(2)
        several.rules[1].kill()
        for table in tables:
            moves_made = 0
            while moves_made < 3:
                moves_made += _try_to_move(table)
            table.end()
        for follower in followers:
            follower.join(20)
        for number, table in enumerate(tables):
            versions = [str(version) for version in range(1, table.match()["version"] + 1)]
            assert told[number] == versions, "none missed, none doubled"


def _try_to_move(table: Table) -> bool:
    """Move as a client does: after a 503 again, with the same request id."""
    to_act = table.match()["to_act"]
    player = table.players[to_act[0]]
    legal = player.look("legal-actions", samples=1).json()
    key = {"idempotency-key": f'"{table.match_id[:8]}-{legal["version"]}"'}
    for _ in range(50):
        answer = player.move(legal["samples"][0], legal["version"], headers=key)
        if answer.status_code == 200:
            return True
        assert answer.status_code in {503, 504}, answer.text
        time.sleep(0.1)
    raise AssertionError("the other replica does not answer")


def test_two_gateways_stop_one_after_the_other_under_a_follower(several: Several) -> None:
    """`drain` sends the client elsewhere; it comes back with the id it has."""
    with Platform(several.urls[1], several.key) as platform, platform.new_table() as table:
        players = [Player(url, table.match_id, 1, table.players[1].token) for url in several.urls]
        with following(players[0], table.path, last_event_id="0") as (_, events):
            assert read(events, 1)[0][1] == "1"
            table.play_on(1)
            assert read(events, 1)[0][1] == "2"
            several.gateways[0].ask_to_stop()
            assert [event.event for event in events] == ["drain"]
        table.play_on(2)
        with following(players[1], table.path, last_event_id="2") as (_, events):
            assert [number for _, number, _ in read(events, 2)] == ["3", "4"]
        for player in players:
            player.close()
        assert several.gateways[0].wait() == 0


def test_a_replica_that_drains_hands_its_follows_over(several: Several) -> None:
    with (
        Platform(several.urls[0], several.key) as platform,
        platform.new_table() as table,
        following(table.players[0], table.path, last_event_id="1") as (_, events),
    ):
        assert several.rules[0].stop() == 0
        table.play_on(2)
        assert [number for _, number, _ in read(events, 2)] == ["2", "3"]
    assert httpx.get(f"{several.urls[0]}/readyz").status_code == 200
