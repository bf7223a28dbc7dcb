"""An event loop in a thread of its own, on which blocking clients have done what they wait for.

A thread inside a socket's read, or in the look-up of a host's name, cannot be woken from outside. So the threads that use a
blocking client wait here instead, and what they wait for runs as a task, which ends at once when it is cancelled. All
blocking clients of a process share one loop; it starts with the first call.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from typing import Any, Final, Generic, TypeVar

from foldtable_client.own_loop import OwnLoop
from foldtable_client.problems import Closed

Answer = TypeVar("Answer")
END_SECONDS: Final = 1.0
"""How long something that ends waits for what is still being closed."""


class Background:
    """A running loop. It keeps no program from ending."""

    def __init__(self) -> None:
        self.loop = OwnLoop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="foldtable-client", daemon=True)
        self.thread.start()
        self._kept = set[asyncio.Task[Any]]()

    def begin(self, begin: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Have something done that nobody waits for; nothing in a forked process, which has not this loop, or at the program's end."""
        if _started.background is self and not _started.is_over:
            self.loop.call_soon_threadsafe(self._begin, begin)

    def _begin(self, begin: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        task = self.loop.create_task(begin())
        self._kept.add(task)  # a loop forgets a task that nobody keeps
        task.add_done_callback(self._kept.discard)

    @property
    def is_here(self) -> bool:
        """Whether this is asked in the loop's own thread, which must wait for nothing that the loop does."""
        return threading.current_thread() is self.thread


class Call(Generic[Answer]):
    """A task on the loop, and a thread that waits for it."""

    def __init__(self, work: Coroutine[Any, Any, Answer]) -> None:
        """Raises Closed if the program is ending."""
        if _started.is_over:
            work.close()
            raise Closed("the program is ending")
        self._answer = Future[Answer]()
        self._background = background()
        self._background.loop.call_soon_threadsafe(self._begin, work)

    def _begin(self, work: Coroutine[Any, Any, Answer]) -> None:
        self._task = self._background.loop.create_task(work)
        self._task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[Answer]) -> None:
        if task.cancelled():
            self._answer.cancel()
        elif error := task.exception():
            self._answer.set_exception(error)
        else:
            self._answer.set_result(task.result())

    def cancel(self) -> None:
        """End the task. Whoever waits for it goes on when it has closed what it had opened."""
        self._background.loop.call_soon_threadsafe(self._cancel)  # by then it has begun

    def _cancel(self) -> None:
        self._task.cancel()

    def wait(self) -> Answer:
        """Return what the task returns, or raise what it raises; CancelledError if it was cancelled.

        Raises RuntimeError in the loop's own thread, where code that others wrote may run too: what logs, what is collected
        as garbage. The task does not begin then.
        """
        if self._background.is_here:
            self.cancel()
            raise RuntimeError(
                "a blocking client cannot wait in the thread that does its work: the call would never end"
            )
        try:
            return self._answer.result()
        except BaseException:
            if not self._answer.done():  # Ctrl-C while waiting
                self.cancel()
                self.let_end()
            raise

    def let_end(self) -> None:
        """Wait until the task has ended, for a second at most.

        The collector of garbage may call this anywhere: in the loop's own thread, which must not wait for itself, or in one
        with a lock that the loop waits for.
        """
        if not self._background.is_here:
            wait([self._answer], timeout=END_SECONDS)


class _Started:
    """The loop of this process, as soon as it was needed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.lock = (
            threading.RLock()
        )  # the collector of garbage may need the loop while it is being looked up
        self.background: Background | None = None
        self.is_over = False
        """The program is ending: the loop's thread runs no more, though others may wait for it until they are gone, too."""

    def end(self) -> None:
        self.is_over = True


_started = _Started()
atexit.register(_started.end)
if hasattr(os, "register_at_fork"):  # a forked process has none of its parent's threads
    os.register_at_fork(after_in_child=_started.forget)


def background() -> Background:
    """Return the loop of this process."""
    with _started.lock:
        if _started.background is None:
            _started.background = Background()
        return _started.background
