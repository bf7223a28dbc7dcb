"""Lets long streams end by themselves when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

T = TypeVar("T")


class Drain:
    """Whether the server is stopping. It begins once, when the process is asked to stop."""

    def __init__(self) -> None:
        self._begun = asyncio.Event()

    def begin(self) -> None:
        self._begun.set()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    async def wait(self) -> None:
        await self._begun.wait()

    async def until(self, items: AsyncIterator[T]) -> AsyncIterator[T]:
        """Yield the items until there are no more, or until the drain begins, whichever comes first."""
        begun = asyncio.ensure_future(self._begun.wait())
        iterator = aiter(items)
        following: asyncio.Future[T] | None = None
        try:
            while not begun.done():
                following = asyncio.ensure_future(anext(iterator))
                await asyncio.wait((following, begun), return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    return
                try:
                    item = following.result()
                except StopAsyncIteration:
                    return
                yield item
        finally:
            begun.cancel()
            if following is not None:  # the drain began, or the consumer left: nobody needs this item
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
            if isinstance(iterator, AsyncGenerator):
                await iterator.aclose()
