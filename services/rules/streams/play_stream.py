"""Many moves over one stream: calls are answered in any order, and answers ready at the same time share a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextvars import copy_context
from typing import Any, Final, Protocol

import structlog

from foldtable.matches.v1 import play_pb2
from services.process.structured_logs import is_debugging
from services.process.tracing import begin_part
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.refusals import to_status
from services.rules.streams.play_replies import Replies

BEGUN_AT_ONCE: Final = 8
"""After so many moves other work gets its turn: the commit of the first ones begins while the next are judged.

Each has a task. Driving it by hand up to its commit saved nothing that could be measured once code that asks for its own task,
as time limits do, did not find that of the stream there (tests/bench/README.md).
"""

METHOD: Final = "Play"
_log: Final = structlog.get_logger("foldtable.rules")

MATCH_ID_CHARACTERS: Final = 36
"""Most characters logged of a match id that is not validated yet."""


class Moves(Protocol):
    """Makes the moves of a stream; services.rules.api.plays.StreamedMoves does."""

    def act(self, call: play_pb2.PlayCall) -> Awaitable[play_pb2.ActResponse]:
        """Make any move, or only judge it. Raises Refused with the reason."""
        ...


async def play(
    requests: AsyncIterator[play_pb2.PlayRequest], moves: Moves, drain: Drain
) -> AsyncIterator[play_pb2.PlayResponse]:
    """Answer every call of a stream until the caller ends it or the server drains."""
    stream = _Stream(moves)
    reader = asyncio.create_task(stream.read(requests, drain))
    try:
        async for response in stream.replies.messages():
            yield response
        await reader
    finally:
        reader.cancel()


class _Stream:
    """The calls of one stream."""

    def __init__(self, moves: Moves) -> None:
        self.replies = Replies()
        self._moves = moves
        self._tasks: set[asyncio.Task[Any] | None] = set()
        """The calls that are being answered, each by a task of its own."""
        self._context = copy_context()
        """What belongs to the stream, such as its trace; each call's own is set in a copy."""

    async def read(self, requests: AsyncIterator[play_pb2.PlayRequest], drain: Drain) -> None:
        """Begin every call; return when all have been answered."""
        try:
            async for request in drain.until(requests):
                await self._begin_all(request)
            await self.replies.all_added()
        finally:
            for task in self._tasks:
                if task is not None:
                    task.cancel()
            self.replies.finish()

    async def _begin_all(self, request: play_pb2.PlayRequest) -> None:
        for number, call in enumerate(request.calls, start=1):
            await self.replies.expect_one()
            self._start(call)
            if number % BEGUN_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _start(self, call: play_pb2.PlayCall) -> None:
        task = asyncio.get_running_loop().create_task(self._one(call), context=self._context.copy())
        self._tasks.add(task)

    async def _one(self, call: play_pb2.PlayCall) -> None:
        begin_part(call.traceparent, call.x_request_id)  # to the end of this call's own task
        if is_debugging():
            _log.debug("received", method=METHOD, match_id=call.act.match_id[:MATCH_ID_CHARACTERS])
        try:
            accepted = await self._moves.act(call)
        except Exception as error:  # noqa: BLE001 - one call's failure must not end the others; it is sent and logged
            self.replies.new(call.call_id).refused.CopyFrom(to_status(refusal_of(error, METHOD)))
        else:
            self.replies.new(call.call_id).accepted.CopyFrom(accepted)
        finally:
            self._tasks.discard(asyncio.current_task())  # cheaper for every move than a callback
