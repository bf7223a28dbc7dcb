"""When to try again: the backoff schedule of Standard Webhooks, with random jitter so that attempts do not come in waves."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NamedTuple

STANDARD: Final = tuple(
    timedelta(seconds=seconds) for seconds in (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
)
"""Pauses after the first attempt and each later one: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. Together a little
over three days."""
JITTER: Final = 0.1
MAX_WISH: Final = timedelta(hours=1)
"""The longest Retry-After that is respected; an endpoint that asks for more is tried again after this."""


class Rest(NamedTuple):
    """How long an endpoint is paused with all of its lanes: as long as it has been failing, within these bounds."""

    least: timedelta
    most: timedelta


AFTER_SILENCE: Final = Rest(timedelta(seconds=5), timedelta(minutes=5))
"""For an endpoint that keeps a request waiting and then fails. Since a pause lasts as long as the endpoint has been failing,
each is about as long as all before it together."""


@dataclass(frozen=True)
class Schedule:
    """How long to wait after each failed attempt."""

    pauses: tuple[timedelta, ...] = STANDARD

    @property
    def tries(self) -> int:
        """Return how many attempts there are, including the first."""
        return len(self.pauses) + 1

    @property
    def longest(self) -> timedelta:
        """Return the longest the pauses can last together, unless the endpoint asks for longer ones."""
        return sum(self.pauses, timedelta()) * (1 + JITTER)

    def pause(self, tries: int, wish: timedelta | None = None) -> timedelta | None:
        """Return how long to wait after this number of attempts; None: that was the last one.

        `wish` is what the endpoint asked for with Retry-After. It can lengthen a pause up to MAX_WISH, and never shorten it.
        """
        if tries > len(self.pauses):
            return None
        pause = self.pauses[tries - 1]
        if wish is not None:
            pause = max(pause, min(wish, MAX_WISH))
        return pause * (1 + JITTER * random.random())  # noqa: S311 - nobody gains anything by guessing it
