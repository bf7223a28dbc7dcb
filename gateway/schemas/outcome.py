"""How a match ended."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.fields import SeatNumber
from gateway.schemas.texts import Text


class ScoreLine(Struct, frozen=True, kw_only=True):
    reason: str
    rule: str
    points: int
    text: Text | UnsetType = UNSET


class SeatResult(Struct, frozen=True, kw_only=True):
    seat: SeatNumber
    rank: Annotated[int, Meta(ge=1)]
    score: int | None
    breakdown: list[ScoreLine]


class Outcome(Struct, frozen=True, kw_only=True):
    reason: str
    rule: str
    winners: list[int]
    results: list[SeatResult]
    text: Text | UnsetType = UNSET
