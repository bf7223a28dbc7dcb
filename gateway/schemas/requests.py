"""Bodies and query parameters of matches and of play. Unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct
from pydantic import Field

from gateway.schemas.clocks import AbandonedAfter, AbsentRule, AwayAfter, ClockKind, ClockSeconds, Increment
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


class NewClock(RequestBody):
    """The clock of a new match."""

    kind: Annotated[ClockKind, like(ClockKind)]
    seconds: Annotated[int, like(ClockSeconds)]
    increment_seconds: Annotated[int, like(Increment)] = 0
    absent: Annotated[AbsentRule, like(AbsentRule)] = "policy"
    away_after: Annotated[int, like(AwayAfter)] = 2
    abandoned_after_seconds: Annotated[int, like(AbandonedAfter)] | None = None


class SeatPlan(RequestBody):
    """One seat of a new match."""

    kind: Annotated[
        Literal["closed", "open", "invited", "bot"],
        Field(
            description="`closed`: assigned at once. `open`: for whoever joins first. `invited`: for the holder of its "
            "invite. `bot`: played by the bot that `level` or `bot` names."
        ),
    ] = "closed"
    player: Annotated[str, like(PlayerId)] = ""
    name: Annotated[str, like(PlayerName)] = ""
    level: Annotated[str, like(BotLevel)] = ""
    bot: Annotated[str, like(BotName)] = ""
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None


class NewMatch(RequestBody):
    """What is chosen for every new match, whether it begins at the beginning or with a state of another one."""

    seating: Annotated[
        list[SeatPlan],
        Field(
            max_length=MAX_SEAT + 1,
            description="Each seat individually; absent: all seats are assigned, or as `players` and `open_seats` say.",
        ),
    ] = []  # noqa: RUF012 - pydantic copies it
    visibility: Annotated[
        Visibility,
        Field(
            description="Who can find it besides its players and the tenant: `private`: nobody; `unlisted`: everybody "
            "who knows its id; `public`: everybody."
        ),
    ] = "private"
    start: Annotated[
        StartRule,
        Field(
            description="When it starts: as soon as its last seat is taken, or when somebody in the match starts it."
        ),
    ] = "when_full"
    title: Annotated[str, like(Title)] = ""
    undo: Annotated[
        UndoRule,
        Field(
            description="Which moves may be taken back: none; a seat's own moves, as long as nothing was drawn, revealed or "
            "answered since; or, in addition, whatever all others agree to."
        ),
    ] = "consent"
    undo_timeout_seconds: Annotated[int, like(UndoSeconds)] = 86_400
    bot_pace_seconds: Annotated[float, like(BotPace)] = 0
    request_id: Annotated[str, like(RequestId)] | None = None


class CreateMatchRequest(NewMatch):
    """A new match."""

    game: Annotated[str, like(GameId), Field(max_length=64)]
    seats: Annotated[int, Field(ge=1, le=MAX_SEAT + 1, description="Number of players.")]
    options: Annotated[Raw | None, PassedOn("Options")] = None
    players: Annotated[
        list[Annotated[str, like(PlayerId)]],
        Field(max_length=MAX_SEAT + 1, description="Players by seat; may be shorter than `seats`."),
    ] = []  # noqa: RUF012 - pydantic copies it
    open_seats: Annotated[
        bool,
        Field(description="Assign no seats now: the match waits until players have joined all of them."),
    ] = False
    clock: Annotated[NewClock | None, Field(description="The time limits; absent: none.")] = None
    rules_version: Annotated[
        str,
        Field(
            max_length=64,
            description="The version of its rules, one of the game's `rules_versions`; absent: the newest. It never changes.",
        ),
    ] = ""


class ForkRequest(NewMatch):
    """A new match that begins with a state of another one.

    With a match token, `seating`, `visibility` and `start` cannot be chosen. Moves before the fork are never taken back.
    """

    version: Annotated[
        Annotated[int, like(VersionNumber)] | None,
        Field(
            description="The version of the other match with whose state the fork begins; absent: the newest."
        ),
    ] = None
    audience: Annotated[
        AudienceKind | None,
        Field(
            description="The audience whose knowledge is kept; everything hidden from it is dealt again. Absent: the token's "
            "own seat, or the public for an API key."
        ),
    ] = None
    seat: Annotated[
        Annotated[int, like(SeatNumber)] | None, Field(description="The seat, with the audience `seat`.")
    ] = None


class JoinRequest(RequestBody):
    """A request for a free seat."""

    seat: Annotated[
        Annotated[int, like(SeatNumber)] | None,
        Field(description="The requested seat; absent: the lowest open one, or the invite's."),
    ] = None
    player: Annotated[
        str,
        like(PlayerId),
        Field(description="The player; leave it out with an invite or a session, which name the player."),
    ] = ""
    name: Annotated[str, like(PlayerName)] = ""
    data: Annotated[Raw | None, PassedOn(), like(RawPlayerData)] = None
    invite: Annotated[
        str,
        Field(
            max_length=2_048,
            description="With a session: the invite whose seat its player takes; absent: an open seat of a public match.",
        ),
    ] = ""
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
    seat: Annotated[
        SeatNumber | None, Meta(description="The acting seat; a seat token may leave it out.")
    ] = None
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
        Field(ge=0, le=100, description="How many legal actions to draw at random, with repetition."),
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
