"""An event stream as an ASGI answer: heartbeats, readers who go away, readers who read nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.types import Message

from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest
from gateway.auth import Caller
from gateway.clients import RulesServers
from gateway.directory import Directory
from gateway.drain import Drain
from gateway.routes.streams import EventStream
from gateway.stream_slots import StreamSlots
from gateway.tracing import Trace
from gateway.watching import MatchWatch
from tests.gateway.small_server import SmallServer

SCOPE = {"type": "http", "method": "GET", "path": "/"}


class Reader:
    """The other end of an answer."""

    def __init__(self) -> None:
        self.text = b""
        self.gone = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await self.takes.wait()
        self.text += message.get("body", b"")


@pytest.fixture
async def watch(server: SmallServer) -> AsyncIterator[MatchWatch]:
    servers = RulesServers({"harbour": f"127.0.0.1:{server.port}"}, max_open_moves=1)
    following = MatchWatch(
        servers.of_game("harbour"),
        Directory(servers, seconds=2),
        WatchMatchRequest(match_id="m", after_version=0),
        Caller("Bearer ft_test_key", None),
        Trace(None, None, "01"),
    )
    await following.begin(seconds=2)
    yield following
    await servers.close()


async def test_a_silent_match_is_kept_alive_by_pings(
    watch: MatchWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.routes.streams.PING_SECONDS", 0.03)
    reader = Reader()
    answer = asyncio.create_task(
        EventStream(watch, Drain(), StreamSlots(1))(dict(SCOPE), reader.receive, reader.send)
    )
    await asyncio.sleep(0.2)
    reader.gone.set()
    await answer
    assert reader.text.startswith(b"retry: 3000\n")
    assert reader.text.count(b": ping\n\n") >= 2


async def test_a_reader_who_goes_away_ends_the_call_at_the_rules_server(
    server: SmallServer, watch: MatchWatch
) -> None:
    slots, reader = StreamSlots(1), Reader()
    answer = asyncio.create_task(EventStream(watch, Drain(), slots)(dict(SCOPE), reader.receive, reader.send))
    await asyncio.sleep(0.05)
    assert not server.nobody_watches.is_set()
    reader.gone.set()
    await answer
    async with asyncio.timeout(2):
        await server.nobody_watches.wait()
    slots.check()


async def test_a_reader_who_reads_nothing_is_given_up(
    server: SmallServer, watch: MatchWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.routes.streams.SEND_TIMEOUT_SECONDS", 0.1)
    reader = Reader()
    answer = asyncio.create_task(
        EventStream(watch, Drain(), StreamSlots(1))(dict(SCOPE), reader.receive, reader.send)
    )
    await asyncio.sleep(0.05)
    reader.takes.clear()
    server.moves = 3
    async with asyncio.timeout(2):
        await answer
        await server.nobody_watches.wait()
