"""Connections an attacker holds: bytes out at its own pace, and how each came to its end."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

STILL_OPEN: Final = "still open"
CLOSED: Final = "closed"
_AT_ONCE: Final = 200
"""Connections that are being opened at the same time."""


@dataclass(frozen=True)
class Target:
    """What is attacked, and with what."""

    host: str
    port: int
    grpc_ports: tuple[int, ...]
    key: str
    match_id: str
    size: int
    """Connections per attack."""
    seconds: float
    """How long an attack goes on that ends when it likes."""
    wait_seconds: float
    """Until when the system must have ended what it may not bear."""
    refused_beyond: int
    """Connections the gateway takes."""

    @property
    def authorization(self) -> bytes:
        return b"Authorization: Bearer " + self.key.encode() + b"\r\n"


@dataclass
class Told:
    """What came of an attack."""

    answers: Counter[str] = field(default_factory=Counter)
    """By status, or CLOSED, or STILL_OPEN."""
    worst: float = 0.0
    """Seconds until the last of them had its end."""
    violations: list[str] = field(default_factory=list)

    def add(self, later: Told) -> None:
        """Take in what came of the same attack, done again."""
        self.answers += later.answers
        self.worst = max(self.worst, later.worst)
        self.violations += later.violations

    def expect(self, *allowed: str) -> Told:
        """Note every answer that should not have been."""
        wrong = {answer: count for answer, count in self.answers.items() if answer not in allowed}
        if wrong:
            self.violations.append(f"answered {wrong}")
        return self


Send = Callable[["Line"], Awaitable[None]]


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        """Send; OSError once the other end is gone."""
        self.writer.write(data)
        await self.writer.drain()

    async def trickle(self, data: bytes, pause: float) -> None:
        """Send one byte at a time."""
        for byte in data:
            await self.send(bytes([byte]))
            await asyncio.sleep(pause)

    async def first_status(self) -> str:
        """Return the status of the first answer, or CLOSED."""
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            line = await self.reader.readuntil(b"\r\n")
            return line.split(b" ")[1].decode()
        return CLOSED

    async def until_closed(self) -> bytes:
        """Read to the end."""
        received = b""
        with suppress(OSError):
            while data := await self.reader.read(65_536):
                received += data
        return received

    def hang_up(self) -> None:
        self.writer.transport.abort()


async def connect(host: str, port: int, *, small_buffer: bool = False) -> Line:
    """Open a connection; with a `small_buffer` the client's system takes hardly anything for it."""
    raw = socket.socket()
    raw.setblocking(False)
    if small_buffer:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    await asyncio.get_running_loop().sock_connect(raw, (host, port))
    reader, writer = await asyncio.open_connection(sock=raw)
    return Line(reader, writer)


async def all_at_once(
    target: Target, count: int, send: Send, *, port: int = 0, whole: bool = False, small_buffer: bool = False
) -> Told:
    """Open so many connections, do the same on each, and note how each ends within the target's patience.

    `whole`: an end is the connection's, not the first answer.
    """
    told = Told()
    turnstile = asyncio.Semaphore(_AT_ONCE)

    async def one() -> None:
        async with turnstile:
            line = await connect(target.host, port or target.port, small_buffer=small_buffer)
        begun = time.monotonic()
        sending = asyncio.create_task(_quietly(send(line)))
        try:
            async with asyncio.timeout(target.wait_seconds):
                if whole:
                    received = await line.until_closed()
                    told.answers[received[9:12].decode("latin-1") or CLOSED] += 1
                else:
                    told.answers[await line.first_status()] += 1
        except TimeoutError:
            told.answers[STILL_OPEN] += 1
        finally:
            told.worst = max(told.worst, time.monotonic() - begun)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            line.hang_up()

    await asyncio.gather(*(one() for _ in range(count)))
    return told


async def _quietly(sending: Awaitable[None]) -> None:
    """Whoever is hung up on stops sending."""
    with suppress(OSError):
        await sending
