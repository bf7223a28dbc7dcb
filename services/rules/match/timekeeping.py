"""Clocks as the rules server sees them: how a row moves them, and how they are shown.

The server keeps no time itself. The log holds the deadlines, and is asked for them for each response about a timed match.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from engine.match import absence
from engine.match.absence import TimeOut
from engine.match.commands import (
    AddTime,
    AnswerPause,
    BeginVacation,
    EndVacation,
    MatchCommand,
    Pause,
    Redo,
    Resume,
    ReturnToSeat,
)
from engine.match.requests import Resign
from foldtable.matches.v1 import clock_pb2
from services.movelog.clocks import (
    AWAY_AFTER,
    AbsentRule,
    Cause,
    Clock,
    ClockKind,
    Clocks,
    Tick,
)
from services.movelog.failures import NotAway, TimeIsUp
from services.movelog.log import MoveLog
from services.movelog.records import Match, Status
from services.process.bounds import MAX_AWAY_AFTER, MAX_CLOCK, MAX_INCREMENT, MAX_UNATTENDED
from services.process.reasons import Reason
from services.rpc.enums import members_of
from services.rpc.match_messages import clocks_message
from services.rpc.refusals import Refused, malformed, rule_broken
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache

NO_TIME: Final = timedelta()
_KINDS: Final = members_of(ClockKind, clock_pb2.ClockKind.DESCRIPTOR)
_ABSENT_RULES: Final = members_of(AbsentRule, clock_pb2.AbsentRule.DESCRIPTOR, unspecified=AbsentRule.POLICY)


def tick_of(loaded: LoadedMatch, seat: Seat | None, body: Any, pending: tuple[Pending, ...]) -> Tick | None:
    """Return how the next row moves the clocks; None without a clock. `pending` holds the open decisions after the row."""
    if loaded.match.clock is None:
        return None
    resting = _resting_after(loaded.timeline.resting, seat, body)
    staying = tuple(one for one in people(loaded) if one not in resting)
    if seat is not None and (isinstance(body, Resign) or (isinstance(body, TimeOut) and body.forfeits)):
        staying = tuple(one for one in staying if one != seat)
    before = loaded.put_aside if isinstance(body, Resume) else loaded.pending
    return tick_between(before, pending, seat, body, people=staying, resting=resting)


def _resting_after(before: frozenset[Seat], seat: Seat | None, body: Any) -> frozenset[Seat]:
    """Return the seats whose players are on vacation after a row."""
    if isinstance(body, BeginVacation | EndVacation) and seat is not None:
        return before | {seat} if isinstance(body, BeginVacation) else before - {seat}
    return before


def people(loaded: LoadedMatch) -> tuple[Seat, ...]:
    """Return the seats that are played by people who have not left for good. Only they can be away, or wait for somebody."""
    left = loaded.timeline.left()
    seats = loaded.seating.seats[: loaded.match.seats]
    return tuple(Seat(row.seat) for row in seats if not row.bot and row.seat not in left)


def away(clock: Clock, clocks: Clocks) -> frozenset[int]:
    """Return the seats whose time was up so often that they count as away."""
    return frozenset(one.seat for one in clocks.seats if one.time_outs >= clock.away_after)


def tick_between(
    before: Sequence[Pending],
    after: Sequence[Pending],
    seat: Seat | None,
    body: Any,
    *,
    people: Sequence[int] = (),
    resting: Collection[int] = (),
) -> Tick:
    """Return how a row moves clocks, from the decisions open before and after it; `people` and `resting` as in Tick."""
    known = {(one.seat, one.id) for one in before}
    returned = seat if isinstance(body, ReturnToSeat) else None
    kept = tuple(one.seat for one in after if (one.seat, one.id) in known and one.seat != returned)
    begun = tuple(one.seat for one in after if one.seat not in kept)
    given, added = (
        (body.seats, timedelta(seconds=body.seconds)) if isinstance(body, AddTime) else ((), NO_TIME)
    )
    return Tick(
        cause=_cause(body, is_open=bool(after)),
        kept=kept,
        begun=begun,
        people=tuple(people),
        resting=tuple(sorted(resting)),
        given=given,
        added=added,
    )


def _cause(body: Any, *, is_open: bool) -> Cause:
    """Return how a row affects the clocks; `is_open`: a decision is open after it. None is in a match that is paused."""
    match body:
        case Pause() | AnswerPause() if not is_open:
            return Cause.PAUSE
        case Resume():
            return Cause.RESUME
        case TimeOut():
            return Cause.TIME_OUT
        case ReturnToSeat():
            return Cause.RETURN
        case Redo():
            return Cause.REDO
        case _ if isinstance(body, MatchCommand):
            return Cause.TURN
        case _:
            return Cause.MOVE


def refused(refusal: TimeIsUp | NotAway, loaded: LoadedMatch) -> Refused:
    """Return the refusal of a seat's row that the clock forbids."""
    if isinstance(refusal, NotAway):
        return rule_broken(RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE), game=loaded.game.id)
    return Refused(
        Reason.TIME_IS_UP,
        "the time for this decision is up; the server decides it",
        metadata={"current_version": loaded.version},
    )


async def clocks_at(cache: MatchCache, loaded: LoadedMatch, version: int) -> clock_pb2.Clocks | None:
    """Return each seat's remaining time at the newest version; None for an earlier version, and without a clock.

    The caller holds the match's lock, so only another server can have advanced the match meanwhile; then None is
    returned.
    """
    clock = loaded.match.clock
    if clock is None or version != loaded.version or loaded.status is not Status.RUNNING:
        return None
    found = await cache.log.clocks.of(loaded.match.id)
    if found is None or found.version != version:
        return None
    if found.late():
        cache.clock_is_due.set()
    return clocks_message(clock, found)


async def clocks_of(log: MoveLog, match: Match) -> Clocks | None:
    """Return each seat's remaining time now; None without a clock."""
    if match.clock is None or match.status is not Status.RUNNING:
        return None
    return await log.clocks.of(match.id)


def read_clock(asked: clock_pb2.Clock) -> Clock:
    """Return the clock of a new match. Raises Refused MALFORMED_REQUEST."""
    kind = _KINDS.get(asked.kind)
    if kind is None:
        raise malformed("$.clock.kind", "must be one of the known values")
    absent = _ABSENT_RULES.get(asked.absent)
    if absent is None:
        raise malformed("$.clock.absent", "is not one of the known values")
    if not 0 <= asked.away_after <= MAX_AWAY_AFTER:
        raise malformed("$.clock.away_after", f"must be from 1 to {MAX_AWAY_AFTER}; 0 means {AWAY_AFTER}")
    if absent is AbsentRule.BOT and asked.away_after == 1:
        raise malformed("$.clock.away_after", "must be at least 2 with a bot, which needs time of its own")
    increment = _length(asked.increment, "$.clock.increment", MAX_INCREMENT, least=0)
    if increment and kind is not ClockKind.BUDGET:
        raise malformed("$.clock.increment", "is only for a clock with a budget")
    return Clock(
        kind=kind,
        time=_length(asked.time, "$.clock.time", MAX_CLOCK, least=1),
        increment=increment,
        absent=absent,
        away_after=asked.away_after or AWAY_AFTER,
        asked_abandoned_after=_length(
            asked.abandoned_after, "$.clock.abandoned_after", MAX_UNATTENDED, least=1
        )
        if asked.HasField("abandoned_after")
        else None,
        remind_before=_length(asked.remind_before, "$.clock.remind_before", MAX_CLOCK, least=1)
        if asked.HasField("remind_before")
        else None,
        vacations=asked.vacations,
    )


def _length(asked: Duration, field: str, longest: timedelta, *, least: int) -> timedelta:
    most = int(longest.total_seconds())
    if asked.nanos or not least <= asked.seconds <= most:
        raise malformed(field, f"must be whole seconds, from {least} to {most}")
    return timedelta(seconds=asked.seconds)
