"""How many days of a calendar month a player may take: the arithmetic, without a clock or a database.

A vacation counts in each month in which a part of it lies, with that part. Months are those of UTC.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

_MORE_THAN_A_MONTH: Final = timedelta(days=32)


class Span(NamedTuple):
    """A time from a moment until before another."""

    since: datetime
    until: datetime


class Shortage(NamedTuple):
    """A month that has less left than a vacation takes of it."""

    month: str
    """Such as `2028-02`."""
    left: timedelta


def month_of(moment: datetime) -> datetime:
    """Return when the month began in which a moment lies."""
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def shortage(wanted: Span, taken: Collection[Span], days: int) -> Shortage | None:
    """Return the first month in which too little is left for `wanted` beside what is `taken`; None if there is none.

    `days`: for how many days of each month there may be vacations.
    """
    allowance = timedelta(days=days)
    for month in _months(wanted):
        left = max(allowance - sum((_common(one, month) for one in taken), timedelta()), timedelta())
        if _common(wanted, month) > left:
            return Shortage(f"{month.since:%Y-%m}", left)
    return None


def _months(span: Span) -> Iterator[Span]:
    """Yield the months in which a part of a time lies."""
    month = month_of(span.since)
    while month < span.until:
        following = month_of(month + _MORE_THAN_A_MONTH)
        yield Span(month, following)
        month = following


def _common(one: Span, other: Span) -> timedelta:
    """Return how long both last."""
    return max(min(one.until, other.until) - max(one.since, other.since), timedelta())
