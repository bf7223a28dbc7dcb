"""Event streams over real sockets: what leaves HTTP, what stays, and what a client's slowness does."""

from __future__ import annotations

import asyncio
import gc
import socket
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from gateway.access.auth import Caller
from gateway.http.sse import events_in
from gateway.live.answers import EventStreamResponse
from gateway.live.match_part import MatchPart
from gateway.live.match_stream import MatchStream
from gateway.server.event_connection import detached
from gateway.server.protocol import BoundedHttpProtocol
from tests.gateway.live.conftest import Here, until
from tests.gateway.small_server import SmallServer

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class System:
    """A gateway's HTTP server with one route, which streams the one match from its beginning."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.streams: list[MatchStream] = []
        self.clients: list[socket.socket] = []
        self.server = uvicorn.Server(
            uvicorn.Config(
                self._app,
                port=0,
                loop="uvloop",
                http=BoundedHttpProtocol,
                ws="none",
                lifespan="off",
                interface="asgi3",
                proxy_headers=False,
                log_config=None,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        subscription = await self.here.subscribe()
        stream = MatchStream(
            self.here.open_streams,
            self.here.slots.take(Caller("one", None)),
            MatchPart(subscription, after=0, seconds=2),
        )
        self.streams.append(stream)
        await EventStreamResponse(stream, b"", self.here.compression)(scope, receive, send)

    async def start(self) -> None:
        self._serving = asyncio.create_task(self.server.serve())
        await until(lambda: self.server.started)

    async def stop(self) -> None:
        for client in self.clients:
            client.close()
        self.server.should_exit = True
        assert self._serving is not None
        await self._serving

    @property
    def port(self) -> int:
        port: int = self.server.servers[0].sockets[0].getsockname()[1]
        return port

    async def open(self, *, buffer: int = 0, request: bytes = REQUEST) -> socket.socket:
        """Connect and ask, with a receive buffer of that size."""
        client = socket.socket()
        self.clients.append(client)
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, ("127.0.0.1", self.port))
        await loop.sock_sendall(client, request)
        return client


@pytest.fixture
async def system(server: SmallServer, here: Here) -> AsyncIterator[System]:
    one = System(here)
    await one.start()
    yield one
    await one.stop()


async def read_until(client: socket.socket, found: Callable[[bytes], bool]) -> bytes:
    text = b""
    async with asyncio.timeout(30):  # megabytes, on a machine that others use, too
        while not found(text):
            data = await asyncio.get_running_loop().sock_recv(client, 256 * 1024)
            if not data:
                break
            text += data
    return text


@pytest.fixture
def without_collector() -> Iterator[None]:
    """What is gone must be gone by itself: a circle would wait for the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def requests_alive() -> int:
    return sum(isinstance(one, RequestResponseCycle) for one in gc.get_objects())


async def test_nothing_of_the_request_outlives_the_head_of_its_answer(
    server: SmallServer, system: System, without_collector: None
) -> None:
    clients = [await system.open() for _ in range(20)]
    for client in clients:
        head = await read_until(client, lambda text: b"retry: 3000" in text)
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"transfer-encoding: chunked\r\n" in head.lower()
    await until(lambda: not system.server.server_state.tasks)
    assert requests_alive() == 0
    assert len(system.server.server_state.connections) == 20, "those the server waits for when it stops"
    server.move_on()
    for client in clients:
        assert b"id: 1\nevent: move.applied\n" in await read_until(client, lambda text: b"\n\n" in text)
        client.close()
    await until(lambda: len(system.here.open_streams) == 0)
    assert len(system.server.server_state.connections) == 0


async def test_what_is_asked_behind_a_stream_is_dropped(server: SmallServer, system: System) -> None:
    client = await system.open(request=REQUEST * 3)
    await read_until(client, lambda text: b"retry: 3000" in text)
    await asyncio.get_running_loop().sock_sendall(client, REQUEST * 100)
    server.move_on()
    text = await read_until(client, lambda text: b"\n\n" in text)
    assert b"HTTP/1.1" not in text
    assert len(system.streams) == 1
    client.close()


async def test_a_client_that_stops_reading_fills_no_memory_and_is_told_when_it_reads_again(
    server: SmallServer, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "gateway.server.event_connection.LINGER_SECONDS", 120
    )  # however slow the other client reads
    slow, quick = await system.open(buffer=4_096), await system.open()
    await until(lambda: len(system.here.open_streams) == 2)
    server.update_bytes = 64 * 1024
    reading = asyncio.create_task(read_until(quick, lambda text: b"id: 199\n" in text))
    for _ in range(199):
        server.move_on()
        await asyncio.sleep(0.002)
    assert b"event: lagged" not in await reading
    await until(lambda: len(system.here.open_streams) == 1)
    text = await read_until(slow, lambda text: text.endswith(b"0\r\n\r\n"))
    assert text.count(b"event: move.applied\n") < 199
    assert b"event: lagged\n" in text[-300:]
    assert text.endswith(b"0\r\n\r\n"), "the answer is whole"
    slow.close(), quick.close()


async def test_a_client_that_never_reads_again_is_let_go_of(
    server: SmallServer, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.server.event_connection.LINGER_SECONDS", 0.1)
    slow = await system.open(buffer=4_096)
    await until(lambda: len(system.here.open_streams) == 1)
    server.update_bytes = 256 * 1024
    for _ in range(60):
        server.move_on()
        await asyncio.sleep(0.002)
    await until(lambda: not system.server.server_state.connections)
    slow.close()


async def test_a_server_that_stops_closes_streams_once_they_were_told(
    server: SmallServer, system: System
) -> None:
    client = await system.open()
    await read_until(client, lambda text: b"retry: 3000" in text)
    system.here.open_streams.stop_all()
    text = await read_until(client, lambda text: text.endswith(b"0\r\n\r\n"))
    assert b"event: drain\n" in text
    assert await read_until(client, lambda _: False) == b"", "closed"
    client.close()


async def test_a_compressed_stream_is_read_event_by_event_to_its_checksum(
    server: SmallServer, system: System
) -> None:
    client = await system.open(request=REQUEST[:-2] + b"Accept-Encoding: gzip\r\n\r\n")
    head, _, body = (await read_until(client, lambda text: b"\r\n\r\n" in text)).partition(b"\r\n\r\n")
    assert b"content-encoding: gzip" in head.lower().split(b"\r\n")
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    text = decoded(decoder, body)
    for version in range(1, 4):
        await until(lambda: len(system.here.open_streams) == 1)
        server.move_on()
        while f"id: {version}\nevent: move.applied\n".encode() not in text:
            text += decoded(decoder, await read_until(client, lambda text: text.endswith(b"\r\n")))
    assert len(system.here.compression) == 1
    system.here.open_streams.stop_all()
    text += decoded(decoder, await read_until(client, lambda text: text.endswith(b"0\r\n\r\n")))
    assert text.startswith(b"retry: 3000\n")
    assert b"event: drain\n" in text
    assert decoder.eof, "the file is whole, and its checksum is right"
    await until(lambda: len(system.here.compression) == 0)
    client.close()


def decoded(decoder: Any, chunks: bytes) -> bytes:
    """Decode whole chunks."""
    return b"".join(decoder.decompress(piece) for piece in events_in(chunks) if piece)


def test_another_server_cannot_serve_streams() -> None:
    scope: dict[str, Any] = {"type": "http", "extensions": {}}
    with pytest.raises(RuntimeError, match="BoundedHttpProtocol"):
        detached(scope)
