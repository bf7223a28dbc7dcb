"""How long a bot may think about one move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Budget(Protocol):
    """Thinking time of one move. Whoever asks makes a new one for every move."""

    def another(self) -> bool:
        """May one more playout begin? Spends it."""
        ...


class Playouts:
    """So many playouts: the same choice on every machine."""

    def __init__(self, number: int) -> None:
        self._left = number

    def another(self) -> bool:
        self._left -= 1
        return self._left >= 0


class Seconds:
    """So long, begun playouts included but for the last. The clock comes from outside, such as `time.monotonic`."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def another(self) -> bool:
        return self._clock() < self._end
