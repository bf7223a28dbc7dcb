"""The bound on a bot's work for one move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Budget(Protocol):
    """The budget of one move. The caller of a bot makes a new one for every move."""

    def another(self) -> bool:
        """Return whether one more playout may begin, and subtract it."""
        ...


class Playouts:
    """A number of playouts. It gives the same choice on every machine."""

    def __init__(self, number: int) -> None:
        self._left = number

    def another(self) -> bool:
        self._left -= 1
        return self._left >= 0


class Seconds:
    """A number of seconds; only the last playout may exceed it. The caller passes a clock such as `time.monotonic`."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def another(self) -> bool:
        return self._clock() < self._end
