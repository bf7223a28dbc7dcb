"""Clocks: how much time a match gives, what each seat has left, and how a move moves the clocks.

Time is measured by the log (the database), never by the server that decides moves. A clock starts with a decision and
stops with its answer. It stands still while no server takes moves (downtimes.py). `ticked_all` and `resumed` here and
clock_queries.py in SQL implement the same; the contract tests compare them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec

from services.movelog.downtimes import Downtime, ServedRules

AWAY_AFTER: Final = 2
LEAST_UNATTENDED: Final = timedelta(days=3)
DECISIONS_UNATTENDED: Final = 5
"""By default a match that everybody has left goes on for the time of so many decisions, but at least for three days."""
SETTLING: Final = timedelta(seconds=10)
"""After a downtime an open decision has at least so much time, or all of its own if that is less: players reconnect."""
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
    """After so many time-outs in a row a seat counts as away, until its player returns. The server decides for it at once
    while a present player waits, and otherwise when the time of the decision is up."""
    asked_abandoned_after: timedelta | None = None
    """How long the match goes on that all players have left, as it was asked for; None: `abandoned_after` follows from `time`."""

    @property
    def abandoned_after(self) -> timedelta:
        """Return how long a match goes on that all players have left."""
        return self.asked_abandoned_after or max(LEAST_UNATTENDED, DECISIONS_UNATTENDED * self.time)


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


_WITHOUT_TIME: Final = frozenset({Cause.TURN, Cause.REDO})


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """How a move changes the clocks of its match."""

    cause: Cause
    kept: tuple[int, ...] = ()
    """Seats whose open decision is the same as before: their clocks run on."""
    begun: tuple[int, ...] = ()
    """Seats that have a new decision. All other clocks stop."""
    people: tuple[int, ...] = ()
    """Seats that are played by people who have not left for good. Only they can wait for an absent player."""

    @property
    def acting(self) -> tuple[int, ...]:
        return (*self.kept, *self.begun)


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

    def late(self) -> tuple[SeatClock, ...]:
        """Return the clocks that have run out, in the order in which they did."""
        late = [
            (one.deadline, one.seat, one)
            for one in self.seats
            if one.deadline is not None and one.deadline <= self.as_of
        ]
        return tuple(one for _, _, one in sorted(late, key=lambda found: found[:2]))

    def late_together(self) -> tuple[SeatClock, ...]:
        """Return the clock that ran out first, with those that ran out in the same instant."""
        late = self.late()
        return tuple(one for one in late if one.deadline == late[0].deadline)


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
        """Return the clocks that run out first, of matches under these (game, rules version), except some matches.

        Clocks that stand still because no server has taken moves are left out until `beat` has moved their deadlines.
        """
        ...

    async def beat(self, rules: Sequence[ServedRules]) -> None:
        """Say that this process takes moves of matches under these (game, rules version) now.

        If no process has said so for longer than `downtimes.TOLERANCE`, this was a downtime: it is recorded, and the
        deadlines of the matches are moved by it, in one transaction.
        """
        ...

    async def downtimes(
        self, rules: Sequence[ServedRules], *, after: datetime | None = None
    ) -> list[Downtime]:
        """Return the recorded downtimes of these rules that ended after a time, in the order in which they ended."""
        ...

    async def standing(self, rules: Sequence[ServedRules]) -> list[Downtime]:
        """Return the downtimes of these rules that go on until somebody beats, as if they ended now."""
        ...


def wound(clock: Clock, seats: int) -> tuple[SeatClock, ...]:
    """Return the clocks of a match before its first move."""
    return tuple(SeatClock(seat=seat, left=clock.time) for seat in range(seats))


def ticked_all(
    clock: Clock, seats: Iterable[SeatClock], tick: Tick, mover: int | None, now: datetime
) -> tuple[SeatClock, ...]:
    """Return all clocks of a match after a move, made at `now` by `mover`."""
    seats = tuple(seats)
    waiting = {
        one.seat
        for one in seats
        if one.seat in tick.people
        and one.seat not in tick.acting
        and _time_outs(one, tick, mover) < clock.away_after
    }
    return tuple(
        _ticked(clock, one, tick, mover, now, is_waited_for=bool(waiting - {one.seat})) for one in seats
    )


def _time_outs(one: SeatClock, tick: Tick, mover: int | None) -> int:
    """Return how many decisions in a row have timed out after a move."""
    if one.seat != mover or one.seat in tick.kept or tick.cause in _WITHOUT_TIME:
        return one.time_outs
    return one.time_outs + 1 if tick.cause is Cause.TIME_OUT else 0


def own_time(clock: Clock, left: timedelta, *, away: bool) -> timedelta:
    """Return how long a decision may take that nobody present waits for.

    A seat that is away, or has used up its budget, has the time of a decision, which it keeps nothing of.
    """
    return clock.time if away or not left else left


def _ticked(
    clock: Clock, one: SeatClock, tick: Tick, mover: int | None, now: datetime, *, is_waited_for: bool
) -> SeatClock:
    if one.seat in tick.kept:
        has_no_time = one.time_outs >= clock.away_after or not one.left
        if one.deadline is not None and is_waited_for and has_no_time:
            return msgspec.structs.replace(one, deadline=min(one.deadline, now))
        return one
    begins, moves = one.seat in tick.begun, one.seat == mover
    gives_time = tick.cause not in _WITHOUT_TIME
    time_outs = _time_outs(one, tick, mover)
    away = time_outs >= clock.away_after
    spent = one.spent
    if begins:
        goes_on = one.spent and moves and tick.cause in (Cause.MOVE, Cause.REDO)
        spent = tick.cause is Cause.TURN or goes_on
    elif one.deadline is not None:
        spent = tick.cause is Cause.TURN and not away
    fresh = begins and gives_time and not spent
    left = one.left if one.deadline is None else min(one.left, max(one.deadline - now, _NONE))
    if clock.kind is ClockKind.BUDGET:
        had_it = away or (one.spent and tick.cause is not Cause.RETURN)
        left += clock.increment if fresh and not had_it else _NONE
    elif fresh or (moves and tick.cause is Cause.TIME_OUT):
        left = clock.time
    deadline = None
    if begins and is_waited_for:
        deadline = now if away else now + left
    elif begins:
        deadline = now + own_time(clock, left, away=away)
    return SeatClock(seat=one.seat, left=left, deadline=deadline, time_outs=time_outs, spent=spent)


def resumed(clock: Clock, one: SeatClock, downtime: Downtime) -> SeatClock:
    """Return a clock after a time in which no server took moves. One that had run out before stays as it is."""
    since, until, deadline = downtime.since, downtime.until, one.deadline
    if deadline is None or deadline <= since:
        return one
    own = own_time(clock, one.left, away=one.time_outs >= clock.away_after)
    began = min(max(deadline - own, since), until)
    later = max(deadline + (until - began), until + min(SETTLING, own))
    return msgspec.structs.replace(one, deadline=later)


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
    if clock.asked_abandoned_after is not None:
        values["abandoned_after_us"] = clock.asked_abandoned_after // _MICROSECOND
    return msgspec.json.encode(values).decode()


def clock_from(kept: dict[str, Any]) -> Clock:
    """Return the clock that `stored` wrote."""
    abandoned_after_us = kept.get("abandoned_after_us")
    return Clock(
        kind=ClockKind(kept["kind"]),
        time=kept["time_us"] * _MICROSECOND,
        increment=kept["increment_us"] * _MICROSECOND,
        absent=AbsentRule(kept["absent"]),
        away_after=kept["away_after"],
        asked_abandoned_after=None if abandoned_after_us is None else abandoned_after_us * _MICROSECOND,
    )
