"""What travels about seats, invites and listings."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import Match, SeatToken
from gateway.schemas.fields import (
    MAX_SEAT,
    GameId,
    Instant,
    PlayerId,
    PlayerName,
    RawOptions,
    RawPlayerData,
    RequestId,
    SeatNumber,
    Status,
)
from gateway.schemas.requests import Input

Hours = Annotated[float, Meta(gt=0, le=366 * 24)]
WatchRole = Literal["spectator", "referee"]

# ── requests ───────────────────────────────────────────────────────────────────────────────────────


class LeaveRequest(Input, frozen=True, kw_only=True):
    """Give a seat back."""

    seat: Annotated[
        SeatNumber | None,
        Meta(
            description="The seat; a seat token may leave it out. One that is kept for somebody is open then."
        ),
    ] = None


class UpdateSeatRequest(Input, frozen=True, kw_only=True):
    """Say something else at a seat. What is left out stays as it was; one of the two must be there."""

    name: PlayerName | UnsetType = UNSET
    data: RawPlayerData | UnsetType = UNSET


class StartRequest(Input, frozen=True, kw_only=True):
    """Nothing needs to be said."""


class RematchRequest(Input, frozen=True, kw_only=True):
    """Nothing needs to be said."""


class RevokeRequest(Input, frozen=True, kw_only=True):
    """Nothing needs to be said."""


class QuickJoinRequest(Input, frozen=True, kw_only=True):
    """A seat at any public match that waits for players, please."""

    game: Annotated[GameId, Meta(max_length=64)]
    player: PlayerId = ""
    name: PlayerName = ""
    seats: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_SEAT + 1)] | None,
        Meta(
            description="Only matches for this number of players; unsaid: any, or the smallest for a new one."
        ),
    ] = None
    options: Annotated[
        RawOptions | UnsetType, Meta(description="Only matches with these options; unsaid: any.")
    ] = UNSET
    create_if_none: Annotated[
        bool, Meta(description="If no match fits, make a public one and take its first seat.")
    ] = False
    request_id: RequestId | None = None


class InviteRequest(Input, frozen=True, kw_only=True):
    """An invite, please."""

    player: PlayerId = ""
    name: PlayerName = ""
    hours: Annotated[Hours | None, Meta(description="How long it is good for; unsaid: 7 days.")] = None


class WatchTokenRequest(Input, frozen=True, kw_only=True):
    """A token for somebody who watches, please."""

    role: Annotated[WatchRole, Meta(description="A spectator looks as the public, a referee as anybody.")]
    hours: Annotated[
        Hours | None, Meta(description="How long it is good for; unsaid: as long as a seat token.")
    ] = None


class MatchesQuery(Input, frozen=True, kw_only=True):
    """Which matches. What is not said is not asked for."""

    game: Annotated[Annotated[GameId, Meta(max_length=64)] | None, Meta(description="Only of this game.")] = (
        None
    )
    status: Annotated[Status | None, Meta(description="Only those that stand so.")] = None
    visibility: Annotated[
        Literal["private", "unlisted", "public", "any"] | None,
        Meta(
            description="Only of this kind; unsaid: public matches, and with `player` or `waiting_for` matches of all kinds."
        ),
    ] = None
    player: Annotated[
        PlayerId | None, Meta(description="Only those this player has a seat at, or one is kept for.")
    ] = None
    waiting_for: Annotated[
        PlayerId | None, Meta(description="Only those that wait for a decision of this player.")
    ] = None
    open_seats: Annotated[
        bool, Meta(description="Only those that wait for players and have an open seat.")
    ] = False
    updated_since: Annotated[
        Annotated[datetime, Meta(tz=True)] | None,
        Meta(description="Only those that have moved on since, this moment included."),
    ] = None
    order: Annotated[
        Literal["created", "-created", "updated", "-updated"] | None,
        Meta(
            description="By creation, or by the minute a match last moved on; `-`: the latest first. Unsaid: `-created`, "
            "and with `updated_since` `updated`, in which who pages on misses no match that moves on meanwhile."
        ),
    ] = None
    page_size: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="At most this many; 0: 100; more than 1000: 1000.")
    ] = 0
    page_token: Annotated[str, Meta(max_length=1024, description="`next_page_token` of the page before.")] = (
        ""
    )


# ── answers ────────────────────────────────────────────────────────────────────────────────────────


class Invite(Struct, frozen=True, kw_only=True):
    """The right to take one seat of one match, once. Keep it secret."""

    seat: SeatNumber
    token: Annotated[str, Meta(description="`Authorization: Bearer <token>` when joining.")]
    expires_at: Instant


class CreatedMatch(Struct, frozen=True, kw_only=True):
    """The new match, with a token per seat that was handed out and an invite per seat that is kept for one."""

    match: Match
    seat_tokens: Annotated[list[SeatToken], Meta(description="A token for each seat that was handed out.")]
    invites: Annotated[list[Invite], Meta(description="An invite for each seat that is kept for one.")]


class IssuedInvite(Struct, frozen=True, kw_only=True):
    """An invite; those made for the seat before are no longer good."""

    invite: Invite


class FollowingMatch(Struct, frozen=True, kw_only=True):
    """The match that follows, with the tokens of every taken seat, or of the caller's own."""

    match: Match
    seat_tokens: Annotated[
        list[SeatToken], Meta(description="The tokens of every taken seat, or of the caller's own.")
    ]


class WatchToken(Struct, frozen=True, kw_only=True):
    """The right to watch one match. Keep it secret."""

    role: Annotated[WatchRole, Meta(description="A spectator looks as the public, a referee as anybody.")]
    token: Annotated[str, Meta(description="`Authorization: Bearer <token>`.")]
    expires_at: Instant


class IssuedWatchToken(Struct, frozen=True, kw_only=True):
    """A watcher's token."""

    watch_token: WatchToken


class MatchList(Struct, frozen=True, kw_only=True):
    """A page of matches, in the order asked for."""

    matches: Annotated[list[Match], Meta(description="The matches of this page.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]
