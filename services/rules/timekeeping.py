"""Clocks as the rules server sees them: how a row moves them, and what is told of them.

It keeps no time of its own. Deadlines are the log's; where they stand is asked for each answer of a match with a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration

from engine.kernel import absence
from engine.kernel.absence import TimeOut
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.house import HouseRequest, Redo, ReturnToSeat
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from foldtable.matches.v1 import clock_pb2
from services.movelog.clocks import (
    AWAY_AFTER,
    LONGEST_INCREMENT,
    LONGEST_TIME,
    MOST_AWAY_AFTER,
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
from services.rpc.match_messages import ABSENT_RULES, CLOCK_KINDS, clocks_message
from services.rpc.refusals import Reason, Refused, malformed, rule_broken
from services.rules.tables import Table, Tables

_KINDS: Final = {message: kind for kind, message in CLOCK_KINDS.items()}
_ABSENT_RULES: Final = {
    clock_pb2.ABSENT_RULE_UNSPECIFIED: AbsentRule.POLICY,
    **{message: rule for rule, message in ABSENT_RULES.items()},
}


def tick_of(table: Table, seat: Seat | None, body: Any, pending: tuple[Pending, ...]) -> Tick | None:
    """Give how the next row moves the clocks; `pending` are the open decisions after it. None without a clock."""
    if table.match.clock is None:
        return None
    return tick_between(table.pending, pending, seat, body)


def tick_between(before: Sequence[Pending], after: Sequence[Pending], seat: Seat | None, body: Any) -> Tick:
    """Give how a row moves clocks, by the decisions that were open before it and are after it."""
    known = {(one.seat, one.id) for one in before}
    returned = seat if isinstance(body, ReturnToSeat) else None
    kept = tuple(one.seat for one in after if (one.seat, one.id) in known and one.seat != returned)
    return Tick(cause=_cause(body), kept=kept, begun=tuple(one.seat for one in after if one.seat not in kept))


def _cause(body: Any) -> Cause:
    match body:
        case TimeOut():
            return Cause.TIME_OUT
        case ReturnToSeat():
            return Cause.RETURN
        case Redo():
            return Cause.REDO
        case _ if isinstance(body, HouseRequest):
            return Cause.TURN
        case _:
            return Cause.MOVE


def refused(refusal: TimeIsUp | NotAway, table: Table) -> Refused:
    """Say why the clock stands against a row that a seat asks for."""
    if isinstance(refusal, NotAway):
        return rule_broken(RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE), game=table.game.id)
    return Refused(
        Reason.TIME_IS_UP,
        "the time for this decision is up; the house decides it",
        metadata={"current_version": table.version},
    )


async def clocks_at(tables: Tables, table: Table, version: int) -> clock_pb2.Clocks | None:
    """Give what each seat has left at the newest version; None for an earlier one, and without a clock.

    The caller holds the table, so only another server can have moved the match on meanwhile; then there is nothing to tell.
    """
    clock = table.match.clock
    if clock is None or version != table.version or table.status is not Status.RUNNING:
        return None
    found = await tables.log.clocks.of(table.match.id)
    if found is None or found.version != version:
        return None
    if found.late():
        tables.clock_is_due.set()
    return clocks_message(clock, found)


async def clocks_of(log: MoveLog, match: Match) -> Clocks | None:
    """Give what each seat of a match has left now; None without a clock."""
    if match.clock is None or match.status is not Status.RUNNING:
        return None
    return await log.clocks.of(match.id)


def read_clock(asked: clock_pb2.Clock) -> Clock:
    """Read the clock of a new match; Refused MALFORMED_REQUEST."""
    kind = _KINDS.get(asked.kind)
    if kind is None:
        raise malformed("$.clock.kind", "must be one of the known values")
    absent = _ABSENT_RULES.get(asked.absent)
    if absent is None:
        raise malformed("$.clock.absent", "is not one of the known values")
    if not 0 <= asked.away_after <= MOST_AWAY_AFTER:
        raise malformed("$.clock.away_after", f"must be from 1 to {MOST_AWAY_AFTER}; 0 means {AWAY_AFTER}")
    if absent is AbsentRule.BOT and asked.away_after == 1:
        raise malformed("$.clock.away_after", "must be at least 2 with a bot, which needs time of its own")
    increment = _length(asked.increment, "$.clock.increment", LONGEST_INCREMENT, least=0)
    if increment and kind is not ClockKind.BUDGET:
        raise malformed("$.clock.increment", "is for a budget")
    return Clock(
        kind=kind,
        time=_length(asked.time, "$.clock.time", LONGEST_TIME, least=1),
        increment=increment,
        absent=absent,
        away_after=asked.away_after or AWAY_AFTER,
    )


def _length(asked: Duration, field: str, longest: timedelta, *, least: int) -> timedelta:
    most = int(longest.total_seconds())
    if asked.nanos or not least <= asked.seconds <= most:
        raise malformed(field, f"must be whole seconds, from {least} to {most}")
    return timedelta(seconds=asked.seconds)
