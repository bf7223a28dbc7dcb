"""Messages about clocks, as the structs that REST speaks, and back."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.matches.v1 import clock_pb2
from gateway.schemas import clocks as schemas
from gateway.schemas.requests import NewClock

KINDS: Final[dict[clock_pb2.ClockKind.ValueType, schemas.ClockKind]] = {
    clock_pb2.CLOCK_KIND_PER_MOVE: "per_move",
    clock_pb2.CLOCK_KIND_BUDGET: "budget",
}
ABSENT_RULES: Final[dict[clock_pb2.AbsentRule.ValueType, schemas.AbsentRule]] = {
    clock_pb2.ABSENT_RULE_POLICY: "policy",
    clock_pb2.ABSENT_RULE_BOT: "bot",
    clock_pb2.ABSENT_RULE_FORFEIT: "forfeit",
}
_KIND_VALUES: Final = {name: value for value, name in KINDS.items()}
_ABSENT_VALUES: Final = {name: value for value, name in ABSENT_RULES.items()}


def asked(wanted: NewClock | None) -> clock_pb2.Clock | None:
    """Give the clock of a new match as it is asked for."""
    if wanted is None:
        return None
    return clock_pb2.Clock(
        kind=_KIND_VALUES[wanted.kind],
        time=Duration(seconds=wanted.seconds),
        increment=Duration(seconds=wanted.increment_seconds),
        absent=_ABSENT_VALUES[wanted.absent],
        away_after=wanted.away_after,
    )


def clock(message: clock_pb2.Clock) -> schemas.Clock:
    """Give the clock of a match."""
    return schemas.Clock(
        kind=KINDS[message.kind],
        seconds=message.time.seconds,
        increment_seconds=message.increment.seconds,
        absent=ABSENT_RULES[message.absent],
        away_after=message.away_after,
    )


def clocks(message: clock_pb2.Clocks) -> schemas.Clocks:
    """Give what each seat has left."""
    return schemas.Clocks(
        as_of=_instant(message.as_of),
        seats=[
            schemas.SeatClock(
                seat=one.seat,
                deadline=_instant(one.deadline) if one.HasField("deadline") else None,
                left_seconds=round(one.left.ToMicroseconds() / 1_000_000, 3),
                time_outs=one.time_outs,
                away=one.away,
            )
            for one in message.seats
        ],
    )


def _instant(timestamp: Timestamp) -> str:
    return f"{timestamp.ToDatetime().isoformat(timespec='microseconds')}Z"
