"""What waits to be sent over one long stream: what is ready at the same moment travels together, within bounds.

A peer that reads slowly is felt here: HTTP/2 holds the sender back, and who would read more from the log, or another
wish of the peer's, waits for room. So what waits is bounded, however many matches one stream follows.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from foldtable.matches.v1 import follow_pb2

MAX_WAITING_BYTES: Final = 1024 * 1024
"""More is not read from the log while so much waits."""
MAX_MESSAGE_BYTES: Final = 256 * 1024
READING_AT_ONCE: Final = 8
"""As many as have a connection to the database; each holds a batch of moves at most."""


class Outbox:
    """Belongs to one stream."""

    def __init__(self) -> None:
        self._waiting: deque[follow_pb2.FollowUpdate] = deque()
        self._bytes = 0
        self._some = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._reading = asyncio.Semaphore(READING_AT_ONCE)
        self._finished = False

    def add(self, update: follow_pb2.FollowUpdate) -> None:
        """Send this; updates of one follow keep their order."""
        self._waiting.append(update)
        self._bytes += update.ByteSize()
        if self._bytes >= MAX_WAITING_BYTES:
            self._room.clear()
        self._some.set()

    @property
    def is_full(self) -> bool:
        """Say whether as much waits as may."""
        return not self._room.is_set()

    async def wait_for_room(self) -> None:
        """Wait for room; for a small update that needs no read of the log."""
        await self._room.wait()

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """Wait for room, and hold it: what is added meanwhile may pass the bound by a follow's batch."""
        async with self._reading:
            await self._room.wait()
            yield

    def finish(self) -> None:
        """Nothing more will be added."""
        self._finished = True
        self._some.set()

    async def messages(self) -> AsyncIterator[follow_pb2.FollowResponse]:
        """Give what waits, as soon as something does, until it is finished."""
        while True:
            await self._some.wait()
            await asyncio.sleep(0)  # whatever else is ready in this turn comes along
            while self._waiting:
                yield follow_pb2.FollowResponse(updates=self._take())
            if self._finished:
                return
            self._some.clear()

    def _take(self) -> list[follow_pb2.FollowUpdate]:
        message: list[follow_pb2.FollowUpdate] = []
        size = 0
        while self._waiting and size < MAX_MESSAGE_BYTES:
            message.append(update := self._waiting.popleft())
            size += update.ByteSize()
        self._bytes -= size
        if self._bytes < MAX_WAITING_BYTES:
            self._room.set()
        return message
