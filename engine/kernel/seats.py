"""Seats and audiences: who sits at the table, and who looks on."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, NewType

import msgspec

Seat = NewType("Seat", int)
"""A place at the table, counted from 0. Seat numbers never change during a match."""


class AudienceKind(StrEnum):
    """A seat, everybody, or somebody who sees all."""

    SEAT = "seat"
    PUBLIC = "public"
    REFEREE = "referee"


class Audience(msgspec.Struct, frozen=True):
    """Whose eyes a view or an event is made for. `seat` is set when, and only when, `kind` is SEAT."""

    kind: AudienceKind
    seat: Annotated[Seat | None, msgspec.Meta(description="Null unless `kind` is `seat`.")] = None

    def __post_init__(self) -> None:
        if (self.kind is AudienceKind.SEAT) != (self.seat is not None):
            raise ValueError("a seat audience names its seat, and no other audience does")

    def sees_all(self) -> bool:
        """A referee sees the whole truth; nobody else does."""
        return self.kind is AudienceKind.REFEREE

    def sees_seat(self, seat: Seat) -> bool:
        """May this audience see what only `seat` may see?"""
        return self.kind is AudienceKind.REFEREE or self.seat == seat


PUBLIC: Final = Audience(AudienceKind.PUBLIC)
REFEREE: Final = Audience(AudienceKind.REFEREE)


def seat_audience(seat: Seat) -> Audience:
    return Audience(AudienceKind.SEAT, seat)
