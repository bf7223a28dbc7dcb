"""Following a match as server-sent events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource, ServerSentEvent

from tests.gateway.conftest import World
from tests.gateway.table import Player, Table
from tests.support.processes import Process


@contextmanager
def following(
    client: httpx.Client, path: str, *, last_event_id: str | None = None, **query: Any
) -> Iterator[tuple[httpx.Response, Iterator[ServerSentEvent]]]:
    """Open a stream as an EventSource does, which drops events without data: what a comment ends is one."""
    headers = {"accept": "text/event-stream"}
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    with client.stream("GET", f"{path}/stream", params=query, headers=headers) as response:
        yield response, (event for event in EventSource(response).iter_sse() if event.data)


def read(events: Iterator[ServerSentEvent], number: int) -> list[tuple[str, str, Any]]:
    """Return so many events as (event, id, data)."""
    return [(event.event, event.id, event.json()) for event in islice(events, number)]


def soon(told: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not told():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def open_streams(world: World) -> int:
    return int(float(world.gateway.metrics.split("\nfoldtable_open_streams ")[1].split("\n")[0]))


def test_a_stream_begins_with_a_snapshot_and_goes_on_with_each_move(table: Table) -> None:
    player, other = table.players
    with following(player, table.path) as (response, events):
        ((event, number, snapshot),) = read(events, 1)
        assert (event, number, snapshot["version"]) == ("snapshot", "1", 1)
        assert snapshot["view"] == player.look("view").json()["view"]
        moved = player.any_move().json()
        (first,) = read(events, 1)
        other.any_move()
        (second,) = read(events, 1)
    assert first == (
        "move.applied",
        "2",
        {
            "version": 2,
            "type": "move.applied",
            "seat": 0,
            "events": moved["events"],
            "to_act": [1],
            "status": "running",
            "timed_out": False,
            "clocks": None,
        },
    )
    assert (second[0], second[1], second[2]["seat"]) == ("move.applied", "3", 1)
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "private, no-store"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["connection"] == "close"


def test_the_text_says_how_long_to_wait_before_a_reconnect(player: Player, table: Table) -> None:
    with player.stream("GET", f"{table.path}/stream") as response:
        text = next(response.iter_text())
    assert text.startswith("retry: 3000\n")


def test_each_seat_sees_its_own_secrets_and_nobody_elses(table: Table) -> None:
    player, other = table.players
    with following(player, table.path) as (_, mine), following(other, table.path) as (_, theirs):
        read(mine, 1), read(theirs, 1)
        program = player.any_move().json()["events"][0]["cards"]
        ((_, _, own),) = read(mine, 1)
        ((_, _, foreign),) = read(theirs, 1)
    assert own["events"][0]["cards"] == program
    assert foreign["events"][0]["cards"] is None


def test_a_stream_resumes_after_the_last_event_the_client_has(table: Table) -> None:
    table.play_on(3)
    with following(table.platform, table.path, last_event_id="2", audience="public") as (_, events):
        told = read(events, 2)
    assert [(event, number) for event, number, _ in told] == [("move.applied", "3"), ("move.applied", "4")]
    assert told[0][2]["to_act"] is None, "who is waited for is told with the newest move only"
    assert told[1][2]["to_act"] == table.match()["to_act"]


def test_after_version_does_the_same_and_the_header_wins(table: Table) -> None:
    table.play_on(3)
    with following(table.platform, table.path, after_version=3) as (_, events):
        assert read(events, 1)[0][:2] == ("move.applied", "4")
    with following(table.platform, table.path, last_event_id="2", after_version=3) as (_, events):
        assert read(events, 1)[0][:2] == ("move.applied", "3")


def test_a_client_with_the_newest_version_waits_for_the_next(table: Table) -> None:
    with following(table.platform, table.path, after_version=1) as (response, events):
        assert response.status_code == 200
        table.players[0].any_move()
        assert read(events, 1)[0][:2] == ("move.applied", "2")


@pytest.mark.parametrize("unknown", ["99", "abc", "9" * 30])
def test_a_version_the_match_does_not_have_is_reset_with_a_snapshot(table: Table, unknown: str) -> None:
    with following(table.players[0], table.path, last_event_id=unknown) as (_, events):
        reset, snapshot = read(events, 2)
    assert reset == ("reset", "", {"version": 1})
    assert (snapshot[0], snapshot[1]) == ("snapshot", "1")


def test_the_end_of_the_match_ends_the_stream_and_a_reconnect_gets_204(table: Table) -> None:
    with following(table.players[1], table.path) as (_, events):
        read(events, 1)
        table.end()
        told = [(event.event, event.id) for event in events]
    assert told == [("move.applied", "2"), ("match.ended", "2")]
    again = table.platform.get(f"{table.path}/stream", headers={"last-event-id": "2"})
    assert (again.status_code, again.content) == (204, b"")


def test_a_match_that_is_over_is_still_shown_to_who_comes_late(table: Table) -> None:
    table.end()
    with following(table.platform, table.path, audience="referee") as (_, events):
        assert [event.event for event in events] == ["snapshot", "match.ended"]


def test_a_match_that_waits_for_players_begins_with_its_seats_and_then_its_start(table: Table) -> None:
    with (
        table.platform.new_table(2, open_seats=True) as waiting,
        following(table.platform, waiting.path) as (_, events),
    ):
        ((event, number, data),) = read(events, 1)
        assert (event, number, [seat["taken"] for seat in data["seats"]]) == (
            "seats.updated",
            "",
            [False] * 2,
        )
        for _ in range(2):
            assert table.platform.post(f"{waiting.path}/join", json={}).status_code == 200
        told = {"seats.updated": ""}
        while "snapshot" not in told:
            told |= {event: number for event, number, _ in read(events, 1)}
        assert told["snapshot"] == "1"


def test_who_may_not_look_is_told_before_the_stream_begins(table: Table) -> None:
    for caller, query, status, reason in (
        (table.players[0], {"seat": 1}, 403, "SEAT_FORBIDDEN"),
        (table.players[0], {"audience": "referee"}, 403, "SEAT_FORBIDDEN"),
        (table.platform, {"audience": "seat"}, 400, "MALFORMED_REQUEST"),
        (table.platform, {"seat": 7, "after_version": 1}, 400, "MALFORMED_REQUEST"),
        (table.platform, {"after": 1}, 400, "MALFORMED_REQUEST"),
    ):
        answer = caller.get(f"{table.path}/stream", params=query)
        assert (answer.status_code, answer.json()["reason"]) == (status, reason)


def test_a_client_that_takes_no_event_streams_is_told_so(player: Player) -> None:
    answer = player.get(f"/v1/matches/{player.match_id}/stream", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (406, "NOT_ACCEPTABLE")


def test_a_client_that_goes_away_frees_its_stream_here_and_at_the_rules_server(
    world: World, table: Table
) -> None:
    assert soon(lambda: open_streams(world) == 0, 20)  # those of earlier tests
    before = 0
    with following(table.players[0], table.path) as (_, events):
        read(events, 1)
        assert open_streams(world) == before + 1
    assert soon(lambda: open_streams(world) == before)


def test_a_stream_outlives_a_restart_of_its_rules_server_and_misses_nothing(
    world: World, table: Table
) -> None:
    """A rules server and a gateway of the test's own; moves go through the shared ones, on the same log."""
    log = world.folder / "rules_restarted.log"
    told: list[tuple[str, str]] = []
    opened = threading.Event()

    def follow(url: str) -> None:
        player = Player(url, table.match_id, 0, table.players[0].token)
        with player, following(player, table.path) as (_, events):
            for event in events:
                told.append((event.event, event.id))
                opened.set()

    with Process("services.rules", log, **world.rules_settings()) as rules:
        address = rules.start()
        settings = world.gateway_settings(address)
        with Process("gateway", world.folder / "gateway_restarted.log", **settings) as gateway:
            follower = threading.Thread(target=follow, args=(gateway.start(),))
            follower.start()
            assert opened.wait(10)
            rules.kill()
            table.play_on(2)
            with Process("services.rules", log, **world.rules_settings(listen=address)) as again:
                again.start()
                table.play_on(1)
                table.end()
                follower.join(20)
            assert gateway.stop() == 0
    versions = [str(number) for number in range(1, int(told[-1][1]) + 1)]
    assert told[-1][0] == "match.ended"
    assert [number for _, number in told[:-1]] == versions


def test_a_stopping_gateway_says_good_bye_and_exits_cleanly(world: World, table: Table) -> None:
    settings = world.gateway_settings(world.rules_address)
    with Process("gateway", world.folder / "gateway_drained.log", **settings) as gateway:
        player = Player(gateway.start(), table.match_id, 0, table.players[0].token)
        with player, following(player, table.path) as (_, events):
            read(events, 1)
            begun = time.monotonic()
            gateway.ask_to_stop()
            last = [(event.event, json.loads(event.data)) for event in events]
        assert last == [("drain", {"version": 1})]
        assert gateway.wait() == 0
        assert time.monotonic() - begun < 3
        assert [line for line in gateway.lines() if line["level"] in ("error", "critical")] == []


def test_the_connection_of_a_stream_is_not_used_again(table: Table) -> None:
    """A stream ends with its connection, and says so (RFC 9112 §9.6): else the client's next request would be reset."""
    player = table.players[0]
    player.post(f"{table.path}/resign")
    for _ in range(20):
        stream = player.get(f"{table.path}/stream", params={"after_version": 1})
        assert stream.headers["connection"] == "close"
        assert player.get("/v1/token").status_code == 200


def test_an_entity_tag_names_the_version_to_continue_after(table: Table) -> None:
    """Also as a proxy has handed it on."""
    table.play_on(3)
    player = table.players[0]
    tag = player.get(f"{table.path}/view", params={"at": 2}).headers["etag"]
    for sent in (tag, f"W/{tag}", f'{tag[:-1]}--gzip"'):
        with following(player, table.path, last_event_id=sent) as (_, events):
            assert [number for _, number, _ in read(events, 2)] == ["3", "4"]
