"""How a match ended: who won, why, and every seat's score line by line."""

from __future__ import annotations

import msgspec

from engine.kernel.seats import Seat


class ScoreLine(msgspec.Struct, frozen=True, kw_only=True):
    """Points from one source. `reason` is a stable code of the game, `rule` its paragraph."""

    reason: str
    rule: str
    points: int


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's result. `rank` 1 is best; tied seats share a rank. `score` is the sum of `breakdown`, or None without points."""

    seat: Seat
    rank: int
    score: int | None = None
    breakdown: tuple[ScoreLine, ...] = ()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a match. `reason` is a stable code of the game; no winners means a draw."""

    reason: str
    rule: str
    winners: tuple[Seat, ...]
    results: tuple[SeatResult, ...]
