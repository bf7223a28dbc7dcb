"""Receivers of webhooks on this machine: they note what they get, and answer as the test wants, badly if need be."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def type(self) -> str:
        return self.event["type"].removeprefix("foldtable.").removesuffix(".v1")

    @property
    def place(self) -> tuple[str, int]:
        """The match, and the version of the event."""
        return self.event["data"]["match_id"], self.event["data"]["version"]


@dataclass(frozen=True)
class ReceiverAnswer:
    """How to answer."""

    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    after: float = 0
    """Seconds."""
    once: asyncio.Event | None = None
    """Not before this has happened."""
    endless: bool = False
    """Whether the body goes on for ever."""
    raw: bytes = b""
    """Instead of HTTP; the connection is closed afterwards."""
    behind: bytes = b""
    """What follows the answer, on a connection that stays open."""
    behind_after: float = 0
    """Seconds between the two."""


OK = ReceiverAnswer()


class Receiver:
    """What arrived, and what is answered."""

    def __init__(self) -> None:
        self.port = 0
        self.scheme = "http"
        self.received: list[Received] = []
        self.connections = 0
        """How many there have been."""
        self.greeting = b""
        """What it sends before it has read anything."""
        self.answer: Callable[[Received], ReceiverAnswer] = lambda _: OK
        self._arrived = asyncio.Condition()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hooks"

    async def until(self, count: int, seconds: float = 30) -> list[Received]:
        """Wait until so many requests have come."""
        async with asyncio.timeout(seconds), self._arrived:
            await self._arrived.wait_for(lambda: len(self.received) >= count)
        return self.received

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.write(self.greeting)
        try:
            while (request := await _read(reader)) is not None:
                self.received.append(request)
                async with self._arrived:
                    self._arrived.notify_all()
                if not await self._respond(self.answer(request), writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _respond(self, answer: ReceiverAnswer, writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(answer.after)
        if answer.once is not None:
            await answer.once.wait()
        if answer.raw:
            writer.write(answer.raw)
            await writer.drain()
            return False
        has_length = not answer.endless and "transfer-encoding" not in answer.headers
        length = {"content-length": str(len(answer.body))} if has_length else {}
        lines = [f"HTTP/1.1 {answer.status} Answered"]
        lines += [f"{name}: {value}" for name, value in {**length, **answer.headers}.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + answer.body)
        await writer.drain()
        if answer.behind:
            await asyncio.sleep(answer.behind_after)
            writer.write(answer.behind)
            await writer.drain()
        while answer.endless:
            writer.write(b"x" * 4096)
            await writer.drain()
            await asyncio.sleep(0.005)
        return True


async def _read(reader: asyncio.StreamReader) -> Received | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode().rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(first.split()[1], headers, body)


@asynccontextmanager
async def receiving(
    tls: ssl.SSLContext | None = None, *, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[Receiver]:
    """A receiver, on a free port if none is named."""
    receiver = Receiver()
    if tls is not None:
        receiver.scheme = "https"
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(receiver.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, host, port, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
