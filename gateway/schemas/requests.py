"""Bodies and query parameters. Whatever is not named here is refused."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from gateway.schemas.clocks import AbsentRule, AwayAfter, ClockKind, ClockSeconds, Increment
from gateway.schemas.fields import (
    MAX_SEAT,
    AudienceKind,
    BotLevel,
    BotName,
    GameId,
    PlayerId,
    PlayerName,
    RawAction,
    RawOptions,
    RawPlayerData,
    RequestId,
    SeatNumber,
    StartRule,
    Ticket,
    Title,
    UndoRule,
    UndoSeconds,
    VersionNumber,
    Visibility,
    WaitTime,
)


class Input(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whatever comes from outside: unknown fields are refused."""


class NewClock(Input, frozen=True, kw_only=True):
    """The clock of a new match."""

    kind: ClockKind
    seconds: ClockSeconds
    increment_seconds: Increment = 0
    absent: AbsentRule = "policy"
    away_after: AwayAfter = 2


class SeatPlan(Input, frozen=True, kw_only=True):
    """One seat of a new match."""

    kind: Annotated[
        Literal["closed", "open", "invited", "bot"],
        Meta(
            description="`closed`: handed out at once. `open`: for whoever joins first. `invited`: for whoever holds its "
            "invite. `bot`: a bot's, and `level` or `bot` says whose."
        ),
    ] = "closed"
    player: PlayerId = ""
    name: PlayerName = ""
    level: BotLevel = ""
    bot: BotName = ""


class CreateMatchRequest(Input, frozen=True, kw_only=True):
    """A new match."""

    game: Annotated[GameId, Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=MAX_SEAT + 1, description="Number of players.")]
    options: RawOptions | UnsetType = UNSET
    players: Annotated[
        list[PlayerId],
        Meta(max_length=MAX_SEAT + 1, description="Players by seat; may be shorter than `seats`."),
    ] = []
    open_seats: Annotated[
        bool, Meta(description="Hand out no seats now: the match waits until all have been taken by joining.")
    ] = False
    seating: Annotated[
        list[SeatPlan],
        Meta(
            max_length=MAX_SEAT + 1,
            description="Every seat by itself, instead of `players` and `open_seats`; unsaid: all are handed out.",
        ),
    ] = []
    visibility: Annotated[
        Visibility,
        Meta(
            description="Who finds it, beside those at the table and the tenant: nobody, whoever was told its id, or "
            "everybody."
        ),
    ] = "private"
    start: Annotated[
        StartRule, Meta(description="With its last seat taken, or when somebody at the table says so.")
    ] = "when_full"
    title: Title = ""
    undo: Annotated[
        UndoRule,
        Meta(
            description="What may be taken back: nothing; own moves, as long as nothing was drawn, revealed or answered "
            "since; or beyond that whatever all others agree to."
        ),
    ] = "consent"
    undo_timeout_seconds: UndoSeconds = 86_400
    clock: Annotated[
        NewClock | None, Meta(description="How much time it gives; unsaid: nobody is hurried.")
    ] = None
    rules_version: Annotated[
        str,
        Meta(
            max_length=64,
            description="The rules it is played by, one of the game's `rules_versions`; unsaid: the newest. It keeps them.",
        ),
    ] = ""
    request_id: RequestId | None = None


class ForkRequest(Input, frozen=True, kw_only=True):
    """A match that begins at a table of another one."""

    version: Annotated[
        VersionNumber | None, Meta(description="At whose table it begins; unsaid: the newest.")
    ] = None
    audience: Annotated[
        AudienceKind | None,
        Meta(
            description="Whose knowledge is kept, the rest is dealt again; unsaid: that of the token's own seat, or the "
            "public's for an API key."
        ),
    ] = None
    seat: Annotated[SeatNumber | None, Meta(description="With the audience `seat`: which.")] = None
    seating: Annotated[
        list[SeatPlan],
        Meta(
            max_length=MAX_SEAT + 1,
            description="Every seat by itself; unsaid: all are handed out. For API keys only, and so are `visibility` and "
            "`start`.",
        ),
    ] = []
    visibility: Annotated[Visibility, Meta(description="Who finds it.")] = "private"
    start: Annotated[StartRule, Meta(description="What begins it.")] = "when_full"
    title: Title = ""
    undo: Annotated[
        UndoRule, Meta(description="What may be taken back; nothing goes back before the fork.")
    ] = "consent"
    undo_timeout_seconds: UndoSeconds = 86_400
    request_id: RequestId | None = None


class JoinRequest(Input, frozen=True, kw_only=True):
    """A free seat, please."""

    seat: Annotated[
        SeatNumber | None, Meta(description="The seat wanted; unsaid: the lowest open one, or the invite's.")
    ] = None
    player: Annotated[PlayerId, Meta(description="The player; with an invite nobody: it says who.")] = ""
    name: PlayerName = ""
    data: RawPlayerData | UnsetType = UNSET
    request_id: RequestId | None = None


class MoveRequest(Input, frozen=True, kw_only=True):
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


class ResignRequest(Input, frozen=True, kw_only=True):
    """Leave for good."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None
    expected_version: VersionNumber | None = None
    request_id: RequestId | None = None


class ReturnRequest(Input, frozen=True, kw_only=True):
    """Back at the table."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None
    expected_version: VersionNumber | None = None
    request_id: RequestId | None = None


class IssueTokenRequest(Input, frozen=True, kw_only=True):
    """Nothing needs to be said."""


class MoveQuery(Input, frozen=True, kw_only=True):
    """Whether it is meant."""

    dry_run: Annotated[
        bool, Meta(description="Judge the move and make nothing of it; what it would lead to is not told.")
    ] = False


class NoQuery(Input, frozen=True, kw_only=True):
    """No query parameters."""


class ViewQuery(Input, frozen=True, kw_only=True):
    """For whose eyes, and when."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[
        AudienceKind | None,
        Meta(description="For whose eyes; unsaid: the token's own seat, or the public for an API key."),
    ] = None
    at: Annotated[VersionNumber | None, Meta(description="After which move; unsaid: now.")] = None


class LegalActionsQuery(Input, frozen=True, kw_only=True):
    """Whose actions."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat; a seat token may leave it out.")] = None
    samples: Annotated[
        int, Meta(ge=0, le=100, description="How many legal actions to draw at random, with repetition.")
    ] = 0


class MovesQuery(Input, frozen=True, kw_only=True):
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
    wait: WaitTime | None = None


class ReplayQuery(Input, frozen=True, kw_only=True):
    """Which versions, what of them, for whose eyes."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[
        AudienceKind | None,
        Meta(description="For whose eyes, as for a view; once the match is over, anybody's."),
    ] = None
    what: Annotated[
        Literal["views", "events", "both"],
        Meta(description="What the audience saw after each move, the moves, or both."),
    ] = "both"
    first: Annotated[VersionNumber | None, Meta(description="The first version; unsaid: 1, the start.")] = (
        field(default=None, name="from")
    )
    last: Annotated[VersionNumber | None, Meta(description="The last version; unsaid: the newest.")] = field(
        default=None, name="to"
    )
    page_size: Annotated[
        int,
        Meta(
            ge=0,
            le=2**31 - 1,
            description="At most this many; 0: 100; more than 1000: 1000. Not for NDJSON, which has no pages.",
        ),
    ] = 0
    page_token: Annotated[str, Meta(max_length=1024, description="`next_page_token` of the page before.")] = (
        ""
    )


class VerifyQuery(Input, frozen=True, kw_only=True):
    """Which draws to list."""

    draws_page_size: Annotated[
        int,
        Meta(
            ge=0,
            le=2**31 - 1,
            description="List the draws of a match that is over, at most this many; 0: none; more than 1000: 1000.",
        ),
    ] = 0
    draws_page_token: Annotated[
        str, Meta(max_length=1024, description="`next_draws_page_token` of the page before.")
    ] = ""


class StreamQuery(Input, frozen=True, kw_only=True):
    """From where, for whose eyes."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes; as for a view.")] = None
    after_version: Annotated[
        VersionNumber | None, Meta(description="The version the client has; the header `Last-Event-ID` wins.")
    ] = None
    ticket: Ticket | None = None


class ExportQuery(Input, frozen=True, kw_only=True):
    """For whose eyes while the match runs."""

    seat: Annotated[SeatNumber | None, Meta(description="Look as this seat.")] = None
    audience: Annotated[AudienceKind | None, Meta(description="For whose eyes while the match runs.")] = None
