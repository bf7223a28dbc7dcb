"""Ending calls of a blocking client from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop(threading.Event):
    """An event that ends the calls made under it: `client.until(stop).play(…)` raises Stopped soon after `stop.set()`.

    Any thread may set it, a signal handler too, and several clients may share it. While it is set, further calls under it raise Stopped, too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._guard = threading.RLock()  # a signal handler may set this while its thread is in any line below
        self._is_setting = False
        self._ends = set[Callable[[], None]]()

    def set(self) -> None:
        """End the calls of the clients that heed this, now and until `clear`."""
        with self._guard:
            if self._is_setting or self.is_set():
                return
            self._is_setting = True
            try:
                super().set()  # not once more in the same thread: it has a lock of its own
                ends = list(self._ends)
            finally:
                self._is_setting = False
        for end in ends:
            end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` when this is set, while the block lasts; at once if it is set already."""
        with self._guard:
            self._ends.add(end)
        try:
            if self.is_set():
                end()
            yield
        finally:
            with self._guard:
                self._ends.discard(end)
