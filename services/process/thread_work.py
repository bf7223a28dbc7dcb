"""Long work in a thread beside the event loop, for callers that hold a lock or a place until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """Do work in a thread of the loop's executor, and return only when it has ended, even if the caller is cancelled.

    A thread cannot be cancelled. If the caller stopped waiting for it, it would free its lock or place while the thread still
    works, and the number of threads would no longer be limited. The result for a cancelled caller is discarded.
    """
    working = asyncio.create_task(asyncio.to_thread(work, *given, **named))
    cancelled: asyncio.CancelledError | None = None
    while not working.done():
        try:
            await asyncio.wait((working,))
        except asyncio.CancelledError as asked:
            cancelled = asked
    if cancelled is not None:
        working.exception()  # retrieve it, so that asyncio does not log that nobody did
        raise cancelled
    try:
        return working.result()
    finally:
        del working  # an error's traceback has this frame, and would keep itself alive by its task
