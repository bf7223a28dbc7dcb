"""Ends tasks that would otherwise go on for ever."""

from __future__ import annotations

import asyncio
from typing import Any, Final

AGAIN_SECONDS: Final = 1.0
"""After so long a task that has not ended is cancelled again."""


async def end(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait until they have ended; their errors are ignored, since the tasks themselves must have logged them.

    They are cancelled again every second. Before Python 3.12, asyncio.wait_for, which database drivers use, loses a
    cancellation that comes together with the result it waits for; the task would go on, and this function never return.
    """
    going_on = {task for task in tasks if task is not None and not task.done()}
    while going_on:
        for task in going_on:
            task.cancel()
        _, going_on = await asyncio.wait(going_on, timeout=AGAIN_SECONDS)
