"""Bodies and query parameters of matches and of play. Unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Raw, Struct
from pydantic import Field

from gateway.schemas.clocks import (
    AbandonedAfter,
    AbsentRule,
    AwayAfter,
    ClockKind,
    ClockSeconds,
    Increment,
    RemindBefore,
)
from gateway.schemas.fields import (
    MAX_SEAT,
    AudienceKind,
    BotLevel,
    BotName,
    BotPace,
    GameId,
    Included,
    PlayerId,
    PlayerName,
    RawAction,
    RawPlayerData,
    Reference,
    RequestId,
    SeatNumber,
    SentMetadata,
    StartRule,
    Ticket,
    Title,
    UndoRule,
    UndoSeconds,
    VersionNumber,
    Visibility,
    WaitTime,
)
from gateway.schemas.inputs import (
    FLAG,
    WHOLE,
    LanguageQuery,
    PageQuery,
    PassedOn,
    QueryParameters,
    RequestBody,
    like,
)
from services.process.bounds import MAX_BATCH, MAX_SAMPLES, MAX_TOKEN


class ClockSettings(RequestBody):
    """The clock of a new match."""

    kind: ClockKind
    seconds: Annotated[int, like(ClockSeconds)]
    increment_seconds: Annotated[int, like(Increment)] = 0
    absent: AbsentRule = "policy"
    away_after: Annotated[int, like(AwayAfter)] = 2
    abandoned_after_seconds: Annotated[int, like(AbandonedAfter)] | None = None
    remind_before_seconds: Annotated[int, like(RemindBefore)] | None = None
    vacations: bool = False


class SeatPlan(RequestBody):
    """One seat of a new match."""

    kind: Literal["closed", "open", "invited", "bot"] = "closed"
    player: Annotated[str, like(PlayerId)] = ""
    name: Annotated[str, like(PlayerName)] = ""
    level: Annotated[str, like(BotLevel)] = ""
    bot: Annotated[str, like(BotName)] = ""
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None


class NewMatch(RequestBody):
    """What is chosen for every new match, whether it begins at the beginning or with a state of another one."""

    seating: Annotated[list[SeatPlan], Field(max_length=MAX_SEAT + 1)] = []  # noqa: RUF012 - pydantic copies it
    visibility: Visibility = "private"
    start: StartRule = "when_full"
    title: Annotated[str, like(Title)] = ""
    undo: UndoRule = "consent"
    undo_timeout_seconds: Annotated[int, like(UndoSeconds)] = 86_400
    bot_pace_seconds: Annotated[float, like(BotPace)] = 0
    reference: Annotated[str, like(Reference)] = ""
    metadata: Annotated[Raw | None, PassedOn(), like(SentMetadata)] = None


class NewMatchOfAGame(NewMatch):
    """What is chosen for a match that begins at the beginning."""

    game: Annotated[str, like(GameId), Field(max_length=64)]
    seats: Annotated[int, Field(ge=1, le=MAX_SEAT + 1)]
    options: Annotated[Raw | None, PassedOn("Options")] = None
    players: Annotated[list[Annotated[str, like(PlayerId)]], Field(max_length=MAX_SEAT + 1)] = []  # noqa: RUF012 - pydantic copies it
    open_seats: bool = False
    clock: ClockSettings | None = None
    rules_version: Annotated[str, Field(max_length=64)] = ""


class CreateMatchRequest(NewMatchOfAGame):
    """A new match."""

    request_id: Annotated[str, like(RequestId)] | None = None


class BatchedMatch(NewMatchOfAGame):
    """One of several new matches. It has no `request_id` of its own."""


class CreateMatchesRequest(RequestBody):
    """Several new matches."""

    max_bytes: ClassVar[int] = 1024 * 1024

    mode: Annotated[
        Literal["all", "each"],
        Field(
            description="`all`: create all matches, or none if one is refused. `each`: create or refuse each by itself."
        ),
    ]
    matches: Annotated[list[BatchedMatch], Field(min_length=1, max_length=MAX_BATCH)]
    request_id: Annotated[str, like(RequestId)] | None = None


class ForkRequest(NewMatch):
    """A new match that begins with a state of another one.

    With a match token, `seating`, `visibility` and `start` cannot be chosen. Moves before the fork are never taken back.
    """

    version: Annotated[int, like(VersionNumber)] | None = None
    audience: AudienceKind | None = None
    seat: Annotated[
        Annotated[int, like(SeatNumber)] | None, Field(description="The seat, with the audience `seat`.")
    ] = None
    request_id: Annotated[str, like(RequestId)] | None = None


class JoinRequest(RequestBody):
    """A request for a free seat."""

    seat: Annotated[int, like(SeatNumber)] | None = None
    player: Annotated[str, like(PlayerId)] = ""
    name: Annotated[str, like(PlayerName)] = ""
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None
    invite: Annotated[str, Field(max_length=MAX_TOKEN)] = ""
    request_id: Annotated[str, like(RequestId)] | None = None


class IssueTokenRequest(RequestBody):
    """An empty object."""


class MoveRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move."""

    action: RawAction
    expected_version: Annotated[
        VersionNumber | None,
        Meta(description="The version that the move is based on; equivalent to `If-Match`."),
    ] = None
    seat: SeatNumber | None = None
    request_id: RequestId | None = None


class MoveQuery(LanguageQuery):
    """Whether the move is to be made or only checked."""

    dry_run: Annotated[
        bool,
        Field(
            description="Only check whether the move is legal; the response does not say what it would lead to."
        ),
        FLAG,
    ] = False
    include: Annotated[
        Included | None,
        Field(
            description="`table`: return also the table after the move, as the seat sees it (`GET …/table`)."
        ),
    ] = None


class ViewQuery(LanguageQuery):
    """For which audience, and at which version."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="View as this seat.")
    ] = None
    audience: Annotated[
        AudienceKind | None,
        Field(description="The audience; absent: the token's own seat, or the public for an API key."),
    ] = None
    at: Annotated[
        Annotated[int, like(VersionNumber), WHOLE] | None,
        Field(description="The version; absent: the newest."),
    ] = None


class LegalActionsQuery(LanguageQuery):
    """Whose actions."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None,
        Field(description="The seat; a seat token may leave it out."),
    ] = None
    samples: Annotated[
        int,
        Field(ge=0, le=MAX_SAMPLES, description="How many legal actions to draw at random, with repetition."),
        WHOLE,
    ] = 0
    hints: Annotated[
        bool,
        Field(description="Return also how each action and template is presented to a person."),
        FLAG,
    ] = False


class AudienceQuery(QueryParameters):
    """For which audience."""

    seat: Annotated[
        Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="View as this seat.")
    ] = None
    audience: Annotated[AudienceKind | None, Field(description="The audience, as for a view.")] = None


class MovesQuery(AudienceQuery, PageQuery, LanguageQuery):
    """Which moves, for which audience."""

    after: Annotated[int, like(VersionNumber), Field(description="Only moves after this version."), WHOLE] = 0
    wait: Annotated[str, like(WaitTime)] | None = None


class StreamQuery(AudienceQuery, LanguageQuery):
    """After which version, for which audience."""

    after_version: Annotated[
        Annotated[int, like(VersionNumber), WHOLE] | None,
        Field(description="The version the client has; the header `Last-Event-ID` takes precedence."),
    ] = None
    include: Annotated[
        Included | None,
        Field(
            description="`table`: the stream begins with the table in place of a snapshot, and sends it again after moves "
            "and whenever seats change."
        ),
    ] = None
    ticket: Annotated[str, like(Ticket)] | None = None
