"""Clocks: how much time a match gives, what each seat has left, and how a move moves the clocks.

Time is the log's own (the database's), never that of whoever decides moves. A clock begins with a decision and stops with
its answer. What is said here in Python, `ticked`, clock_queries.py says in SQL; the contract tests hold them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec

LONGEST_TIME: Final = timedelta(days=30)
LONGEST_INCREMENT: Final = timedelta(days=1)
MOST_AWAY_AFTER: Final = 10
AWAY_AFTER: Final = 2
_MICROSECOND: Final = timedelta(microseconds=1)
_NONE: Final = timedelta(0)


class ClockKind(StrEnum):
    PER_MOVE = "per_move"
    """Every decision has the same time."""
    BUDGET = "budget"
    """A seat has one time for all its decisions, and gains an increment with each that begins."""


class AbsentRule(StrEnum):
    """What happens to a seat whose time is up."""

    POLICY = "policy"
    """The house does what the game's policy says, for this decision."""
    BOT = "bot"
    """The same, and a bot takes the seat until its player takes it back."""
    FORFEIT = "forfeit"
    """The seat leaves for good."""


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock a match was made with."""

    kind: ClockKind
    time: timedelta
    """Of each decision, or of the match."""
    increment: timedelta = _NONE
    """Only of a budget."""
    absent: AbsentRule = AbsentRule.POLICY
    away_after: int = AWAY_AFTER
    """So many times out in a row make a seat away: the house decides for it at once until its player is back."""


class Cause(StrEnum):
    """What a row is to the clocks."""

    MOVE = "move"
    """A move of the seat itself, or the start."""
    TIME_OUT = "time_out"
    """Made in the seat's stead; it counts only once the seat's time is up."""
    TURN = "turn"
    """Of the house: taking back and the like. It gives nobody time."""
    REDO = "redo"
    """Of the house as well: it puts back moves, and gives no time either, for what begins has had it before."""
    RETURN = "return"
    """A seat that was away is back."""


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """How a move moves the clocks of its match."""

    cause: Cause
    kept: tuple[int, ...] = ()
    """Seats whose open decision is the same as before: their clocks run on."""
    begun: tuple[int, ...] = ()
    """Seats that have a new decision. All other clocks stop."""


class SeatClock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's clock."""

    seat: int
    left: timedelta
    """What it has left; as long as it runs, from `deadline` on nothing."""
    deadline: datetime | None = None
    """None while it stands still."""
    time_outs: int = 0
    """In a row."""
    spent: bool = False
    """An undo has touched its last decision, whose time it was given already.

    While the clock runs: the undo opened the decision; what the seat decides until another has moved runs on the rest of its
    time. While it stands: the undo closed the decision; of a budget the next that begins gains nothing.
    """


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks of a running match."""

    version: int
    """Of the match."""
    as_of: datetime
    """The log's time when they were read."""
    seats: tuple[SeatClock, ...]

    def late(self) -> SeatClock | None:
        """Give the clock that ran out first; None if none has."""
        late = [one for one in self.seats if one.deadline is not None and one.deadline <= self.as_of]
        return min(late, key=lambda one: (one.deadline, one.seat), default=None)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A clock that runs."""

    match_id: UUID
    seat: int
    left: timedelta
    """Until its time is up; below zero once it is."""


class ClockReader(Protocol):
    """Looks at clocks. They move with the rows of the log, and with nothing else."""

    async def of(self, match_id: UUID) -> Clocks | None:
        """Give the clocks of a running match; None if it has none."""
        ...

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """Give the clocks whose time is up first, of matches played by these (game, rules version), but for some."""
        ...


def wound(clock: Clock, seats: int) -> tuple[SeatClock, ...]:
    """Give the clocks of a match before its first move."""
    return tuple(SeatClock(seat=seat, left=clock.time) for seat in range(seats))


def ticked(clock: Clock, one: SeatClock, tick: Tick, mover: int | None, now: datetime) -> SeatClock:
    """Give a seat's clock after a move, made at `now` by `mover`."""
    if one.seat in tick.kept:
        return one
    begins, moves = one.seat in tick.begun, one.seat == mover
    gives_time = tick.cause not in (Cause.TURN, Cause.REDO)
    time_outs = one.time_outs
    if moves and tick.cause is Cause.TIME_OUT:
        time_outs += 1
    elif moves and gives_time:
        time_outs = 0
    away = time_outs >= clock.away_after
    spent = one.spent
    if begins:
        goes_on = one.spent and moves and tick.cause in (Cause.MOVE, Cause.REDO)
        spent = tick.cause is Cause.TURN or goes_on
    elif one.deadline is not None:
        spent = tick.cause is Cause.TURN and not away
    fresh = begins and gives_time and not spent
    left = one.left if one.deadline is None else max(one.deadline - now, _NONE)
    if clock.kind is ClockKind.BUDGET:
        had_it = away or (one.spent and tick.cause is not Cause.RETURN)
        left += clock.increment if fresh and not had_it else _NONE
    elif fresh or (moves and tick.cause is Cause.TIME_OUT):
        left = clock.time
    deadline = (now if away else now + left) if begins else None
    return SeatClock(seat=one.seat, left=left, deadline=deadline, time_outs=time_outs, spent=spent)


def may_move(clock: Clock, one: SeatClock, cause: Cause, now: datetime) -> bool:
    """Tell whether the seat of this clock may make a row."""
    match cause:
        case Cause.TIME_OUT:
            return one.deadline is not None and one.deadline <= now
        case Cause.RETURN:
            return one.time_outs >= clock.away_after
        case _:
            return one.deadline is None or one.deadline > now


def stored(clock: Clock) -> str:
    """Give a clock as the database keeps it."""
    values = {
        "kind": clock.kind.value,
        "time_us": clock.time // _MICROSECOND,
        "increment_us": clock.increment // _MICROSECOND,
        "absent": clock.absent.value,
        "away_after": clock.away_after,
    }
    return msgspec.json.encode(values).decode()


def clock_from(kept: dict[str, Any]) -> Clock:
    """Read what `stored` gave."""
    return Clock(
        kind=ClockKind(kept["kind"]),
        time=kept["time_us"] * _MICROSECOND,
        increment=kept["increment_us"] * _MICROSECOND,
        absent=AbsentRule(kept["absent"]),
        away_after=kept["away_after"],
    )
