"""Gives memory back to the system after work that needed much of it.

glibc keeps what was freed, for the next allocation, and what one thread freed is no use to another. A server that once had much
to do would keep its memory, next to the limit of its container.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from typing import Final

PAUSE_SECONDS: Final = 1.0
"""Giving back takes some milliseconds, so it is done at most so often."""


def _malloc_trim() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`; None for any other C library."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


_TRIM: Final = _malloc_trim()


class FreedMemory:
    """What this process holds without needing it. Belongs to one event loop."""

    def __init__(self) -> None:
        self._giving_back: asyncio.TimerHandle | None = None

    def give_back_soon(self) -> None:
        """Give it back in a moment, once for all work until then."""
        if _TRIM is not None and self._giving_back is None:
            loop = asyncio.get_running_loop()
            self._giving_back = loop.call_later(PAUSE_SECONDS, self._give_back, loop, _TRIM)

    def _give_back(self, loop: asyncio.AbstractEventLoop, trim: Callable[[int], int]) -> None:
        self._giving_back = None
        loop.run_in_executor(None, trim, 0)  # ctypes releases the interpreter's lock meanwhile
