"""Lets long streams end by themselves when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, TypeVar

T = TypeVar("T")


class Drain:
    """Whether the server is stopping. It begins once, when the process is asked to stop."""

    def __init__(self) -> None:
        self._begun = asyncio.Event()
        self._awaited: set[asyncio.Future[Any]] = set()
        """The items that `until` waits for."""

    def begin(self) -> None:
        self._begun.set()
        for item in self._awaited:
            item.cancel()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    async def wait(self) -> None:
        await self._begun.wait()

    async def until(self, items: AsyncIterator[T]) -> AsyncIterator[T]:
        """Yield the items until there are no more, or until the drain begins, whichever comes first."""
        iterator, cancelled_before = aiter(items), _cancellations()
        try:
            while not self._begun.is_set():
                following: asyncio.Future[T] = asyncio.ensure_future(anext(iterator))
                self._awaited.add(following)  # takes half the time of waiting for one of two
                try:
                    item = await following
                except StopAsyncIteration:
                    return
                except asyncio.CancelledError:
                    if self._begun.is_set() and _cancellations() == cancelled_before:
                        return  # the drain has cancelled the item, and nobody the consumer
                    raise
                finally:
                    self._awaited.discard(following)
                yield item
        finally:
            if isinstance(iterator, AsyncGenerator):
                await iterator.aclose()


def _cancellations() -> int:
    """Return how often the current task was asked to end."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()
