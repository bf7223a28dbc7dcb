"""Downtimes: times in which no server took moves of a game, so that its clocks stand still.

Every rules server says about once a second, in the database, which rules of which games it serves. If nobody has said so
for longer than TOLERANCE, the first server that does records the time in between, and moves the deadlines by it. The
database's clock measures it. While a server that has these rules runs, time counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import msgspec

BEAT: Final = timedelta(seconds=1)
"""How often a server says that it takes moves."""
TOLERANCE: Final = timedelta(seconds=3)
"""A shorter silence is no downtime: a busy server or database may be late."""

ServedRules: TypeAlias = tuple[str, str]
"""A game, and a version of its rules."""


class Downtime(msgspec.Struct, frozen=True, kw_only=True):
    """A time in which no server took moves of matches under some rules."""

    game: str
    rules_version: str
    since: datetime
    until: datetime


def served_until(start: datetime, length: timedelta, downtimes: Iterable[Downtime]) -> datetime:
    """Return when so much time since `start` has passed in which moves were taken; `downtimes` in order."""
    end = start + length
    for one in downtimes:
        if start < one.until and one.since < end:
            end += one.until - max(one.since, start)
    return end
