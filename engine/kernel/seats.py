"""Seats and audiences: who plays, and who may see what."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, NewType

import msgspec

Seat = NewType("Seat", int)
"""A player's place in a match, counted from 0. Seat numbers never change during a match."""


class AudienceKind(StrEnum):
    """A seat, the public, or a referee, who sees everything."""

    SEAT = "seat"
    PUBLIC = "public"
    REFEREE = "referee"


class Audience(msgspec.Struct, frozen=True):
    """The audience of a view or an event. `seat` is set if and only if `kind` is SEAT."""

    kind: AudienceKind
    seat: Annotated[Seat | None, msgspec.Meta(description="Null unless `kind` is `seat`.")] = None

    def __post_init__(self) -> None:
        if (self.kind is AudienceKind.SEAT) != (self.seat is not None):
            raise ValueError("`seat` must be set for a seat audience and for no other")

    def sees_all(self) -> bool:
        """Whether this audience sees everything: only a referee does."""
        return self.kind is AudienceKind.REFEREE

    def sees_seat(self, seat: Seat) -> bool:
        """Return whether this audience may see what only `seat` may see."""
        return self.kind is AudienceKind.REFEREE or self.seat == seat


PUBLIC: Final = Audience(AudienceKind.PUBLIC)
REFEREE: Final = Audience(AudienceKind.REFEREE)


def seat_audience(seat: Seat) -> Audience:
    return Audience(AudienceKind.SEAT, seat)
