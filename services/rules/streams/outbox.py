"""Updates that wait to be sent over one stream: those ready at the same moment are sent together, within bounds.

This carries the backpressure of a peer that reads slowly: HTTP/2 holds the sender back, and tasks that would read more
from the log, or another command of the peer, wait for room. So memory is bounded however many subscriptions a stream has.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from foldtable.matches.v1 import follow_pb2

MAX_WAITING_BYTES: Final = 1024 * 1024
"""While so many bytes wait, nothing more is read from the log."""
MAX_MESSAGE_BYTES: Final = 256 * 1024
READING_AT_ONCE: Final = 8
"""As many reads of the log as database connections; each holds at most one batch of moves."""


class Outbox:
    """The outbox of one stream."""

    def __init__(self) -> None:
        self._waiting: deque[follow_pb2.FollowUpdate] = deque()
        self._bytes = 0
        self._some = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._reading = asyncio.Semaphore(READING_AT_ONCE)
        self._finished = False

    def add(self, update: follow_pb2.FollowUpdate) -> None:
        """Queue an update; updates of one subscription keep their order."""
        self._waiting.append(update)
        self._bytes += update.ByteSize()
        if self._bytes >= MAX_WAITING_BYTES:
            self._room.clear()
        self._some.set()

    @property
    def is_full(self) -> bool:
        """Return whether the bound is reached."""
        return not self._room.is_set()

    async def wait_for_room(self) -> None:
        """Wait for room for a small update that needs no read of the log."""
        await self._room.wait()

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """Wait for room and hold a place; updates added meanwhile may exceed the bound by one subscription's batch."""
        async with self._reading:
            await self._room.wait()
            yield

    def finish(self) -> None:
        """Mark the end: nothing more will be added."""
        self._finished = True
        self._some.set()

    async def messages(self) -> AsyncIterator[follow_pb2.FollowResponse]:
        """Yield the waiting updates as soon as there are any, until the outbox is finished."""
        while True:
            await self._some.wait()
            await asyncio.sleep(0)  # lets updates that are ready in the same turn join the message
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
