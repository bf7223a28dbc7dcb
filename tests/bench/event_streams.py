"""Many event streams through the gateway over real sockets, and the memory of processes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SETTLE_SECONDS = 2.0
OPENING_AT_ONCE = 100
WARM_UP_STREAMS = 200
"""The first streams of a process also pay for what is loaded once, so some are opened and closed before memory is read."""
MAX_KILOBYTES = 20
"""What an idle stream may cost the gateway (DESIGN.md: "a watcher ≤ 20 KB")."""


@dataclass(frozen=True)
class Table:
    """A match, and who may follow it."""

    match_id: str
    tokens: list[str]
    """Of its seats."""
    followers: list[str]
    """What its streams are opened with, in turns."""


class Stream(asyncio.Protocol):
    """One client of an event stream. Counts the moves it is told, and keeps the time of the newest."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._rest = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.moves = 0
        self.moved_at = 0.0
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self.opened.done():
            if not data.startswith(b"HTTP/1.1 200"):
                self.opened.set_exception(RuntimeError(data.decode(errors="replace")))
                return
            self.opened.set_result(None)
        text = self._rest + data
        found = text.count(b"event: move.applied\n")
        self._rest = text[-len(b"event: move.applied\n") + 1 :]
        if found:
            self.moves += found
            self.moved_at = time.perf_counter()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the gateway closed the connection"))


def resident(pid: int) -> int:
    """Return a process's resident memory in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def open_streams(address: str, tables: Sequence[Table], number: int) -> list[Stream]:
    """Open so many streams, spread over the matches and their tokens; all are idle afterwards."""
    loop = asyncio.get_running_loop()
    place = urlsplit(address)
    streams: dict[int, Stream] = {}

    async def one(position: int) -> None:
        table = tables[position % len(tables)]
        token = table.followers[position // len(tables) % len(table.followers)]
        request = (
            f"GET /v1/matches/{table.match_id}/stream?audience=public HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Authorization: Bearer {token}\r\nAccept: text/event-stream\r\nUser-Agent: bench\r\n\r\n"
        ).encode()
        _, stream = await loop.create_connection(lambda: Stream(request), place.hostname, place.port)
        await stream.opened
        streams[position] = stream

    for start in range(0, number, OPENING_AT_ONCE):
        await asyncio.gather(
            *(one(position) for position in range(start, min(start + OPENING_AT_ONCE, number)))
        )
    await asyncio.sleep(SETTLE_SECONDS)
    return [streams[position] for position in range(number)]


async def close_streams(streams: Sequence[Stream]) -> None:
    for stream in streams:
        stream.transport.abort()
    await asyncio.sleep(SETTLE_SECONDS)
