"""A lock that is taken at once where it is free, and otherwise handed on in the order of asking."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType


class MatchLock:
    """Like asyncio.Lock, but it can also be taken without a task that waits. Belongs to one event loop.

    It passes from its holder to the next that waits without being free in between, so nobody overtakes those who wait.
    """

    __slots__ = ("_is_held", "_waiting")

    def __init__(self) -> None:
        self._is_held = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take the lock if it is free; return whether it was."""
        if self._is_held:
            return False
        self._is_held = True
        return True

    def release(self) -> None:
        """Hand the lock to the next that waits."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():  # otherwise its task was cancelled
                waiting.set_result(None)
                return
        self._is_held = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():  # it was handed the lock before it was cancelled
                self.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
