"""Bodies, queries and responses about seats, invites and listings."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from pydantic import Field

from gateway.schemas.answers import Match, SeatToken
from gateway.schemas.fields import (
    HOUR,
    MAX_SEAT,
    GameId,
    Instant,
    MatchId,
    PlayerId,
    PlayerName,
    RawPlayerData,
    Reference,
    ReplacementConsent,
    RequestId,
    SeatNumber,
    SentMetadata,
    Status,
    Title,
    Visibility,
)
from gateway.schemas.inputs import (
    ABSENT,
    FLAG,
    Moment,
    PageQuery,
    PassedOn,
    QueryParameters,
    RequestBody,
    like,
)
from gateway.schemas.problem_types import Problem
from services.process.bounds import MAX_METADATA, MAX_METADATA_FILTERS, MAX_TOKEN_LIFETIME

Hours = Annotated[float, Field(gt=0, le=MAX_TOKEN_LIFETIME // HOUR, examples=[24])]
WatchRole = Literal["spectator", "referee"]

# ── requests ───────────────────────────────────────────────────────────────────────────────────────


class LeaveRequest(RequestBody):
    """Leave a seat before the start."""

    seat: Annotated[int, like(SeatNumber)] | None = None


class UpdateSeatRequest(RequestBody):
    """Change a player's name, data or readiness. What is absent stays as it was; one of them is required."""

    name: Annotated[str, like(PlayerName)] = ABSENT
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None
    ready: bool = ABSENT


class UpdateMatchRequest(RequestBody):
    """A merge patch (RFC 7396) of a match. What is absent stays as it was; one of them is required."""

    title: Annotated[Annotated[str, like(Title)] | None, Field(description="The title; null removes it.")] = (
        None
    )
    visibility: Visibility = ABSENT
    reference: Annotated[
        Annotated[str, like(Reference)] | None,
        Field(description="The platform's own reference; null removes it."),
    ] = None
    metadata: Annotated[Raw | None, PassedOn(), like(SentMetadata)] = None


class ReplacePlayerRequest(RequestBody):
    """Who is to have the seat."""

    player: Annotated[str, like(PlayerId), Field(min_length=1)]
    name: Annotated[str, like(PlayerName)] = ""
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None
    consent: ReplacementConsent = "tenant"
    request_id: Annotated[str, like(RequestId)] | None = None


class StartRequest(RequestBody):
    """An empty object."""


class RematchRequest(RequestBody):
    """What the platform notes about the rematch."""

    reference: Annotated[str, like(Reference)] = ""
    metadata: Annotated[Raw | None, PassedOn(), like(SentMetadata)] = None


class RevokeRequest(RequestBody):
    """An empty object."""


class QuickJoinRequest(RequestBody):
    game: Annotated[str, like(GameId), Field(max_length=64)]
    player: Annotated[str, like(PlayerId)] = ""
    name: Annotated[str, like(PlayerName)] = ""
    seats: Annotated[int, Field(ge=1, le=MAX_SEAT + 1)] | None = None
    options: Annotated[Raw | None, PassedOn("Options")] = None
    create_if_none: bool = False
    request_id: Annotated[str, like(RequestId)] | None = None


class InviteRequest(RequestBody):
    """A request for an invite."""

    player: Annotated[str, like(PlayerId)] = ""
    name: Annotated[str, like(PlayerName)] = ""
    hours: Annotated[Hours | None, Field(description="How long it is valid; absent: 7 days.")] = None


class WatchTokenRequest(RequestBody):
    role: WatchRole
    hours: Annotated[
        Hours | None, Field(description="How long it is valid, in hours; absent: as long as a seat token.")
    ] = None


class MatchFilters(QueryParameters):
    """Filters and order of a list of matches. An absent filter does not restrict the list."""

    game: Annotated[
        str | None,
        Field(max_length=64, description="Only matches of this game.", examples=["river_dragons"]),
    ] = None
    status: Annotated[Status | None, Field(description="Only matches with this status.")] = None
    visibility: Annotated[
        Literal["private", "unlisted", "public", "any"] | None,
        Field(
            description="Only matches with this visibility; `any`, like an absent filter: matches of all visibilities."
        ),
    ] = None
    player: Annotated[
        Annotated[str, like(PlayerId)] | None,
        Field(description="Only matches in which this player has a seat or a reserved seat."),
    ] = None
    waiting_for: Annotated[
        Annotated[str, like(PlayerId)] | None,
        Field(description="Only matches that wait for a decision of this player."),
    ] = None
    open_seats: Annotated[
        bool, Field(description="Only matches that wait for players and have an open seat."), FLAG
    ] = False
    reference: Annotated[
        Annotated[str, like(Reference)] | None,
        Field(min_length=1, description="Only the match with this reference. With an API key."),
    ] = None
    metadata: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MAX_METADATA,
            description="Only matches whose metadata have each of these members: a JSON object with 1 to "
            f"{MAX_METADATA_FILTERS} names, whose values are strings, numbers, booleans or null. With an API key.",
            examples=['{"tournament": "spring", "round": 3}'],
        ),
    ] = None
    updated_since: Annotated[
        Moment | None, Field(description="Only matches updated at or after this time.")
    ] = None
    order: Annotated[
        Literal["created", "-created", "updated", "-updated"] | None,
        Field(
            description="Order by creation, or by the minute of a match's last update; `-`: the latest first. Absent: "
            "`-created`, or with `updated_since` `updated`, with which paging misses no match that is updated meanwhile."
        ),
    ] = None


class MatchesQuery(MatchFilters, PageQuery):
    """Which matches, in which order, which page of them."""


class MatchesExportQuery(MatchFilters):
    """Which matches, in which order, and what of each."""

    what: Annotated[
        Literal["moves", "results"],
        Field(
            description="`moves`: each match's export; `results`: its match document, with seats and outcome."
        ),
    ] = "moves"
    page_token: Annotated[
        str,
        Field(
            max_length=1024,
            description="`page_token` of a line of an earlier export with the same parameters: continue after it.",
        ),
    ] = ""


# ── answers ────────────────────────────────────────────────────────────────────────────────────────


class Invite(Struct, frozen=True, kw_only=True):
    seat: SeatNumber
    token: str
    expires_at: Instant


class CreatedMatch(Struct, frozen=True, kw_only=True):
    """The new match, with a token for each seat that was assigned and an invite for each seat to be taken by invite."""

    match: Match
    seat_tokens: Annotated[list[SeatToken], Meta(description="A token for each seat that was assigned.")]
    invites: list[Invite]


class CreationResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one of several new matches: it has one of `created` and `problem`."""

    created: CreatedMatch | UnsetType = UNSET
    problem: Annotated[
        Problem | UnsetType,
        Meta(
            description="Why the match was refused, as a request for it alone would have been. Pointers begin with its place, "
            "such as `/matches/17/seats`."
        ),
    ] = UNSET


class CreatedMatches(Struct, frozen=True, kw_only=True):
    """What became of several new matches."""

    results: list[CreationResult]


class IssuedInvite(Struct, frozen=True, kw_only=True):
    invite: Invite


class FollowingMatch(Struct, frozen=True, kw_only=True):
    """The rematch, with the tokens of every taken seat or only the caller's own."""

    match: Match
    seat_tokens: Annotated[
        list[SeatToken],
        Meta(description="The tokens of every taken seat; for a seat token only the caller's own."),
    ]


class WatchToken(Struct, frozen=True, kw_only=True):
    role: WatchRole
    token: str
    expires_at: Instant


class IssuedWatchToken(Struct, frozen=True, kw_only=True):
    """A fresh watch token."""

    watch_token: WatchToken


class ExportProblem(Struct, frozen=True, kw_only=True):
    """Why a match is missing in an export of many."""

    reason: Annotated[
        str, Meta(description="The stable code with which an export of this match alone is refused.")
    ]
    detail: Annotated[str, Meta(description="In words, for people; they may change.")]


class ExportedMatch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of an export of many matches: it has one of `export`, `match` and `problem`."""

    match_id: MatchId
    page_token: Annotated[str, Meta(description="Continues an export after this match.")]
    export: Annotated[
        Raw | UnsetType, Meta(description="The match's export, format `foldtable.match.v1`.")
    ] = UNSET
    match: Match | UnsetType = UNSET
    problem: Annotated[
        ExportProblem | UnsetType,
        Meta(description="Why the match could not be exported; the export goes on."),
    ] = UNSET


class MatchList(Struct, frozen=True, kw_only=True):
    """A page of matches, in the requested order."""

    matches: list[Match]
    next_page_token: str
