"""Whether the process takes new work, and a bell for the streams when it stops doing so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Literal, TypeVar

import anyio

T = TypeVar("T")


class Drain:
    """Goes from starting to ok to draining, never back."""

    def __init__(self) -> None:
        self._started = False
        self._begun = asyncio.Event()

    def start(self) -> None:
        """The process is ready."""
        self._started = True

    def begin(self) -> None:
        """The process will stop: readiness is off, streams say good-bye."""
        self._begun.set()

    @property
    def begun(self) -> bool:
        """True once the process will stop."""
        return self._begun.is_set()

    @property
    def status(self) -> Literal["ok", "starting", "draining"]:
        """What the probes are told."""
        if self.begun:
            return "draining"
        return "ok" if self._started else "starting"

    async def until(self, items: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
        """Give the items until there are no more or the drain begins; then the items are closed in any case."""
        begun = asyncio.ensure_future(self._begun.wait())
        following: asyncio.Task[T] | None = None
        try:
            while not begun.done():
                following = asyncio.ensure_future(anext(items))
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
            with anyio.CancelScope(shield=True):  # a client that went away must not keep the upstream open
                if following is not None and not following.done():
                    following.cancel()
                    await asyncio.wait((following,))
                await items.aclose()
