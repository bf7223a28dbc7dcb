"""How a move moves the clocks of its match.

Clocks stand still while no server takes moves (downtimes.py), while the match is paused, and while a player is on vacation.
This and clock_queries.py in SQL implement the same; the contract tests compare them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from services.movelog.clocks import MAX_LEFT, SETTLING, Cause, Clock, ClockKind, SeatClock, Tick
from services.movelog.downtimes import Downtime

_NONE: Final = timedelta(0)
WITHOUT_TIME: Final = frozenset({Cause.TURN, Cause.REDO, Cause.PAUSE})
_UNCOUNTED: Final = WITHOUT_TIME | {Cause.RESUME}
"""Rows that say nothing of whether the player who asked for them is there in time."""


def wound(clock: Clock, seats: int) -> tuple[SeatClock, ...]:
    """Return the clocks of a match before its first move."""
    return tuple(SeatClock(seat=seat, left=clock.time) for seat in range(seats))


def reminder(clock: Clock, deadline: datetime | None, now: datetime) -> datetime | None:
    """Return when to remind of a deadline that was set `now`; None if that moment has passed, or none is wanted."""
    if deadline is None or clock.remind_before is None:
        return None
    moment = deadline - clock.remind_before
    return moment if moment > now else None


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
    if one.seat != mover or one.seat in tick.kept or tick.cause in _UNCOUNTED:
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
    """Return a clock after a move. What it has left counts from its deadline, if it ran."""
    rests, begins = one.seat in tick.resting, one.seat in tick.begun
    goes_on = one.seat in tick.kept
    if goes_on and not rests and one.deadline is not None:
        return _running_on(clock, one, tick, now, is_waited_for=is_waited_for)
    left = one.left if one.deadline is None else min(one.left, max(one.deadline - now, _NONE))
    time_outs, spent = one.time_outs, one.spent
    if not goes_on:
        time_outs = _time_outs(one, tick, mover)
        spent = _spent(clock, one, tick, mover, time_outs)
        fresh = begins and not spent
        left = _left_after(clock, one, tick, mover, left, fresh=fresh, time_outs=time_outs)
    left = _filled(left, tick.added if one.seat in tick.given else _NONE)
    deadline = None
    if (begins or goes_on) and not rests:
        deadline = _started(
            clock, left, now, time_outs=time_outs, is_waited_for=is_waited_for, goes_on=goes_on
        )
    return SeatClock(
        seat=one.seat,
        left=left,
        deadline=deadline,
        time_outs=time_outs,
        spent=spent,
        resting=rests,
        remind_at=reminder(clock, deadline, now),
    )


def _running_on(clock: Clock, one: SeatClock, tick: Tick, now: datetime, *, is_waited_for: bool) -> SeatClock:
    """Return a running clock whose decision is the same as before: it may get time, or have none any more."""
    assert one.deadline is not None  # the caller has looked
    left, deadline = one.left, one.deadline
    if one.seat in tick.given:
        left = _filled(left, tick.added)
        deadline = max(deadline, min(deadline + tick.added, now + MAX_LEFT))
    if is_waited_for and (one.time_outs >= clock.away_after or not left):
        deadline = min(deadline, now)
    remind_at = one.remind_at if deadline == one.deadline else reminder(clock, deadline, now)
    return msgspec.structs.replace(one, left=left, deadline=deadline, remind_at=remind_at)


def _filled(left: timedelta, added: timedelta) -> timedelta:
    """Return what a clock has left with added time."""
    return max(left, min(left + added, MAX_LEFT))


def _spent(clock: Clock, one: SeatClock, tick: Tick, mover: int | None, time_outs: int) -> bool:
    """Return `SeatClock.spent` after a row that does not leave the seat's decision as it is."""
    if tick.cause is Cause.PAUSE:
        return one.spent
    if one.seat in tick.begun:
        goes_on = one.spent and one.seat == mover and tick.cause in (Cause.MOVE, Cause.REDO)
        return tick.cause is Cause.TURN or goes_on
    if one.deadline is not None:
        return tick.cause is Cause.TURN and time_outs < clock.away_after
    return one.spent


def _left_after(
    clock: Clock,
    one: SeatClock,
    tick: Tick,
    mover: int | None,
    left: timedelta,
    *,
    fresh: bool,
    time_outs: int,
) -> timedelta:
    """Return what a clock has after a row; `fresh`: a decision begins whose time the seat has not received yet."""
    fresh = fresh and tick.cause not in WITHOUT_TIME
    if clock.kind is ClockKind.BUDGET:
        had_it = time_outs >= clock.away_after or one.seat in tick.resting
        had_it = had_it or (one.spent and tick.cause is not Cause.RETURN)
        return left + (clock.increment if fresh and not had_it else _NONE)
    if fresh or (one.seat == mover and tick.cause is Cause.TIME_OUT):
        return clock.time
    return left


def _started(
    clock: Clock, left: timedelta, now: datetime, *, time_outs: int, is_waited_for: bool, goes_on: bool
) -> datetime:
    """Return the deadline of a clock that begins to run; `goes_on`: its decision was open before, and its clock stood."""
    away = time_outs >= clock.away_after
    if is_waited_for and away:
        return now
    own = own_time(clock, left, away=away)
    time = left if is_waited_for else own
    return now + (max(time, min(SETTLING, clock.time)) if goes_on else time)


def resumed(clock: Clock, one: SeatClock, downtime: Downtime) -> SeatClock:
    """Return a clock after a time in which no server took moves. One that had run out before stays as it is."""
    since, until, deadline = downtime.since, downtime.until, one.deadline
    if deadline is None or deadline <= since:
        return one
    own = own_time(clock, one.left, away=one.time_outs >= clock.away_after)
    began = min(max(deadline - own, since), until)
    later = max(deadline + (until - began), until + min(SETTLING, own))
    remind_at = None if one.remind_at is None else one.remind_at + (later - deadline)
    return msgspec.structs.replace(one, deadline=later, remind_at=remind_at)


def in_time(clocks: Iterable[SeatClock], tick: Tick, now: datetime) -> bool:
    """Return whether a row may stop or extend clocks: none of them may have run out, for that decision is the server's."""
    return not any(
        one.deadline is not None
        and one.deadline <= now
        and (tick.cause is Cause.PAUSE or one.seat in tick.given)
        for one in clocks
    )


def may_move(clock: Clock, one: SeatClock, cause: Cause, now: datetime) -> bool:
    """Return whether the seat of this clock may write a row."""
    match cause:
        case Cause.TIME_OUT:
            return one.deadline is not None and one.deadline <= now
        case Cause.RETURN:
            return one.time_outs >= clock.away_after
        case _:
            return one.deadline is None or one.deadline > now
