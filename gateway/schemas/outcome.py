"""How a match ended."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.fields import SeatNumber
from gateway.schemas.texts import Text


class ScoreLine(Struct, frozen=True, kw_only=True):
    """Points from one source."""

    reason: Annotated[str, Meta(description="Stable code of the game.")]
    rule: Annotated[str, Meta(description="Paragraph of the rules, such as `7.2`.")]
    points: Annotated[int, Meta(description="Number of points.")]
    text: (
        Annotated[Text, Meta(description="What the points are for; only if a language is asked for.")]
        | UnsetType
    ) = UNSET


class SeatResult(Struct, frozen=True, kw_only=True):
    """One seat's result."""

    seat: SeatNumber
    rank: Annotated[int, Meta(ge=1, description="1 is best; tied seats share a rank.")]
    score: Annotated[int | None, Meta(description="Sum of the breakdown; null in a game without points.")]
    breakdown: Annotated[list[ScoreLine], Meta(description="Where the points come from.")]


class Outcome(Struct, frozen=True, kw_only=True):
    """How a match ended."""

    reason: Annotated[
        str, Meta(description="Stable code of the game; `ABORTED` for a match that was called off.")
    ]
    rule: Annotated[str, Meta(description="Paragraph of the rules, such as `7.2`.")]
    winners: Annotated[list[int], Meta(description="The winning seats; empty means a draw or no result.")]
    results: Annotated[
        list[SeatResult],
        Meta(description="Every seat's result, in order of seats; empty if the match was called off."),
    ]
    text: (
        Annotated[Text, Meta(description="How it ended, for players; only if a language is asked for.")]
        | UnsetType
    ) = UNSET
