"""Queries and responses about a match's history."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from pydantic import Field

from foldtable.matches.v1 import history_pb2, match_service_pb2
from gateway.contract.mirror_of import Mirror, mirror_of
from gateway.schemas.answers import Audience, Match, PendingDecision
from gateway.schemas.events import PatchOperation
from gateway.schemas.fields import (
    AudienceKind,
    Digest,
    MatchId,
    RawView,
    Reference,
    SeatNumber,
    Status,
    VersionNumber,
)
from gateway.schemas.inputs import WHOLE, LanguageQuery, PageQuery, QueryParameters, like
from gateway.schemas.moves import Move
from gateway.schemas.tables.layout import Pieces
from services.process.bounds import MAX_METADATA


class ReplayQuery(PageQuery, LanguageQuery):
    """Which versions, which parts of them, for which audience."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="View as this seat.")
    ] = None
    audience: Annotated[
        AudienceKind | None,
        Field(description="The audience, as for a view. Once the match has ended, any audience is allowed."),
    ] = None
    what: Annotated[
        Literal["views", "events", "both", "tables"],
        Field(
            description="What the audience saw after each move, the moves, or both; `tables`: the moves, and all that a page draws."
        ),
    ] = "both"
    first: Annotated[
        Annotated[int, like(VersionNumber), WHOLE] | None,
        Field(alias="from", description="The first version; absent: 1, the start."),
    ] = None
    last: Annotated[
        Annotated[int, like(VersionNumber), WHOLE] | None,
        Field(alias="to", description="The last version; absent: the newest."),
    ] = None
    page_size: Annotated[
        int,
        Field(
            ge=0,
            le=2**31 - 1,
            description="At most this many; 0 means 100; values above 1000 mean 1000. Not with NDJSON, which has no pages.",
        ),
        WHOLE,
    ] = 0


class VerifyQuery(QueryParameters):
    """Which draws to list."""

    draws_page_size: Annotated[
        int,
        Field(
            ge=0,
            le=2**31 - 1,
            description="List at most this many draws of a match that has ended; 0: none; values above 1000 mean 1000.",
        ),
        WHOLE,
    ] = 0
    draws_page_token: Annotated[
        str, Field(max_length=1024, description="`next_draws_page_token` of the previous page.")
    ] = ""


class ExportQuery(QueryParameters):
    """The audience, while the match is running."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="View as this seat.")
    ] = None
    audience: Annotated[
        AudienceKind | None, Field(description="The audience, while the match is running.")
    ] = None


class ReplayTable(Struct, frozen=True, kw_only=True):
    """What a page draws of one version: as in a table, without what changes with time."""

    view: Annotated[
        RawView | None,
        Meta(
            description="The state, as the audience saw it; null if the match was aborted before the start."
        ),
    ]
    pieces: Pieces
    pending: Annotated[list[PendingDecision], Meta(description="The open decisions of all seats.")]


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One version of a match. A line of NDJSON is one of these."""

    version: VersionNumber
    move: Move | UnsetType = UNSET
    view: RawView | UnsetType = UNSET
    table: (
        Annotated[
            ReplayTable,
            Meta(description="The table, if tables were requested: only in the first step of an answer."),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[PatchOperation],
            Meta(
                description="What has changed in the table since the step before, in all later steps: a JSON Patch "
                "(RFC 6902) only with `add`, `remove` and `replace`."
            ),
        ]
        | UnsetType
    ) = UNSET


class ReplayPage(Struct, frozen=True, kw_only=True):
    """Versions of a match, oldest first, without gaps."""

    match_id: MatchId
    audience: Audience
    steps: Annotated[list[ReplayStep], Meta(description="The versions of this page, in order.")]
    next_page_token: Annotated[str, Meta(description="Token of the next page; empty on the last page.")]
    version: VersionNumber
    status: Status


class ImportQuery(QueryParameters):
    """What the platform notes about the imported match."""

    reference: Annotated[
        Annotated[str, like(Reference)],
        Field(
            description="The platform's own reference of the match, which no other match of the tenant has."
        ),
    ] = ""
    metadata: Annotated[
        str,
        Field(
            max_length=4 * MAX_METADATA,
            description=f"The platform's own metadata about the match: a JSON object of at most {MAX_METADATA} bytes without "
            "white space.",
            examples=['{"tournament": "spring", "round": 3}'],
        ),
    ] = ""


class ImportedMatch(Struct, frozen=True, kw_only=True):
    """A match that was imported now or before."""

    match: Match
    replayed: bool


@mirror_of(history_pb2.VerifiedDraw)
class VerifiedDraw(Mirror):
    move: VersionNumber
    digest: Digest


@mirror_of(match_service_pb2.VerifyMatchResponse)
class Verification(Mirror):
    pass
