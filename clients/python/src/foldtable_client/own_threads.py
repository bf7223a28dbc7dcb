"""Running what blocks in a thread of its own, while the event loop goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar, cast

Result = TypeVar("Result")


class RaisedError(Exception):
    """What the work has raised, whatever it is: a loop cannot carry SystemExit or StopIteration out of a task."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(repr(error))
        self.error = error


async def in_own_thread(work: Callable[[], Result]) -> Result:
    """Return what some work returns. If this is cancelled, it ends at once; the work does not, and nobody hears of its result.

    The thread keeps no program from ending. Raises RaisedError with what the work raises.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: RaisedError | None) -> None:
        if done.done():  # cancelled
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(cast("Result", result))

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:  # noqa: BLE001 - it is raised where the result is waited for
            error = RaisedError(raised)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=copy_context().run, args=(run,), name="foldtable-work", daemon=True).start()
    return await done
