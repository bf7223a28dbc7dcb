"""Bodies and query parameters. Whatever is not named here is refused."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.fields import (
    MAX_SEAT,
    AudienceKind,
    GameId,
    PlayerName,
    RawAction,
    RawOptions,
    RequestId,
    SeatNumber,
    VersionNumber,
)


class _Input(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whatever comes from outside: unknown fields are refused."""


class CreateMatchRequest(_Input, frozen=True, kw_only=True):
    """A new match."""

    game: Annotated[GameId, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=MAX_SEAT + 1, description="Number of players.")]
    options: RawOptions | UnsetType = UNSET
    players: Annotated[
        list[PlayerName],
        Meta(max_length=MAX_SEAT + 1, description="Names by seat; may be shorter than `seats`."),
    ] = []
    open_seats: Annotated[
        bool, Meta(description="Hand out no seats now: the match waits until all have been taken by joining.")
    ] = False
    request_id: RequestId | None = None


class JoinRequest(_Input, frozen=True, kw_only=True):
    """A free seat, please."""

    seat: SeatNumber | None = None
    player: PlayerName = ""


class MoveRequest(_Input, frozen=True, kw_only=True):
    """A move."""

    action: RawAction
    expected_version: Annotated[
        VersionNumber | None,
        Meta(description="The version the move was decided on; the body's form of `If-Match`."),
    ] = None
    seat: Annotated[
        SeatNumber | None, Meta(description="The acting seat; a seat token may leave it out.")
    ] = None
    request_id: RequestId | None = None


class ResignRequest(_Input, frozen=True, kw_only=True):
    """Leave for good."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None
    expected_version: VersionNumber | None = None
    request_id: RequestId | None = None


class IssueTokenRequest(_Input, frozen=True, kw_only=True):
    """Nothing needs to be said."""


class NoQuery(_Input, frozen=True, kw_only=True):
    """No query parameters."""


class ViewQuery(_Input, frozen=True, kw_only=True):
    """For whose eyes, and when."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[
        AudienceKind | None,
        Meta(description="For whose eyes; unsaid: the token's own seat, or the public for an API key."),
    ] = None
    at: Annotated[VersionNumber | None, Meta(description="After which move; unsaid: now.")] = None


class LegalActionsQuery(_Input, frozen=True, kw_only=True):
    """Whose actions."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None
    samples: Annotated[
        int, Meta(ge=0, le=100, description="How many legal actions to draw at random, with repetition.")
    ] = 0


class MovesQuery(_Input, frozen=True, kw_only=True):
    """Which moves, for whose eyes."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes; as for a view.")] = None
    after: Annotated[VersionNumber, Meta(description="Only moves after this version.")] = 0
    page_size: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="At most this many; 0: 100; more than 1000: 1000.")
    ] = 0
    page_token: Annotated[str, Meta(max_length=1024, description="`next_page_token` of the page before.")] = (
        ""
    )


class StreamQuery(_Input, frozen=True, kw_only=True):
    """From where, for whose eyes."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes; as for a view.")] = None
    after_version: Annotated[
        VersionNumber | None, Meta(description="The version the client has; the header `Last-Event-ID` wins.")
    ] = None


class ExportQuery(_Input, frozen=True, kw_only=True):
    """For whose eyes while the match runs."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes while the match runs.")] = None
