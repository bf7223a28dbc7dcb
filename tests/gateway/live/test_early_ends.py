"""Ends and news that come before a stream has begun: its subscriber is let in, and the answer's head is still on its way."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from foldtable.matches.v1 import match_pb2
from foldtable.platform.v1.feed_pb2 import FeedMatch
from gateway.access.auth import Caller
from gateway.live.answers import EventStreamResponse
from gateway.live.feed_stream import FeedStream
from gateway.live.match_part import MatchPart
from gateway.live.match_stream import MatchStream
from gateway.live.open_streams import OpenStream
from gateway.live.waiting import NextMove
from gateway.routes import streams
from gateway.server.event_connection import DETACH, EventConnection
from tests.gateway.live.conftest import Client, Here, until
from tests.gateway.small_server import SmallServer


async def answer(stream: EventStreamResponse, client: Client) -> None:
    """Send an answer as the server of `python -m gateway` does: its head, then the connection is handed over."""

    async def send(message: Any) -> None:
        assert message["status"] == 200

    async def receive() -> Any:
        raise AssertionError("a stream asks its client nothing")

    client.connection = EventConnection(client, set(), is_full=False)
    scope = {"type": "http", "headers": [], "extensions": {DETACH: lambda: client.connection}}
    await stream(scope, receive, send)


async def answer_of(here: Here, *, after: int | None) -> Any:
    """Let a subscriber in, and give the answer of `GET /v1/matches/{id}/stream`."""
    gateway: Any = SimpleNamespace(
        open_streams=here.open_streams,
        event_compression=here.compression,
        settings=SimpleNamespace(read_deadline_seconds=2),
    )
    subscription = await here.subscribe("Bearer late")
    return await streams._stream(gateway, here.slots.take(Caller("Bearer late", None)), subscription, after)


async def waited(poll: NextMove, here: Here) -> None:
    """Let a long poll wait; it must not need to for long."""
    async with asyncio.timeout(20):
        await poll.wait(here.open_streams, seconds=30)


async def somebody_behind(server: SmallServer, here: Here) -> Client:
    """Let somebody subscribe who was told the moves up to 3, of 5: the rest is on its way."""
    client = Client()
    server.moves = 3
    await here.read(client, after=3)
    await until(lambda: server.subscriptions is not None and server.subscriptions.listening)
    server.moves = 5
    return client


def nothing_is_left(here: Here, stream: OpenStream) -> bool:
    return not stream.is_open and len(here.open_streams) == 0 and here.slots._open == 0


async def test_who_loses_the_right_before_the_stream_begins_is_told_so_and_leaves(
    server: SmallServer, here: Here, client: Client
) -> None:
    slot = here.slots.take(Caller("Bearer ft_one", None))
    subscription = await here.subscribe()
    stream = MatchStream(here.open_streams, slot, MatchPart(subscription, after=0, seconds=2))
    assert server.subscriptions is not None
    server.subscriptions.refuse_credential("Bearer ft_one", grpc.StatusCode.PERMISSION_DENIED)
    await until(lambda: subscription.id not in subscription.stream._subscriptions)
    await answer(EventStreamResponse(stream, b"", here.compression), client)
    assert client.events == [("revoked", "")]
    assert client.chunks.endswith(b"0\r\n\r\n"), "the answer is whole"
    assert client.closed
    assert nothing_is_left(here, stream)


async def test_who_is_sent_away_before_the_stream_begins_gets_what_was_read_and_goes(
    server: SmallServer, here: Here, client: Client
) -> None:
    server.moves = 2
    slot = here.slots.take(Caller("Bearer ft_one", None))
    part = MatchPart(await here.subscribe(), after=None, seconds=2)
    stream = MatchStream(here.open_streams, slot, part)
    opening = await part.opening()
    stream.stop()
    part.revoke("SEAT_FORBIDDEN")
    await answer(EventStreamResponse(stream, opening, here.compression), client)
    assert client.events == [("snapshot", "2"), ("drain", "")], "the first farewell is the last"
    assert client.closed
    subscriptions = server.subscriptions
    await until(lambda: subscriptions is not None and not subscriptions.open)
    assert nothing_is_left(here, stream)


async def test_a_stream_that_begins_while_this_server_stops_is_told_good_bye(
    here: Here, client: Client
) -> None:
    slot = here.slots.take(Caller("Bearer ft_one", None))
    stream = MatchStream(here.open_streams, slot, MatchPart(await here.subscribe(), after=0, seconds=2))
    here.open_streams.stop_all()
    await answer(EventStreamResponse(stream, b"", here.compression), client)
    assert client.events == [("drain", "")]
    assert nothing_is_left(here, stream)


async def test_a_long_poll_that_begins_while_this_server_stops_does_not_wait(here: Here) -> None:
    subscription = await here.subscribe()
    here.open_streams.stop_all()
    await waited(NextMove(subscription, 7), here)
    subscription.end()


async def test_a_feed_whose_key_is_revoked_before_it_begins_says_so_and_leaves(
    here: Here, client: Client
) -> None:
    left: list[str] = []
    stream = FeedStream(here.open_streams, here.slots.take(Caller("Bearer ft_one", None)), player="ada")
    stream.subscribed(lambda: left.append("the feed"))
    stream.revoke("TOKEN_INVALID")
    stream.offer(FeedMatch(match_id="m", version=1, status=match_pb2.MATCH_STATUS_RUNNING, players=["ada"]))
    await answer(EventStreamResponse(stream, b"", here.compression), client)
    assert client.events == [("revoked", "")]
    assert client.closed
    assert left == ["the feed"]
    assert nothing_is_left(here, stream)


# ── the match is further on than what its other subscribers were told ──────────────────────────────


async def test_the_newest_version_is_known_though_the_other_readers_were_not_told_yet(
    server: SmallServer, here: Here, client: Client
) -> None:
    first = await somebody_behind(server, here)
    await answer(await answer_of(here, after=5), client)
    assert client.events == [], "neither a reset nor a snapshot: it has all there is"
    server.move_on()
    await until(lambda: client.versions == [6])
    await until(lambda: first.versions == [4, 5, 6])


async def test_a_version_that_never_was_is_answered_with_the_newest(
    server: SmallServer, here: Here, client: Client
) -> None:
    await somebody_behind(server, here)
    await answer(await answer_of(here, after=6), client)
    assert b'event: reset\ndata: {"version":5}' in client.text
    assert client.events == [("reset", ""), ("snapshot", "5")]


async def test_a_reader_who_is_ahead_of_the_others_goes_on_when_it_is_alone(
    server: SmallServer, here: Here, client: Client
) -> None:
    first = await somebody_behind(server, here)
    await answer(await answer_of(here, after=5), client)
    first.go_away()
    server.move_on()
    await until(lambda: client.versions == [6])
    assert server.follow_streams == 1, "the stream to the rules server did not break over it"


async def test_a_long_poll_for_a_move_that_was_made_already_does_not_wait(
    server: SmallServer, here: Here
) -> None:
    await somebody_behind(server, here)
    subscription = await here.subscribe("Bearer late")
    await waited(NextMove(subscription, 4), here)
    subscription.end()


@pytest.mark.parametrize("after", [None, 5])
async def test_an_early_end_gives_back_the_slot_once(here: Here, after: int | None) -> None:
    stream = MatchStream(
        here.open_streams,
        here.slots.take(Caller("Bearer ft_one", None)),
        MatchPart(await here.subscribe(), after=after, seconds=2),
    )
    stream.stop()
    stream.abandon()
    stream.abandon()
    assert nothing_is_left(here, stream)
