"""The query and the response about which moves may be taken back."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from pydantic import Field

from gateway.schemas.answers import Proposal
from gateway.schemas.fields import (
    MatchId,
    SeatNumber,
    UndoRule,
    VersionNumber,
)
from gateway.schemas.inputs import WHOLE, QueryParameters, like


class UndoQuery(QueryParameters):
    """Names the seat."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None,
        Field(description="The seat; a seat token may leave it out."),
    ] = None


class UndoObstacle(Struct, frozen=True, kw_only=True):
    """Why a seat may not go further back by itself."""

    reason: Annotated[
        str,
        Meta(
            description="`DREW_LUCK`, `REVEALED`, `ANSWERED`, `TIMED_OUT`, `NOT_YOURS` or `NOTHING_TO_UNDO`.",
            examples=["ANSWERED"],
        ),
    ]
    version: Annotated[VersionNumber | None, Meta(description="The version of the move that prevents it.")]


class UndoState(Struct, frozen=True, kw_only=True):
    """Which moves a seat may take back now."""

    match_id: MatchId
    version: VersionNumber
    seat: SeatNumber
    rule: UndoRule
    free_to: VersionNumber
    obstacle: Annotated[
        UndoObstacle | None, Meta(description="Why the seat may not go back further on its own.")
    ]
    earliest: VersionNumber
    refusal: str | None
    redo: bool
    proposal: Proposal | None
