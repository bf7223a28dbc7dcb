"""Clocks: a match's time limits, and the time each seat has left."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.fields import Instant, SeatNumber

ClockKind = Annotated[
    Literal["per_move", "budget"],
    Meta(
        description="`per_move`: every decision has the same time limit. `budget`: a seat has one budget for all its decisions, "
        "and gains the increment whenever one begins."
    ),
]
AbsentRule = Annotated[
    Literal["policy", "bot", "forfeit"],
    Meta(
        description="What happens when a seat's time is up. `policy`: the server decides by the game's policy. `bot`: the "
        "same, and then a bot plays the seat until its player returns. `forfeit`: the seat leaves for good."
    ),
]
ClockSeconds = Annotated[
    int,
    Meta(ge=1, le=2_592_000, description="Seconds per decision, or for the whole match; at most 30 days."),
]
Increment = Annotated[
    int, Meta(ge=0, le=86_400, description="Seconds added to a budget when a decision begins.")
]
AwayAfter = Annotated[
    int,
    Meta(
        ge=1,
        le=10,
        description="After this many time-outs in a row a seat is away until its player returns: the server decides for it at "
        "once while a present player waits, and otherwise when its time is up.",
    ),
]
AbandonedAfter = Annotated[
    int,
    Meta(
        ge=1,
        le=31_536_000,
        description="How long the match goes on after all players have left, in seconds; the first time-out after that aborts "
        "it. At most 365 days; by default five times `seconds`, but at least three days.",
    ),
]


class Clock(Struct, frozen=True, kw_only=True):
    """The clock of a match."""

    kind: ClockKind
    seconds: ClockSeconds
    increment_seconds: Increment
    absent: AbsentRule
    away_after: AwayAfter
    abandoned_after_seconds: AbandonedAfter


class SeatClock(Struct, frozen=True, kw_only=True):
    """One seat's clock."""

    seat: SeatNumber
    deadline: Annotated[
        Instant | None,
        Meta(
            description="When its time is up; null while its clock is stopped. It is later after a time in which no server took "
            "moves, without a new version."
        ),
    ]
    left_seconds: Annotated[
        float,
        Meta(
            ge=0,
            description="The time it had left at `as_of`. For a stopped clock it is meaningful only with a budget.",
        ),
    ]
    time_outs: Annotated[
        int,
        Meta(
            ge=0, description="Number of consecutive decisions that the server made because the time was up."
        ),
    ]
    away: Annotated[
        bool,
        Meta(
            description="Whether its player is away and has to return: until then the server decides for it at once while a "
            "present player waits."
        ),
    ]


class Clocks(Struct, frozen=True, kw_only=True):
    """The time each seat has left."""

    as_of: Annotated[
        Instant,
        Meta(description="The server's time when the clocks were read. Deadlines refer to the same clock."),
    ]
    seats: Annotated[list[SeatClock], Meta(description="The time each seat has left, by seat.")]
