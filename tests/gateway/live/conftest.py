"""A client that takes what it is sent, as far as it likes; and everything between it and a rules server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.auth import Caller
from gateway.access.stream_slots import StreamSlots
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.event_streams import EventCompression
from gateway.live.match_part import MatchPart
from gateway.live.match_stream import MatchStream
from gateway.live.open_streams import OpenStreams
from gateway.server.event_connection import EventConnection
from gateway.upstream.rules import RulesServer
from gateway.upstream.subscriptions.subscription import Subscription
from tests.gateway.small_server import SmallServer

MATCH = "01890000-0000-7000-8000-000000000000"


class Client(asyncio.Transport):
    """The other end of a connection: takes everything, or nothing any more."""

    def __init__(self) -> None:
        super().__init__()
        self.chunks = b""
        self.unread = b""
        self.reads = True
        self.connection: EventConnection | None = None
        self.closed = False
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.reads:
            self.chunks += data
        else:
            self.unread += data
            if self.connection is not None:
                self.connection.pause_writing()

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return len(self.unread)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            if self.connection is not None and self.reads:
                asyncio.get_running_loop().call_soon(self.connection.connection_lost, None)

    def abort(self) -> None:
        self.aborted = True
        self.go_away()

    def go_away(self) -> None:
        """Hang up."""
        self.closed = True
        if self.connection is not None:
            self.connection.connection_lost(None)

    def read_on(self) -> None:
        """Take what has waited, and what comes."""
        self.reads = True
        self.chunks += self.unread
        self.unread = b""
        if self.connection is not None:
            self.connection.resume_writing()

    @property
    def text(self) -> bytes:
        """What was sent, without the framing."""
        text, rest = b"", self.chunks
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            number = int(size, 16)
            assert rest[number : number + 2] == b"\r\n"
            text += rest[:number]
            rest = rest[number + 2 :]
        return text

    @property
    def events(self) -> list[tuple[str, str]]:
        """Every event as (name, id)."""
        told = []
        for block in self.text.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                told.append((fields["event"], fields.get("id", "")))
        return told

    @property
    def versions(self) -> list[int]:
        """The versions of the moves it was told."""
        return [int(number) for name, number in self.events if name == "move.applied"]


@dataclass
class Here:
    """A gateway's live part before a small server."""

    server: RulesServer
    open_streams: OpenStreams
    slots: StreamSlots
    compression: EventCompression
    connections: set[Any] = field(default_factory=set)

    async def subscribe(
        self,
        who: str = "Bearer ft_one",
        kind: Audience.Kind.ValueType = Audience.KIND_PUBLIC,
        *,
        match: str = MATCH,
        has_table: bool = False,
    ) -> Subscription:
        return await self.server.subscriptions.of(match).subscribe(
            match, Audience(kind=kind), who, seconds=2, has_table=has_table
        )

    async def read(
        self, client: Client, *, after: int | None = 0, who: str = "Bearer ft_one", has_table: bool = False
    ) -> MatchStream:
        """Open a stream for a client."""
        part = MatchPart(await self.subscribe(who, has_table=has_table), after=after, seconds=2)
        stream = MatchStream(self.open_streams, self.slots.take(Caller(who, None)), part)
        client.connection = EventConnection(client, self.connections, is_full=False)
        stream.begin(client.connection, b"")
        return stream


@pytest.fixture
async def here(server: SmallServer) -> AsyncIterator[Here]:
    rules = RulesServer(f"127.0.0.1:{server.port}", max_open_moves=1)
    open_streams = OpenStreams()
    slots = StreamSlots(10_000, per_credential=10_000, per_seat=10_000)
    yield Here(rules, open_streams, slots, EventCompression(Allowance(1), max_histories=2))
    await open_streams.close()
    await rules.close()


@pytest.fixture
def client() -> Client:
    return Client()


async def until(holds: Any, seconds: float = 20) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - whatever is waited for rings no bell
            await asyncio.sleep(0.005)
