"""Taking moves back and calling matches off: what is asked, and what is answered."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from gateway.schemas.answers import Proposal
from gateway.schemas.fields import (
    MAX_VERSION,
    MatchId,
    RequestId,
    SeatNumber,
    UndoRule,
    VersionNumber,
)
from gateway.schemas.requests import Input

_DECIDED_ON = Meta(description="The version it was decided on; the body's form of `If-Match`.")
_ACTING = Meta(description="The acting seat; a seat token may leave it out.")


class UndoRequest(Input, frozen=True, kw_only=True):
    """Back to an earlier version."""

    to: Annotated[int, Meta(ge=1, le=MAX_VERSION, description="The version to go back to.")]
    seat: Annotated[SeatNumber | None, _ACTING] = None
    expected_version: Annotated[VersionNumber | None, _DECIDED_ON] = None
    request_id: RequestId | None = None


class RedoRequest(Input, frozen=True, kw_only=True):
    """Put back what was taken back last."""

    seat: Annotated[SeatNumber | None, _ACTING] = None
    expected_version: Annotated[VersionNumber | None, _DECIDED_ON] = None
    request_id: RequestId | None = None


class UndoAnswerRequest(Input, frozen=True, kw_only=True):
    """An answer to the open proposal."""

    accept: Annotated[bool, Meta(description="Agree to go back.")]
    seat: Annotated[SeatNumber | None, _ACTING] = None
    expected_version: Annotated[VersionNumber | None, _DECIDED_ON] = None
    request_id: RequestId | None = None


class AbortRequest(Input, frozen=True, kw_only=True):
    """Call the match off."""

    seat: Annotated[
        SeatNumber | None,
        Meta(
            description="The seat that asks the others; a seat token may leave it out. Unsaid with an API key: the tenant "
            "itself decides."
        ),
    ] = None
    expected_version: Annotated[VersionNumber | None, _DECIDED_ON] = None
    request_id: RequestId | None = None


class AbortAnswerRequest(Input, frozen=True, kw_only=True):
    """An answer to the open proposal."""

    accept: Annotated[bool, Meta(description="Agree to call the match off.")]
    seat: Annotated[SeatNumber | None, _ACTING] = None
    expected_version: Annotated[VersionNumber | None, _DECIDED_ON] = None
    request_id: RequestId | None = None


class UndoQuery(Input, frozen=True, kw_only=True):
    """Which seat."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None


class UndoObstacle(Struct, frozen=True, kw_only=True):
    """Why a seat may not go further back by itself."""

    reason: Annotated[
        str,
        Meta(
            description="`DREW_LUCK`, `REVEALED`, `ANSWERED`, `TIMED_OUT`, `NOT_YOURS` or `NOTHING_TO_UNDO`.",
            examples=["ANSWERED"],
        ),
    ]
    version: Annotated[VersionNumber | None, Meta(description="The move in the way.")]


class UndoState(Struct, frozen=True, kw_only=True):
    """What a seat may take back now."""

    match_id: MatchId
    version: VersionNumber
    seat: SeatNumber
    rule: Annotated[UndoRule, Meta(description="What may be taken back in this match.")]
    free_to: Annotated[
        VersionNumber,
        Meta(description="How far the seat may go back by itself; the present version if not at all."),
    ]
    obstacle: Annotated[UndoObstacle | None, Meta(description="Why not further by itself.")]
    earliest: Annotated[
        VersionNumber,
        Meta(
            description="How far back the others may be asked to go; the present version if they cannot be asked."
        ),
    ]
    refusal: Annotated[
        str | None,
        Meta(description="Why nothing at all can be taken back, such as `SWITCHED_OFF` or `MATCH_OVER`."),
    ]
    redo: Annotated[bool, Meta(description="The seat may put back what it took back last.")]
    proposal: Proposal | None
