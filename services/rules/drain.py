"""Going away politely: long streams end by themselves when the server is told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TypeVar

T = TypeVar("T")


class Drain:
    """Begun once, when the process is told to stop."""

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
        """Give the items until there are no more, or until the drain begins, whichever is first."""
        begun = asyncio.ensure_future(self._begun.wait())
        try:
            async with aclosing(items) as closing:  # type: ignore[type-var]  # async generators close
                while not begun.done():
                    following = asyncio.ensure_future(anext(closing))
                    await asyncio.wait((following, begun), return_when=asyncio.FIRST_COMPLETED)
                    if not following.done():
                        following.cancel()
                        await asyncio.wait((following,))
                        return
                    try:
                        item = following.result()
                    except StopAsyncIteration:
                        return
                    yield item
        finally:
            begun.cancel()
