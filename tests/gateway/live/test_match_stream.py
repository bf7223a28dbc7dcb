"""A match's stream for one client: each version once, in order, from wherever the client begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from foldtable.matches.v1 import match_pb2
from gateway.access.auth import Caller
from gateway.live.match_part import MatchPart
from tests.gateway.live.conftest import MATCH, Client, Here, until
from tests.gateway.small_server import SmallServer


async def test_a_reader_is_told_each_move_as_it_happens(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client)
    for version in (1, 2, 3):
        server.move_on()
        await until(lambda version=version: client.versions == list(range(1, version + 1)))


async def test_what_was_missed_is_read_from_the_log_page_by_page(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves = 250
    await here.read(client, after=20)
    await until(lambda: len(client.versions) == 230)
    server.move_on()
    await until(lambda: client.versions == list(range(21, 252)))
    assert server.listed_after == [20, 120, 220]


async def test_moves_made_while_a_reader_catches_up_are_neither_missed_nor_doubled(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves = 300
    await here.read(client)
    for _ in range(50):
        server.move_on()
        await asyncio.sleep(0.001)
    await until(lambda: len(client.versions) >= 350)
    assert client.versions == list(range(1, 351))


async def test_the_end_of_the_match_is_the_last_event(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client)
    server.move_on(2)
    server.end_match()
    await until(lambda: client.closed)
    assert client.events == [("move.applied", "1"), ("move.applied", "2"), ("match.ended", "2")]
    assert client.chunks.endswith(b"0\r\n\r\n"), "the answer is whole"


async def test_a_match_that_is_over_is_told_to_the_end(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves, server.status = 5, match_pb2.MATCH_STATUS_ENDED
    await here.read(client, after=3)
    await until(lambda: client.closed)
    assert [number for _, number in client.events] == ["4", "5", "5"]
    assert client.events[-1][0] == "match.ended"


async def test_who_waits_for_the_start_begins_with_a_snapshot(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.status = match_pb2.MATCH_STATUS_WAITING
    await here.read(client, after=None)
    server.status = match_pb2.MATCH_STATUS_RUNNING
    server.move_on()
    await until(lambda: client.events)
    server.move_on()
    await until(lambda: len(client.events) == 2)
    assert client.events == [("snapshot", "1"), ("move.applied", "2")]


async def test_readers_of_one_match_and_audience_share_what_comes_from_the_rules_server(
    server: SmallServer, here: Here
) -> None:
    clients = [Client() for _ in range(20)]
    for number, one in enumerate(clients):
        await here.read(one, who=f"Bearer ft_{number}")
    server.move_on()
    await until(lambda: all(one.versions == [1] for one in clients))
    assert server.subscriptions is not None
    assert len(server.subscriptions.open) == 20, "each has a right of its own"
    assert len(server.subscriptions.listening) == 1, "the moves come once"


async def test_a_revoked_reader_is_dropped_though_the_others_go_on(server: SmallServer, here: Here) -> None:
    """Whoever's subscription had the voice: the first subscriber's, then another's."""
    clients = {who: Client() for who in ("Bearer a", "Bearer b", "Bearer c")}
    for who, one in clients.items():
        await here.read(one, who=who)
    server.move_on()
    await until(lambda: all(one.versions == [1] for one in clients.values()))
    for who in ("Bearer a", "Bearer c"):
        assert server.subscriptions is not None
        server.subscriptions.refuse_credential(who, grpc.StatusCode.PERMISSION_DENIED)
        await until(lambda who=who: clients[who].closed)
        assert clients[who].events[-1] == ("revoked", "")
    server.move_on()
    await until(lambda: clients["Bearer b"].versions == [1, 2])
    assert clients["Bearer a"].versions == clients["Bearer c"].versions == [1]
    assert not clients["Bearer b"].closed


async def test_the_voice_passes_on_when_its_reader_goes_away(server: SmallServer, here: Here) -> None:
    first, second = Client(), Client()
    await here.read(first)
    await here.read(second)
    first.go_away()
    server.move_on()
    await until(lambda: second.versions == [1])
    assert first.versions == []


async def test_a_reader_who_goes_away_leaves_nothing_behind(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client)
    assert server.subscriptions is not None
    assert len(server.subscriptions.open) == 1
    client.go_away()
    subscriptions = server.subscriptions
    await until(lambda: not subscriptions.open)
    assert len(here.open_streams) == 0
    here.slots.take(Caller("Bearer ft_one", None)).free()
    assert here.slots._open == 0


# ── slow clients ───────────────────────────────────────────────────────────────────────────────────


async def test_a_reader_who_pauses_a_little_gets_everything(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client)
    client.reads = False
    server.move_on(100)
    await asyncio.sleep(0.1)
    client.read_on()
    await until(lambda: client.versions == list(range(1, 101)))


async def test_a_reader_who_falls_behind_is_told_so_and_holds_nobody_up(
    server: SmallServer, here: Here
) -> None:
    slow, quick = Client(), Client()
    await here.read(slow)
    await here.read(quick)
    slow.reads = False
    server.move_on(500)
    await until(lambda: quick.versions == list(range(1, 501)))
    slow.read_on()
    await until(lambda: slow.closed)
    assert slow.events[-1] == ("lagged", "")
    told = slow.versions
    assert told == list(range(1, len(told) + 1)), "what it was told has no holes"
    assert not quick.closed


async def test_what_waits_for_a_slow_reader_is_bounded(server: SmallServer, here: Here) -> None:
    slow = Client()
    stream = await here.read(slow)
    slow.reads = False
    server.update_bytes = 64 * 1024
    server.move_on(100)
    match = stream._part.subscription.match
    await until(lambda: slow.closed)
    assert 5 < match.version < 20, "it was given up as soon as the ring was full"
    assert sum(map(len, match._ring)) <= 512 * 1024
    assert len(slow.unread) < 256 * 1024


async def test_nothing_is_kept_of_a_match_that_everybody_has(server: SmallServer, here: Here) -> None:
    clients = [Client(), Client()]
    streams = [await here.read(one) for one in clients]
    server.move_on(50)
    await until(lambda: all(len(one.versions) == 50 for one in clients))
    assert len(streams[0]._part.subscription.match._ring) == 0


async def test_catching_up_waits_for_the_client(server: SmallServer, here: Here, client: Client) -> None:
    server.moves = 1_000
    client.reads = False
    await here.read(client)
    await asyncio.sleep(0.1)
    assert len(server.listed_after) <= 2, "a page waits until the one before was taken"
    client.read_on()
    await until(lambda: client.versions == list(range(1, 1_001)))


async def test_a_client_that_takes_nothing_is_given_up(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.live.open_streams.STUCK_SECONDS", 0.05)
    stream = await here.read(client)
    client.reads = False
    server.move_on()
    await until(lambda: client.unread)
    await asyncio.sleep(0.1)
    stream.beat(asyncio.get_running_loop().time())
    assert client.aborted
    assert len(here.open_streams) == 0


async def test_a_silent_match_is_kept_alive_by_pings(here: Here, client: Client) -> None:
    stream = await here.read(client)
    stream.beat(0)
    assert client.text == b": ping\n\n"


# ── troubles of the rules server ───────────────────────────────────────────────────────────────────


async def test_a_broken_stream_is_resumed_without_a_gap(server: SmallServer, here: Here) -> None:
    clients = [Client() for _ in range(5)]
    for one in clients:
        await here.read(one)
    server.move_on(2)
    await until(lambda: all(one.versions == [1, 2] for one in clients))
    await server.stop()
    server.subscriptions = None
    server.moves = 4
    await server.start()
    await until(lambda: all(one.versions == [1, 2, 3, 4] for one in clients))
    server.move_on()
    await until(lambda: all(one.versions == [1, 2, 3, 4, 5] for one in clients))
    assert server.follow_streams == 2
    assert len(server.subscriptions.listening) == 1
    asked = [one.after_version for one in server.subscriptions.open.values() if not one.silent]
    assert asked == [2], "it went on where it was"


async def test_a_move_that_comes_twice_is_told_once(server: SmallServer, here: Here, client: Client) -> None:
    await here.read(client)
    server.move_on(3)
    await until(lambda: client.versions == [1, 2, 3])
    assert server.subscriptions is not None
    server.subscriptions.listening = dict.fromkeys(server.subscriptions.listening, 0)
    server.move_on()
    await until(lambda: 4 in client.versions)
    assert client.versions == [1, 2, 3, 4]


async def test_a_server_that_stops_is_told_from_the_end_of_a_match(
    server: SmallServer, here: Here, client: Client
) -> None:
    await here.read(client)
    server.move_on()
    await until(lambda: client.versions == [1])
    assert server.subscriptions is not None
    server.subscriptions.end()
    await until(lambda: server.follow_streams == 2)
    server.move_on()
    await until(lambda: client.versions == [1, 2])


async def test_a_right_that_was_lost_during_a_break_is_noticed(server: SmallServer, here: Here) -> None:
    lost, kept = Client(), Client()
    await here.read(lost, who="Bearer lost")
    await here.read(kept, who="Bearer kept")
    await server.stop()
    server.follow_refusals["Bearer lost"] = grpc.StatusCode.PERMISSION_DENIED
    await server.start()
    await until(lambda: lost.closed)
    assert lost.events == [("revoked", "")]
    server.move_on()
    await until(lambda: kept.versions == [1])


async def test_a_database_that_is_away_for_a_moment_costs_nobody_the_stream(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.subscriptions.stream.RETRY_SECONDS", 0.05)
    await here.read(client)
    assert server.subscriptions is not None
    server.subscriptions.refuse(1, grpc.StatusCode.UNAVAILABLE)
    server.moves += 1
    await until(lambda: client.versions == [1])


async def test_after_too_long_without_a_server_readers_are_sent_away(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.subscriptions.stream.RECONNECT_SECONDS", 0.3)
    await here.read(client)
    await server.stop()
    await until(lambda: client.closed)
    assert client.events == [("drain", "")]


async def test_a_refusal_comes_before_the_stream(server: SmallServer, here: Here) -> None:
    server.follow_refusals["Bearer ft_one"] = grpc.StatusCode.PERMISSION_DENIED
    with pytest.raises(Exception, match="SEAT_FORBIDDEN") as refused:
        await here.subscribe()
    assert refused.value.status == 403


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(server: SmallServer, here: Here) -> None:
    server.follow_silence = True
    with pytest.raises(Exception, match="RULES_TIMEOUT"):
        await here.server.subscriptions.of("m").subscribe("m", _public(), "Bearer x", seconds=0.1)


async def test_no_server_is_told_at_once(server: SmallServer, here: Here) -> None:
    await server.stop()
    with pytest.raises(Exception, match="RULES_UNAVAILABLE"):
        await here.subscribe()


# ── the end of this process ────────────────────────────────────────────────────────────────────────


async def test_everybody_is_told_good_bye(server: SmallServer, here: Here) -> None:
    clients = [Client() for _ in range(20)]
    for one in clients:
        await here.read(one)
    here.open_streams.stop_all()
    assert all(one.events == [("drain", "")] for one in clients)
    assert all(one.chunks.endswith(b"0\r\n\r\n") for one in clients)
    subscriptions = server.subscriptions
    await until(lambda: subscriptions is not None and not subscriptions.open)


def _public() -> Any:
    from foldtable.rules.v1.table_pb2 import Audience

    return Audience(kind=Audience.KIND_PUBLIC)


# ── mistakes of ours ───────────────────────────────────────────────────────────────────────────────


def failing_once(then: Callable[..., Any]) -> Callable[..., Any]:
    """Return what fails when it is called first."""
    calls = 0

    def call(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise LookupError
        return then(*args, **more)

    return call


async def test_a_reader_whose_past_cannot_be_read_is_sent_away(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchPart, "_page", failing_once(MatchPart._page))
    server.moves = 250
    await here.read(client, after=20)
    await until(lambda: client.closed)
    assert [name for name, _ in client.events] == ["drain"]


async def test_a_mistake_about_a_stream_to_the_rules_server_is_not_the_end_of_it(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = here.server.subscriptions.of(MATCH)
    monkeypatch.setattr(stream, "_keep_one", failing_once(stream._keep_one))
    await here.read(client)
    server.move_on()
    await until(lambda: client.versions == [1])


async def test_a_mistake_about_one_reader_is_not_the_end_of_the_others_after_a_break(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.read(Client(), who="Bearer ft_other")
    await here.read(client)
    stream = here.server.subscriptions.of(MATCH)
    monkeypatch.setattr(stream, "_settle_one", failing_once(stream._settle_one))
    await server.stop()
    server.moves = 1
    await server.start()
    await until(lambda: client.versions == [1], seconds=5)
