"""Group commit: items that wait at the same time are written together; a single item is written at once.

The first item starts a batch; those that arrive while it is being written form the next one. Nothing is
delayed to make a batch larger. A few batches may be written concurrently (`lanes`). Items with the same key
(the same match) are written in the order they came, never two in one batch, and never in two batches at once.

Every item is answered, and its key is free then, whatever happens to the others: whoever waits goes on in a later turn of the
loop, where an error is nobody else's.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import Context
from typing import Generic, TypeAlias, TypeVar

from services.movelog.failures import LogUnavailable

Item = TypeVar("Item")
Write: TypeAlias = Callable[[Sequence[Item]], Awaitable[Sequence[Exception | None]]]
"""Writes a batch and returns for each item, in order, None or the error that prevented it."""


class _Waiting(Generic[Item]):
    """One item that waits or is being written."""

    __slots__ = ("answer", "item", "key")

    def __init__(self, key: Hashable, item: Item, answer: asyncio.Future[None]) -> None:
        self.key = key
        self.item = item
        self.answer = answer
        """Cancelled with its caller: the item is withdrawn if its batch has not begun."""


class GroupCommit(Generic[Item]):
    """Gathers items into batches. Belongs to one event loop."""

    def __init__(self, write: Write[Item], *, lanes: int, largest: int) -> None:
        """`lanes`: most concurrent batches; `largest`: most items in a batch."""
        self._write = write
        self._free_lanes = lanes
        self._largest = largest
        self._ready: deque[_Waiting[Item]] = deque()
        self._behind: dict[Hashable, deque[_Waiting[Item]] | None] = {}
        """A key is here while an item of it is ready or being written; later items of it queue behind."""
        self._under_way: set[asyncio.Task[None]] = set()
        self._is_starting = False
        """A lane was started and has not taken its batch yet."""
        self._is_closed = False

    def put(self, key: Hashable, item: Item) -> asyncio.Future[None]:
        """Return what is done once an item is written, with the error that `write` returned for it, if any.

        If the caller is cancelled before its batch has begun, the item is withdrawn; otherwise the batch goes on. Raise
        LogUnavailable if the log is closed.
        """
        if self._is_closed:
            raise LogUnavailable("the log is closed")
        waiting = _Waiting(key, item, asyncio.get_running_loop().create_future())
        if key not in self._behind:
            self._behind[key] = None
            self._ready.append(waiting)
        else:
            queue = self._behind[key]
            if queue is None:
                queue = self._behind[key] = deque()
            queue.append(waiting)
        self._call()
        return waiting.answer

    async def close(self) -> None:
        """Accept no more items, and return when all accepted ones have been answered."""
        self._is_closed = True
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _call(self) -> None:
        """Start a lane. It takes its batch in the next turn of the loop, so that all items of one turn are written together."""
        if self._free_lanes and not self._is_starting:
            self._is_starting = True
            self._free_lanes -= 1
            # The batch does not belong to its first caller alone: its log lines belong to no request's trace.
            task = asyncio.get_running_loop().create_task(self._serve(), context=Context())
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _serve(self) -> None:
        """Write batches until there is nothing to write."""
        try:
            while True:
                batch = self._next_batch()
                self._is_starting = False
                if not batch:
                    return
                await self._commit(batch)
        finally:
            self._free_lanes += 1

    def _next_batch(self) -> list[_Waiting[Item]]:
        batch: list[_Waiting[Item]] = []
        while self._ready and len(batch) < self._largest:
            waiting = self._ready.popleft()
            if waiting.answer.cancelled():
                self._leave(waiting.key)
            else:
                batch.append(waiting)
        if self._ready:
            self._is_starting = False
            self._call()
        return batch

    async def _commit(self, batch: list[_Waiting[Item]]) -> None:
        outcomes: Sequence[Exception | None]
        try:
            outcomes = await self._write([waiting.item for waiting in batch])
        except asyncio.CancelledError:
            outcomes = [LogUnavailable("the log was stopped in the middle of a write") for _ in batch]
            raise
        except Exception as problem:  # noqa: BLE001 - each waiting caller must get the error, whatever it is
            outcomes = [problem] * len(batch)
        finally:
            if len(outcomes) != len(batch):  # a bug of ours
                unknown = LogUnavailable(
                    f"{len(outcomes)} outcomes of {len(batch)} writes: any may have happened"
                )
                outcomes = [unknown] * len(batch)
            for waiting, outcome in zip(batch, outcomes, strict=True):
                self._answer(waiting, outcome)

    def _answer(self, waiting: _Waiting[Item], outcome: Exception | None) -> None:
        self._leave(waiting.key)
        if waiting.answer.done():
            return  # its caller was cancelled
        if outcome is None:
            waiting.answer.set_result(None)
        else:
            waiting.answer.set_exception(outcome)

    def _leave(self, key: Hashable) -> None:
        """Mark an item of this key as done; the next one becomes ready."""
        queue = self._behind[key]
        if queue:
            self._ready.append(queue.popleft())
        else:
            del self._behind[key]
