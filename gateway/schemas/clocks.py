"""Clocks: a match's time limits, and the time each seat has left."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.fields import SECOND, Instant, SeatNumber
from services.process.bounds import MAX_AWAY_AFTER, MAX_CLOCK, MAX_INCREMENT, MAX_UNATTENDED

ClockKind = Literal["per_move", "budget"]
AbsentRule = Literal["policy", "bot", "forfeit"]
ClockSeconds = Annotated[int, Meta(ge=1, le=MAX_CLOCK // SECOND)]
Increment = Annotated[int, Meta(ge=0, le=MAX_INCREMENT // SECOND)]
AwayAfter = Annotated[int, Meta(ge=1, le=MAX_AWAY_AFTER)]
RemindBefore = Annotated[int, Meta(ge=1, le=MAX_CLOCK // SECOND)]
AbandonedAfter = Annotated[int, Meta(ge=1, le=MAX_UNATTENDED // SECOND)]


class Clock(Struct, frozen=True, kw_only=True):
    """The clock of a match."""

    kind: ClockKind
    seconds: ClockSeconds
    increment_seconds: Increment
    absent: AbsentRule
    away_after: AwayAfter
    abandoned_after_seconds: AbandonedAfter
    remind_before_seconds: RemindBefore | None
    vacations: bool


class SeatClock(Struct, frozen=True, kw_only=True):
    seat: SeatNumber
    deadline: Instant | None
    left_seconds: Annotated[float, Meta(ge=0)]
    time_outs: Annotated[int, Meta(ge=0)]
    away: bool
    on_vacation: bool


class Clocks(Struct, frozen=True, kw_only=True):
    """The time each seat has left."""

    as_of: Instant
    seats: list[SeatClock]
