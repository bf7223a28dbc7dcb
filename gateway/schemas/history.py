"""Bodies of answers about the past of a match."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import Audience, Match, Move
from gateway.schemas.fields import MatchId, RawView, Status, VersionNumber


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One version of a match. A line of NDJSON is one of these."""

    version: VersionNumber
    move: (
        Annotated[Move, Meta(description="The move that led to it; where moves were asked for.")] | UnsetType
    ) = UNSET
    view: RawView | UnsetType = UNSET


class ReplayPage(Struct, frozen=True, kw_only=True):
    """Versions of a match, oldest first, without holes."""

    match_id: MatchId
    audience: Audience
    steps: list[ReplayStep]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]
    version: Annotated[VersionNumber, Meta(description="The match's version.")]
    status: Status


class ImportedMatch(Struct, frozen=True, kw_only=True):
    """A match that was taken in, or had been before."""

    match: Match
    replayed: Annotated[bool, Meta(description="It was here already, the very same; nothing was written.")]
