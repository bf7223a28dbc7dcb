"""Clocks: how much time a match gives, what each seat has left, and how a move moves the clocks.

Time is measured by the log (the database), never by the server that decides moves. A clock starts with a decision and
stops with its answer. `ticked` here and clock_queries.py in SQL implement the same; the contract tests compare them.
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
    """A seat has one budget for all its decisions, and gains an increment with each new one."""


class AbsentRule(StrEnum):
    """What happens to a seat whose time is up."""

    POLICY = "policy"
    """The server makes this decision by the game's policy."""
    BOT = "bot"
    """The same, and a bot plays the seat until its player returns."""
    FORFEIT = "forfeit"
    """The seat resigns."""


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock that a match was created with."""

    kind: ClockKind
    time: timedelta
    """Time of each decision, or of the whole match."""
    increment: timedelta = _NONE
    """Only for a budget."""
    absent: AbsentRule = AbsentRule.POLICY
    away_after: int = AWAY_AFTER
    """After so many time-outs in a row a seat counts as away: the server decides for it at once until its player returns."""


class Cause(StrEnum):
    """How a row affects the clocks."""

    MOVE = "move"
    """A move of the seat itself, or the start."""
    TIME_OUT = "time_out"
    """Made for the seat by the server; valid only once the seat's time is up."""
    TURN = "turn"
    """The server's, such as undo. It gives no seat time."""
    REDO = "redo"
    """The server's as well: redo. It gives no time either, because the decisions it reopens have had theirs."""
    RETURN = "return"
    """A player who was away has returned."""


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """How a move changes the clocks of its match."""

    cause: Cause
    kept: tuple[int, ...] = ()
    """Seats whose open decision is the same as before: their clocks run on."""
    begun: tuple[int, ...] = ()
    """Seats that have a new decision. All other clocks stop."""


class SeatClock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's clock."""

    seat: int
    left: timedelta
    """The remaining time; while the clock runs, nothing remains from `deadline` on."""
    deadline: datetime | None = None
    """None while it is stopped."""
    time_outs: int = 0
    """Time-outs in a row."""
    spent: bool = False
    """An undo has affected its last decision, whose time it has received already.

    While the clock runs: the undo reopened the decision; until another seat has moved, the seat's decisions use the rest of
    that time. While it is stopped: the undo closed the decision; with a budget, the next decision gains no increment.
    """


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks of a running match."""

    version: int
    """The version of the match."""
    as_of: datetime
    """The log's time when the clocks were read."""
    seats: tuple[SeatClock, ...]

    def late(self) -> SeatClock | None:
        """Return the clock that ran out first; None if none has."""
        late = [one for one in self.seats if one.deadline is not None and one.deadline <= self.as_of]
        return min(late, key=lambda one: (one.deadline, one.seat), default=None)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A running clock."""

    match_id: UUID
    seat: int
    left: timedelta
    """The time until it runs out; negative afterwards."""


class ClockReader(Protocol):
    """Reads clocks. Only rows of the log change them."""

    async def of(self, match_id: UUID) -> Clocks | None:
        """Return the clocks of a running match; None if it has none."""
        ...

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """Return the clocks that run out first, of matches under these (game, rules version), except some matches."""
        ...


def wound(clock: Clock, seats: int) -> tuple[SeatClock, ...]:
    """Return the clocks of a match before its first move."""
    return tuple(SeatClock(seat=seat, left=clock.time) for seat in range(seats))


def ticked(clock: Clock, one: SeatClock, tick: Tick, mover: int | None, now: datetime) -> SeatClock:
    """Return a seat's clock after a move, made at `now` by `mover`."""
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
    """Return whether the seat of this clock may write a row."""
    match cause:
        case Cause.TIME_OUT:
            return one.deadline is not None and one.deadline <= now
        case Cause.RETURN:
            return one.time_outs >= clock.away_after
        case _:
            return one.deadline is None or one.deadline > now


def stored(clock: Clock) -> str:
    """Return a clock as the database stores it."""
    values = {
        "kind": clock.kind.value,
        "time_us": clock.time // _MICROSECOND,
        "increment_us": clock.increment // _MICROSECOND,
        "absent": clock.absent.value,
        "away_after": clock.away_after,
    }
    return msgspec.json.encode(values).decode()


def clock_from(kept: dict[str, Any]) -> Clock:
    """Return the clock that `stored` wrote."""
    return Clock(
        kind=ClockKind(kept["kind"]),
        time=kept["time_us"] * _MICROSECOND,
        increment=kept["increment_us"] * _MICROSECOND,
        absent=AbsentRule(kept["absent"]),
        away_after=kept["away_after"],
    )
