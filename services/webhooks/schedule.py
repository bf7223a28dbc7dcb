"""When to try again: the schedule of Standard Webhooks, stretched a little by chance so that tries do not come in waves."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NamedTuple

STANDARD: Final = tuple(
    timedelta(seconds=seconds) for seconds in (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
)
"""After the first try: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. Together a little over three days."""
JITTER: Final = 0.1
LONGEST_WISH: Final = timedelta(hours=1)
"""Of a Retry-After: who asks for more is asked again earlier."""


class Rest(NamedTuple):
    """How long an endpoint is left alone with all of its lanes: as long as it has been failing, within these bounds."""

    least: timedelta
    most: timedelta


AFTER_SILENCE: Final = Rest(timedelta(seconds=5), timedelta(minutes=5))
"""For an endpoint that keeps requests waiting and fails: each gap is about twice the one before."""


@dataclass(frozen=True)
class Schedule:
    """How long to wait after each try that failed."""

    pauses: tuple[timedelta, ...] = STANDARD

    @property
    def tries(self) -> int:
        """Return how many there are, with the first."""
        return len(self.pauses) + 1

    @property
    def longest(self) -> timedelta:
        """Return how long the last try comes after the first at most, where no endpoint wishes for more."""
        return sum(self.pauses, timedelta()) * (1 + JITTER)

    def pause(self, tries: int, wish: timedelta | None = None) -> timedelta | None:
        """Return how long to wait after so many tries; None: that was the last one.

        `wish` is what the endpoint asked for (Retry-After). It lengthens a pause, within bounds, and never shortens it.
        """
        if tries > len(self.pauses):
            return None
        pause = self.pauses[tries - 1]
        if wish is not None:
            pause = max(pause, min(wish, LONGEST_WISH))
        return pause * (1 + JITTER * random.random())  # noqa: S311 - nobody gains anything by guessing it
