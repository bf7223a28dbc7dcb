"""How much processor time compression may take: a token bucket of seconds.

It is refilled with time, at the share of one core that is allowed, and holds at most a few seconds. Each compression is
charged what it took. With an empty bucket nothing is compressed, so a gateway at its limit sends more bytes, not fewer responses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MAX_SAVED_SECONDS: Final = 2.0
"""Most processor time that can be saved up for a burst."""
SECONDS_PER_BYTE: Final = 1 / 50e6
"""About what compression takes; charged before it begins, so that several at once cannot all find the bucket full."""


class Allowance:
    """The processor time that is left."""

    def __init__(self, share: float, now: Callable[[], float] = time.monotonic) -> None:
        """`share`: the part of one core that compression may take on average; 0: nothing is compressed."""
        self.is_on = share > 0
        self._share = share
        self._now = now
        self._left = MAX_SAVED_SECONDS if share else 0.0
        self._as_of = now()

    def is_left(self) -> bool:
        """Return whether there is time for another compression."""
        now = self._now()
        self._left = min(MAX_SAVED_SECONDS, self._left + (now - self._as_of) * self._share)
        self._as_of = now
        return self._left > 0

    def reserve(self, length: int) -> float:
        """Charge an estimate for a number of bytes; return it, for `settle`."""
        estimate = length * SECONDS_PER_BYTE
        self._left -= estimate
        return estimate

    def settle(self, estimate: float, seconds: float) -> None:
        """Replace an estimate by what it really took. The bucket may owe something afterwards."""
        self._left += estimate - seconds
