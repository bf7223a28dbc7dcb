"""Changes of clocks that are no moves: added time, and vacations that players have announced.

The log says who gets time and whose clock stands. How much time is left is measured by the log's database, as for moves.

§time Added time and vacations. The tenant may add time to the clocks of seats; a seat may give time to others, never to
itself. While a player is on an announced vacation, the clock of the seat stands, in matches that allow vacations. The player may
move all the same. Afterwards an open decision has the time that was left.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import Seat
from engine.match.commands import (
    AddTime,
    BeginVacation,
    EndVacation,
    MatchEvent,
    TimeAdded,
    VacationBegan,
    VacationEnded,
)
from engine.match.timeline import Timeline

RULE: Final = "time"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""
MAX_SECONDS: Final = 2_592_000
"""Most time that one request adds: 30 days."""


class NoTime(StrEnum):
    """Why time may not be added. Stable."""

    NO_CLOCK = "NO_CLOCK"
    """The match has no clock."""
    OWN_CLOCK = "OWN_CLOCK"
    """A seat asked for time of its own."""
    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    SEAT_LEFT = "SEAT_LEFT"
    """A seat that was to get time has left for good."""
    TOO_OFTEN = "TOO_OFTEN"
    """Too many rows of the match are no moves; only moves are possible now. The service sets the limit."""


def added(timeline: Timeline, seats: int, seat: Seat | None, request: AddTime) -> tuple[MatchEvent, ...]:
    """Return the events of added time; `seat` gives it, None is the tenant. Raises RuleViolation, Unreadable."""
    if not 1 <= request.seconds <= MAX_SECONDS:
        raise Unreadable(f"must be from 1 to {MAX_SECONDS}", pointer="$.seconds")
    known = sorted(set(request.seats))
    if not known or tuple(known) != request.seats or not 0 <= known[0] <= known[-1] < seats:
        raise Unreadable("must name seats of the match, in order and once each", pointer="$.seats")
    left = timeline.left()
    if seat is not None and seat in left:
        raise not_allowed(NoTime.YOU_LEFT)
    if seat in known:
        raise not_allowed(NoTime.OWN_CLOCK)
    if left.intersection(known):
        raise not_allowed(NoTime.SEAT_LEFT)
    return (TimeAdded(by=seat, seats=request.seats, seconds=request.seconds),)


def vacation(timeline: Timeline, seat: Seat, request: BeginVacation | EndVacation) -> tuple[MatchEvent, ...]:
    """Return the events of a vacation that begins or ends. Raises Unreadable if it had begun, or had not."""
    begins = isinstance(request, BeginVacation)
    if (seat in timeline.resting) is begins or (begins and seat in timeline.left()):
        raise Unreadable("the seat's player is on vacation already, or is not, or has left")
    return (VacationBegan(seat=seat),) if begins else (VacationEnded(seat=seat),)


def not_allowed(reason: NoTime) -> RuleViolation:
    """Return the refusal of added time."""
    return RuleViolation(TableCode.TIME_NOT_ADDED, rule=RULE, reason=reason.value)
