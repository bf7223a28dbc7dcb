"""Work that must end soon: if it does not, the test fails with what every task waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO


@asynccontextmanager
async def in_time(what: str, seconds: float = 60) -> AsyncIterator[None]:
    """Raise AssertionError with the stack of every task if the block takes longer."""
    others = ""

    def look() -> None:
        nonlocal others
        text = StringIO()
        for task in asyncio.all_tasks():
            task.print_stack(file=text)
        others = text.getvalue()

    timer = asyncio.get_running_loop().call_later(seconds - 0.1, look)
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise AssertionError(f"{what} takes longer than {seconds} s:\n{others}") from None
    finally:
        timer.cancel()
