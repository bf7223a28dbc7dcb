"""Checks the clocks of a match as far as they follow from its rows.

A seat's remaining time is measured by the database's clock at each statement, which no row stores. Rows store the
server's time a moment before, so times are compared within bounds. How often a seat was timed out, whether its clock runs
and whether its time was spent follow exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from msgspec.structs import replace

from services.audit.findings import Finding, of_seat
from services.audit.replayed import Replayed
from services.movelog.clocks import ClockKind, SeatClock
from services.movelog.records import Match, Status

WITHIN: Final = timedelta(seconds=60)
"""Tolerance for different clocks of a server and the database, and for slow statements."""
_GIVEN_BEFORE: Final = frozenset({"spent", "deadline_at", "left_us"})
_UNLESS: Final = ", unless a release moved it in which undo and redo gave time otherwise"
_of: Final = partial(of_seat, "clocks")


def altered_clocks(match: Match, rows: Sequence[SeatClock], result: Replayed) -> Iterator[Finding]:
    """Yield the values of clocks that do not follow from the rows."""
    stored = {row.seat: row for row in rows}
    expected = result.clocks if match.clock is not None and match.status is Status.RUNNING else {}
    for seat in sorted(expected.keys() - stored.keys()):
        yield _of(match.id, seat, "seat", "has no clock")
    for seat in sorted(stored.keys() - expected.keys()):
        yield _of(match.id, seat, "seat", "there is no such clock in this match")
    for seat in sorted(stored.keys() & expected.keys()):
        should, found = expected[seat], stored[seat]
        doubtful = _as_before(match, should, found, result.wound_back[seat])
        for finding in _compared(match, should, found, result):
            is_doubtful = doubtful and finding.column in _GIVEN_BEFORE
            yield replace(finding, what=finding.what + _UNLESS, certain=False) if is_doubtful else finding


def _as_before(match: Match, should: SeatClock, found: SeatClock, wound_back: int) -> bool:
    """Return whether a clock that undos have changed may have this value because another release changed it."""
    clock = match.clock
    if clock is None or not wound_back or (found.deadline is None) != (should.deadline is None):
        return False
    given = wound_back * clock.increment if clock.kind is ClockKind.BUDGET else clock.time
    apart = abs(found.left - should.left)
    if found.deadline and should.deadline:
        apart = max(apart, abs(found.deadline - should.deadline))
    return found.left >= timedelta(0) and apart <= given + WITHIN


def _compared(match: Match, should: SeatClock, found: SeatClock, result: Replayed) -> Iterator[Finding]:
    if found.time_outs != should.time_outs:
        what = "is not how often the seat was timed out in a row"
        yield _of(match.id, should.seat, "time_outs", what, should.time_outs, found.time_outs)
    if found.resting != should.resting:
        what = "is not whether the seat's player is on vacation"
        yield _of(match.id, should.seat, "resting", what, should.resting, found.resting)
    if found.spent != should.spent:
        yield _of(match.id, should.seat, "spent", "is not what the moves lead to", should.spent, found.spent)
    if (found.deadline is None) != (should.deadline is None):
        what = (
            "runs, though nobody waits for the seat"
            if found.deadline
            else "stands, though the seat has to act"
        )
        yield _of(match.id, should.seat, "deadline_at", what)
    elif found.deadline and should.deadline and not _is_within(found.deadline, should, result):
        yield _of(
            match.id,
            should.seat,
            "deadline_at",
            "is not when the decision's time is up",
            should.deadline,
            found.deadline,
        )
    clock = match.clock
    exact = clock is not None and clock.kind is ClockKind.PER_MOVE and should.left == clock.time
    exact = exact and should.seat not in result.stood
    apart = found.left - should.left
    if should.seat not in result.hurried:
        apart = abs(apart)
    if apart > (timedelta(0) if exact and should.deadline else WITHIN) or found.left < timedelta(0):
        yield _of(match.id, should.seat, "left_us", "is not what is left", should.left, found.left)


def _is_within(deadline: datetime, should: SeatClock, result: Replayed) -> bool:
    assert should.deadline is not None  # the caller has looked
    earliest = result.earliest.get(should.seat, should.deadline)
    return earliest - WITHIN <= deadline <= should.deadline + WITHIN
