"""Many moves over one stream: calls are answered in any order, and answers ready at the same time share a message.

Most moves wait for nothing but their commit. They are begun here one after another and answered by the commit itself, without
a task each; every other call gets a task.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import copy_context
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

import structlog
from google.rpc import status_pb2

from foldtable.matches.v1 import play_pb2
from services.process.structured_logs import is_debugging
from services.process.tracing import begin_part
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.refusals import to_status
from services.rules.streams.play_replies import Replies

BEGUN_AT_ONCE: Final = 8
"""After so many moves other work gets its turn: the commit of the first ones begins while the next are judged."""

METHOD: Final = "Play"
_log: Final = structlog.get_logger("foldtable.rules")

MATCH_ID_CHARACTERS: Final = 36
"""Most characters logged of a match id that is not validated yet."""

Fill: TypeAlias = Callable[[play_pb2.ActResponse], None]
"""Fills in the answer to a move that was made."""
Result: TypeAlias = Fill | Exception | None
"""What became of a move that was begun: made, failed, or None: nothing was written, and it has to be made by `act`."""


class Moves(Protocol):
    """Makes the moves of a stream; services.rules.api.plays.StreamedMoves does."""

    async def act(self, call: play_pb2.PlayCall) -> play_pb2.ActResponse:
        """Make any move, or only judge it. Raise Refused with the reason."""
        ...

    def begin(self, call: play_pb2.PlayCall, finished: Callable[[Result], None]) -> bool:
        """Begin a move that waits for nothing but its commit, after which `finished` is called; return False for any other."""
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
        self._tasks: set[asyncio.Task[None]] = set()
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
                task.cancel()
            self.replies.finish()

    async def _begin_all(self, request: play_pb2.PlayRequest) -> None:
        for number, call in enumerate(request.calls, start=1):
            await self.replies.expect_one()
            if not self._moves.begin(call, partial(self._finish, call)):
                self._start(call)
            elif is_debugging():
                self._say(call, "received", method=METHOD, match_id=call.act.match_id)
            if number % BEGUN_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _finish(self, call: play_pb2.PlayCall, result: Result) -> None:
        """Answer a call that was begun, or start it anew."""
        if result is None:
            self._start(call)
            return
        reply = self.replies.new(call.call_id)
        if isinstance(result, Exception):
            self._refuse(call, result, reply)
            return
        try:
            result(reply.accepted)
        except Exception as error:  # noqa: BLE001 - as in `_one`
            self._refuse(call, error, reply)
            return
        if is_debugging():
            self._say(call, "appended", match_id=call.act.match_id, version=reply.accepted.version)

    def _refuse(self, call: play_pb2.PlayCall, error: Exception, reply: play_pb2.PlayReply) -> None:
        """Refuse a call that has no task."""
        reply.refused.CopyFrom(self._context.copy().run(_refused, call, error))

    def _say(self, call: play_pb2.PlayCall, event: str, **facts: Any) -> None:
        """Log a line about a call that has no task, with the call's own ids."""
        self._context.copy().run(_logged, call, event, facts)

    def _start(self, call: play_pb2.PlayCall) -> None:
        task = asyncio.get_running_loop().create_task(self._one(call), context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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


def _logged(call: play_pb2.PlayCall, event: str, facts: dict[str, Any]) -> None:
    begin_part(call.traceparent, call.x_request_id)
    _log.debug(event, **facts)


def _refused(call: play_pb2.PlayCall, error: Exception) -> status_pb2.Status:
    begin_part(call.traceparent, call.x_request_id)
    return to_status(refusal_of(error, METHOD))
