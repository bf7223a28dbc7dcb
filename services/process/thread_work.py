"""Long work beside the event loop, by callers that hold something for as long as it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """Do work in a thread of the loop's executor, and return when it has ended, not before.

    A thread cannot be cancelled. A caller that is cancelled goes away only when the thread has ended, so that a turn or a
    place it holds bounds the threads too, and not only those who wait for them. What the thread gave or raised is nobody's
    any more then.
    """
    working = asyncio.create_task(asyncio.to_thread(work, *given, **named))
    cancelled: asyncio.CancelledError | None = None
    while not working.done():
        try:
            await asyncio.wait((working,))
        except asyncio.CancelledError as asked:
            cancelled = asked
    if cancelled is not None:
        working.exception()  # retrieved, so that asyncio does not log that nobody did
        raise cancelled
    return working.result()
