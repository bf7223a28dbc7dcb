"""Clocks: how much time a match gives, and what each seat has left."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.fields import Instant, SeatNumber

ClockKind = Annotated[
    Literal["per_move", "budget"],
    Meta(
        description="`per_move`: every decision has the same time. `budget`: a seat has one time for all its decisions, and "
        "gains the increment with each that begins."
    ),
]
AbsentRule = Annotated[
    Literal["policy", "bot", "forfeit"],
    Meta(
        description="What happens to a seat whose time is up. `policy`: the house does what the game's policy says. `bot`: "
        "the same, and a bot takes the seat until its player takes it back. `forfeit`: the seat leaves for good."
    ),
]
ClockSeconds = Annotated[
    int, Meta(ge=1, le=2_592_000, description="Of each decision, or of the match; at most 30 days.")
]
Increment = Annotated[int, Meta(ge=0, le=86_400, description="Of a budget, with each decision that begins.")]
AwayAfter = Annotated[
    int,
    Meta(
        ge=1,
        le=10,
        description="So many times out in a row make a seat away: the house decides for it at once until it returns.",
    ),
]


class Clock(Struct, frozen=True, kw_only=True):
    """The clock of a match."""

    kind: ClockKind
    seconds: ClockSeconds
    increment_seconds: Increment
    absent: AbsentRule
    away_after: AwayAfter


class SeatClock(Struct, frozen=True, kw_only=True):
    """One seat's clock."""

    seat: SeatNumber
    deadline: Annotated[
        Instant | None, Meta(description="When its time is up; null while its clock stands still.")
    ]
    left_seconds: Annotated[
        float,
        Meta(
            ge=0,
            description="What it had left at `as_of`. Of a clock that stands still it counts only with a budget.",
        ),
    ]
    time_outs: Annotated[
        int, Meta(ge=0, description="Decisions in a row that the house made because the time was up.")
    ]
    away: Annotated[bool, Meta(description="The house decides for it at once, until it returns.")]


class Clocks(Struct, frozen=True, kw_only=True):
    """What each seat has left."""

    as_of: Annotated[
        Instant, Meta(description="The server's time when they were read: deadlines are by the same clock.")
    ]
    seats: Annotated[list[SeatClock], Meta(description="What each has left, by seat.")]
