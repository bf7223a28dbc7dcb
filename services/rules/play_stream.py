"""Many moves over one stream: calls are answered in any order, answers that are ready together travel together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from foldtable.matches.v1 import play_pb2
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.refusals import to_status

MAX_OPEN_CALLS: Final = 4_096
"""Of one stream. A stream with more waits before it is read further, so HTTP/2 flow control reaches the caller."""

Answer = Callable[[play_pb2.PlayCall], Awaitable[play_pb2.ActResponse]]


class _Replies:
    """Replies that wait to be sent; those that wait at the same moment leave in one message."""

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(MAX_OPEN_CALLS)
        """Taken by a call when it is read, given back when its reply has been sent."""
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
    """Answer every call of a stream, until the caller has no more or the server drains."""
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
    try:
        return play_pb2.PlayReply(call_id=call.call_id, accepted=await answer(call))
    except Exception as error:  # noqa: BLE001 - one call's failure must not end the others; it is told and logged
        return play_pb2.PlayReply(call_id=call.call_id, refused=to_status(refusal_of(error, "Play")))
