"""A TCP proxy that can be told to misbehave: it stands on every connection between two parts of a harmed system."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], Awaitable[Connection]]
"""Opens a connection to whoever stands behind the proxy."""
CHUNK: Final = 65_536


class Proxy:
    """Listens on a port of its own for as long as it lives, whoever stands behind it at the time."""

    def __init__(self, dial: Dial | None = None) -> None:
        """`dial` may be set later; until then nobody is let through."""
        self.dial = dial
        self.port = 0
        self.delay = 0.0
        """Seconds that everything takes longer, in each direction."""
        self.loses_answers = False
        """What is asked goes through; when the answer comes, the connection is cut."""
        self.refuses = False
        """Nobody is let through any more."""
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    def lead_to(self, address: str) -> None:
        """Lead new connections to a host and port."""
        host, _, port = address.removeprefix("http://").rpartition(":")
        self.dial = lambda: asyncio.open_connection(host, int(port))

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Let go of everything."""
        if self._server is not None:
            self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Reset every connection there is."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    def swallow(self) -> None:
        """Be a black hole: connections stay, new ones are taken, and nothing comes out at the other end."""
        self._open.clear()

    def heal(self) -> None:
        """Behave again; what was held back goes through."""
        self.delay = 0.0
        self.loses_answers = False
        self.refuses = False
        self._open.set()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            behind = await self._reach()
            if behind is not None:
                self._writers.add(behind[1])
                await self._join((reader, writer), behind)
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _reach(self) -> Connection | None:
        """Open a connection to whoever stands behind; None if nobody is there, or nobody is let through."""
        await self._open.wait()
        if self.dial is None or self.refuses:
            return None
        with suppress(OSError):
            return await self.dial()
        return None

    async def _join(self, front: Connection, behind: Connection) -> None:
        """Carry bytes both ways until either side has no more to say."""
        ways = (
            asyncio.create_task(self._pump(front[0], behind[1], answers=False)),
            asyncio.create_task(self._pump(behind[0], front[1], answers=True)),
        )
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            self._writers.discard(behind[1])
            behind[1].transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with suppress(ConnectionError):  # an end is an end, however it comes
            while chunk := await reader.read(CHUNK):
                await self._open.wait()
                if answers and self.loses_answers:
                    return
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(chunk)
                await writer.drain()
