"""Replies that wait to be sent over a stream of moves; those waiting at the same moment share a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from foldtable.matches.v1 import play_pb2

MAX_OPEN_CALLS: Final = 4_096
"""Most calls in progress on one stream. With more it is not read further, so HTTP/2 flow control slows the caller down."""


class Replies:
    """The replies of one stream, and the calls that wait for one."""

    def __init__(self) -> None:
        self._message = play_pb2.PlayResponse()
        """The next message. Replies are made in it, because protobuf would copy them into it."""
        self._unanswered = 0
        self._open = 0
        """Calls whose reply has not been sent."""
        self._is_finished = False
        self._changed = asyncio.Event()
        """Set when there is something to send, or nothing more will come."""
        self._fewer = asyncio.Event()
        """Set when a call was answered, or replies were sent."""

    async def expect_one(self) -> None:
        """Count a call that was read; wait while there are too many."""
        while self._open >= MAX_OPEN_CALLS:
            self._fewer.clear()
            await self._fewer.wait()
        self._open += 1
        self._unanswered += 1

    def new(self, call_id: int) -> play_pb2.PlayReply:
        """Return the reply to a call, to be filled in before anything else is awaited."""
        self._unanswered -= 1
        self._fewer.set()
        self._changed.set()
        return self._message.replies.add(call_id=call_id)

    async def all_added(self) -> None:
        """Wait until every call has its reply."""
        while self._unanswered:
            self._fewer.clear()
            await self._fewer.wait()

    def finish(self) -> None:
        """Mark the end: no more replies will come."""
        self._is_finished = True
        self._changed.set()

    async def messages(self) -> AsyncIterator[play_pb2.PlayResponse]:
        """Yield the waiting replies as soon as there are any, until the end."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._message.replies:
                message, self._message = self._message, play_pb2.PlayResponse()
                yield message
                self._open -= len(message.replies)
                self._fewer.set()
            elif self._is_finished:
                return
            if self._is_finished:
                self._changed.set()  # the rest is sent, if there is any
