"""How long a bot waits before it moves, so that people can follow: the match's `bot_pace_seconds` after its newest move.

The wait begins when the worker learns of that move, so it needs no clock that agrees with the server's. It happens before the
bot looks at the table and thinks, outside the room of seats that are being played, so other matches do not wait with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

PART_OF_CLOCK: Final = 0.1
"""A bot waits for at most this part of the time its seat has left. So a budget never runs out by waiting, however many
decisions are to come, and a bot with little time is as quick as it can."""


class SeatClock(msgspec.Struct, frozen=True):
    """The time a seat has left."""

    seat: int
    left_seconds: float


class Clocks(msgspec.Struct, frozen=True):
    """The time every seat has left."""

    seats: tuple[SeatClock, ...]


class PacedMatch(msgspec.Struct, frozen=True):
    """What a match says about its pace."""

    version: int
    bot_pace_seconds: float = 0
    """Missing from gateways of the release before."""
    clocks: Clocks | None = None


@dataclass(frozen=True)
class Pause:
    """A wait, and the version after which it is made."""

    version: int
    seconds: float


def pause_of(match: PacedMatch, seat: int) -> Pause:
    """Return how long a seat waits from now on, if the newest move was made just now."""
    left = (
        clock.left_seconds for clock in (match.clocks.seats if match.clocks else ()) if clock.seat == seat
    )
    seconds = min(match.bot_pace_seconds, *(PART_OF_CLOCK * max(0.0, one) for one in left), float("inf"))
    return Pause(match.version, seconds)
