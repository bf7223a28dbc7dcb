"""Running what blocks in a thread of its own, while the event loop goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import TypeVar

Result = TypeVar("Result")


class RaisedError(Exception):
    """What the work has raised, whatever it is: a loop cannot carry SystemExit or StopIteration out of a task."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(repr(error))
        self.error = error


async def in_own_thread(
    work: Callable[[], Result], *, let_go: Callable[[Result], object] = lambda _: None
) -> Result:
    """Return what some work returns. If this is cancelled, it ends at once; the work does not, and nobody hears of its result.

    `let_go`: what is done with a result that nobody has taken, in a thread too, such as to close it.
    The threads keep no program from ending. Raises RaisedError with what the work raises.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result | RaisedError] = loop.create_future()

    def forget(outcome: Result | RaisedError) -> None:
        if not isinstance(outcome, RaisedError):
            _begin(partial(let_go, outcome))

    def settle(outcome: Result | RaisedError) -> None:
        if done.done():  # cancelled
            forget(outcome)
        else:
            done.set_result(outcome)

    def run() -> None:
        outcome = _outcome(work)
        if loop.is_closed():
            forget(outcome)
        else:
            loop.call_soon_threadsafe(settle, outcome)

    _begin(run)
    try:
        outcome = await done
    except asyncio.CancelledError:
        if not done.cancelled():  # it arrived, and then this was cancelled
            forget(done.result())
        raise
    if isinstance(outcome, RaisedError):
        raise outcome
    return outcome


def _outcome(work: Callable[[], Result]) -> Result | RaisedError:
    try:
        return work()
    except BaseException as raised:  # noqa: BLE001 - it is raised where the result is waited for
        return RaisedError(raised)


def _begin(work: Callable[[], object]) -> None:
    threading.Thread(target=copy_context().run, args=(work,), name="foldtable-work", daemon=True).start()
