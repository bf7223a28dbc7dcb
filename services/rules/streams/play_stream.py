"""Many moves over one stream: calls are answered in any order, and answers ready at the same time share a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import structlog

from foldtable.matches.v1 import play_pb2
from services.process.structured_logs import is_debugging
from services.process.tracing import begin_part
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.refusals import to_status

MAX_OPEN_CALLS: Final = 4_096
"""Most calls in progress on one stream. With more it is not read further, so HTTP/2 flow control slows the caller down."""

_log: Final = structlog.get_logger("foldtable.rules")

MATCH_ID_CHARACTERS: Final = 36
"""Most characters logged of a match id that is not validated yet."""

Answer = Callable[[play_pb2.PlayCall], Awaitable[play_pb2.ActResponse]]


class _Replies:
    """Replies that wait to be sent; those waiting at the same moment are sent in one message."""

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(MAX_OPEN_CALLS)
        """Acquired for a call when it is read, released when its reply has been sent."""
        self._waiting: list[play_pb2.PlayReply] = []
        self._some = asyncio.Event()
        self._finished = False

    def add(self, reply: play_pb2.PlayReply) -> None:
        self._waiting.append(reply)
        self._some.set()

    def finish(self) -> None:
        self._finished = True
        self._some.set()

    async def batches(self) -> AsyncIterator[list[play_pb2.PlayReply]]:
        while not self._finished or self._waiting:
            await self._some.wait()
            self._some.clear()
            if self._waiting:
                replies, self._waiting = self._waiting, []
                yield replies
                for _ in replies:
                    self.room.release()


async def play(
    requests: AsyncIterator[play_pb2.PlayRequest], answer: Answer, drain: Drain
) -> AsyncIterator[play_pb2.PlayResponse]:
    """Answer every call of a stream until the caller ends it or the server drains."""
    replies = _Replies()
    reader = asyncio.create_task(_read(requests, answer, drain, replies))
    try:
        async for batch in replies.batches():
            yield play_pb2.PlayResponse(replies=batch)
        await reader
    finally:
        reader.cancel()


async def _read(
    requests: AsyncIterator[play_pb2.PlayRequest], answer: Answer, drain: Drain, replies: _Replies
) -> None:
    calls: set[asyncio.Task[None]] = set()

    async def one(call: play_pb2.PlayCall) -> None:
        replies.add(await _reply(call, answer))

    try:
        async for request in drain.until(requests):
            for call in request.calls:
                await replies.room.acquire()
                task = asyncio.create_task(one(call))
                calls.add(task)
                task.add_done_callback(calls.discard)
        while calls:
            await asyncio.wait(calls)
    finally:
        for task in calls:
            task.cancel()
        replies.finish()


async def _reply(call: play_pb2.PlayCall, answer: Answer) -> play_pb2.PlayReply:
    begin_part(call.traceparent, call.x_request_id)  # to the end of this call's own task
    if is_debugging():
        _log.debug("received", method="Play", match_id=call.act.match_id[:MATCH_ID_CHARACTERS])
    try:
        return play_pb2.PlayReply(call_id=call.call_id, accepted=await answer(call))
    except Exception as error:  # noqa: BLE001 - one call's failure must not end the others; it is sent and logged
        return play_pb2.PlayReply(call_id=call.call_id, refused=to_status(refusal_of(error, "Play")))
