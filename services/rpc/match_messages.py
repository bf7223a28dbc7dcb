"""A match without its table, as a message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from engine.kernel.outcome import Outcome
from engine.kernel.seats import Audience, AudienceKind
from foldtable.matches.v1 import clock_pb2, match_pb2
from foldtable.rules.v1 import table_pb2
from services.movelog.clocks import AbsentRule, Clock, ClockKind, Clocks
from services.movelog.records import (
    ForkedFrom,
    Match,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)
from services.rpc.bot_names import level_of, own_name_of

STATUSES: Final = {
    Status.WAITING: match_pb2.MATCH_STATUS_WAITING,
    Status.RUNNING: match_pb2.MATCH_STATUS_RUNNING,
    Status.ENDED: match_pb2.MATCH_STATUS_ENDED,
}
VISIBILITIES: Final = {
    Visibility.PRIVATE: match_pb2.MATCH_VISIBILITY_PRIVATE,
    Visibility.UNLISTED: match_pb2.MATCH_VISIBILITY_UNLISTED,
    Visibility.PUBLIC: match_pb2.MATCH_VISIBILITY_PUBLIC,
}
START_RULES: Final = {
    StartRule.WHEN_FULL: match_pb2.START_RULE_WHEN_FULL,
    StartRule.ON_DEMAND: match_pb2.START_RULE_ON_DEMAND,
}
UNDO_RULES: Final = {
    UndoRule.NONE: match_pb2.UNDO_RULE_NONE,
    UndoRule.FREE: match_pb2.UNDO_RULE_FREE,
    UndoRule.CONSENT: match_pb2.UNDO_RULE_CONSENT,
}
SEAT_STATES: Final = {
    SeatState.OPEN: match_pb2.SEAT_STATE_OPEN,
    SeatState.INVITED: match_pb2.SEAT_STATE_INVITED,
    SeatState.RESERVED: match_pb2.SEAT_STATE_RESERVED,
    SeatState.TAKEN: match_pb2.SEAT_STATE_TAKEN,
}
_KINDS: Final = {
    AudienceKind.SEAT: table_pb2.Audience.KIND_SEAT,
    AudienceKind.PUBLIC: table_pb2.Audience.KIND_PUBLIC,
    AudienceKind.REFEREE: table_pb2.Audience.KIND_REFEREE,
}
CLOCK_KINDS: Final = {
    ClockKind.PER_MOVE: clock_pb2.CLOCK_KIND_PER_MOVE,
    ClockKind.BUDGET: clock_pb2.CLOCK_KIND_BUDGET,
}
ABSENT_RULES: Final = {
    AbsentRule.POLICY: clock_pb2.ABSENT_RULE_POLICY,
    AbsentRule.BOT: clock_pb2.ABSENT_RULE_BOT,
    AbsentRule.FORFEIT: clock_pb2.ABSENT_RULE_FORFEIT,
}
_OUTCOME: Final = msgspec.json.Decoder(Outcome)


def timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def audience_message(audience: Audience) -> table_pb2.Audience:
    return table_pb2.Audience(kind=_KINDS[audience.kind], seat=audience.seat)


def outcome_message(outcome: Outcome | None) -> table_pb2.Outcome | None:
    if outcome is None:
        return None
    return table_pb2.Outcome(
        reason=outcome.reason,
        rule=outcome.rule,
        winners=outcome.winners,
        results=[
            table_pb2.SeatResult(
                seat=result.seat,
                rank=result.rank,
                score=result.score,
                breakdown=[
                    table_pb2.ScoreLine(reason=line.reason, rule=line.rule, points=line.points)
                    for line in result.breakdown
                ],
            )
            for result in outcome.results
        ],
    )


def duration(length: timedelta) -> Duration:
    message = Duration()
    message.FromTimedelta(length)
    return message


def clock_message(clock: Clock) -> clock_pb2.Clock:
    return clock_pb2.Clock(
        kind=CLOCK_KINDS[clock.kind],
        time=duration(clock.time),
        increment=duration(clock.increment),
        absent=ABSENT_RULES[clock.absent],
        away_after=clock.away_after,
    )


def clocks_message(clock: Clock, clocks: Clocks) -> clock_pb2.Clocks:
    """Give what each seat of a running match has left."""
    return clock_pb2.Clocks(
        as_of=timestamp(clocks.as_of),
        seats=[
            clock_pb2.SeatClock(
                seat=one.seat,
                deadline=None if one.deadline is None else timestamp(one.deadline),
                left=duration(one.left),
                time_outs=one.time_outs,
                away=one.time_outs >= clock.away_after,
            )
            for one in clocks.seats
        ],
    )


def match_message(match: Match, seats: Sequence[SeatRecord], clocks: Clocks | None = None) -> match_pb2.Match:
    """Give a match without its table; the secret only once it has ended."""
    clock = match.clock
    outcome = None if match.outcome is None else _OUTCOME.decode(match.outcome)
    return match_pb2.Match(
        match_id=str(match.id),
        game=match.game,
        rules_version=match.rules_version,
        version=match.version,
        status=STATUSES[match.status],
        seats=map(seat_message, seats),
        to_act=match.to_act,
        options=match.options,
        commitment=match.commitment,
        secret=match.secret if match.status is Status.ENDED else b"",
        outcome=outcome_message(outcome),
        create_time=timestamp(match.created_at),
        update_time=timestamp(match.updated_at),
        visibility=VISIBILITIES[match.visibility],
        start=START_RULES[match.start],
        title=match.title,
        rematch_of="" if match.rematch_of is None else str(match.rematch_of),
        undo=UNDO_RULES[match.undo],
        undo_timeout=Duration(seconds=int(match.undo_timeout.total_seconds())),
        forked_from=_forked_from_message(match.forked_from),
        clock=None if clock is None else clock_message(clock),
        clocks=None if clock is None or clocks is None else clocks_message(clock, clocks),
    )


def _forked_from_message(forked_from: ForkedFrom | None) -> match_pb2.ForkedFrom | None:
    if forked_from is None:
        return None
    return match_pb2.ForkedFrom(
        match_id=str(forked_from.match_id),
        version=forked_from.version,
        audience=audience_message(forked_from.audience),
    )


def seat_message(row: SeatRecord) -> match_pb2.Seat:
    return match_pb2.Seat(
        seat=row.seat,
        taken=row.state is SeatState.TAKEN,
        player=row.player,
        state=SEAT_STATES[row.state],
        name=row.name,
        level=level_of(row.bot),
        bot=own_name_of(row.bot),
        data=row.data,
    )
