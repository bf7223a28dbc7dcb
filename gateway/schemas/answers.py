"""Bodies of answers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.clocks import Clock, Clocks
from gateway.schemas.fields import (
    AudienceKind,
    BotLevel,
    BotName,
    Digest,
    GameId,
    Instant,
    Link,
    MatchId,
    PlayerId,
    PlayerName,
    ProposalKind,
    RawActions,
    RawComponents,
    RawEvents,
    RawMoveAction,
    RawOptions,
    RawPlayerData,
    RawSchema,
    RawTemplates,
    RawView,
    SeatNumber,
    SeatState,
    StartRule,
    Status,
    Title,
    UndoRule,
    UndoSeconds,
    VersionNumber,
    Visibility,
)
from gateway.schemas.outcome import Outcome


class GameLinks(Struct, frozen=True, kw_only=True):
    """Where to go from a game."""

    self: Link
    matches: Link


class RulesVersion(Struct, frozen=True, kw_only=True):
    """One version of a game's rules. A match keeps the one it was created under."""

    version: Annotated[str, Meta(description="Its number.", examples=["1.1.0"])]
    since: Annotated[str, Meta(description="When it was released.", extra_json_schema={"format": "date"})]
    changes: Annotated[str, Meta(description="What it decides in another way than the version before.")]


class GameSummary(Struct, frozen=True, kw_only=True):
    """A game in one line of the catalogue."""

    game: GameId
    title: Annotated[str, Meta(description="Its name, for people.")]
    edition: Annotated[str, Meta(description="The printed edition it follows.")]
    rules_version: Annotated[str, Meta(description="The rules new matches begin with.", examples=["1.0.0"])]
    rules_versions: Annotated[
        list[RulesVersion], Meta(description="Every version of the rules that can be played, newest first.")
    ]
    seat_counts: Annotated[list[int], Meta(description="Numbers of players the game is for.")]
    bot_levels: Annotated[
        list[BotLevel], Meta(description="How well the house's bots play it, the weakest first.")
    ]
    links: GameLinks


class GameList(Struct, frozen=True, kw_only=True):
    """The catalogue."""

    games: Annotated[list[GameSummary], Meta(description="The games, in alphabetical order.")]


class GameRefusal(Struct, frozen=True, kw_only=True):
    """A code that a refusal of this game can carry."""

    code: Annotated[str, Meta(description="Stable; the `reason` of the problem document.")]
    rules: Annotated[list[str], Meta(description="Paragraphs and rulings it is given for.")]
    meaning: Annotated[str, Meta(description="What is wrong; `facts` are named in backticks.")]


class GameDescription(GameSummary, frozen=True, kw_only=True):
    """Everything about a game that is not about a match."""

    options_schema: RawSchema
    action_schema: RawSchema
    event_schema: RawSchema
    template_schema: RawSchema
    view_schema: RawSchema
    components: RawComponents
    proto_package: Annotated[str, Meta(description="The package of the typed messages over gRPC.")]
    refusals: Annotated[list[GameRefusal], Meta(description="What its rulebook refuses.")]


class Seat(Struct, frozen=True, kw_only=True):
    """A place at the table."""

    seat: SeatNumber
    taken: Annotated[bool, Meta(description="Whether somebody sits there.")]
    player: Annotated[
        PlayerId, Meta(description="The platform's own id of who sits there, or whom it is kept for.")
    ]
    state: Annotated[
        SeatState,
        Meta(
            description="`open`: for whoever joins; `invited`: for the holder of its invite; `reserved`: kept for a player; `taken`."
        ),
    ]
    name: PlayerName
    level: Annotated[
        BotLevel | None, Meta(description="The level of the house's bot that plays; null: none.")
    ]
    bot: Annotated[BotName | None, Meta(description="The bot of somebody's own that plays; null: none.")]
    data: RawPlayerData


class MatchLinks(Struct, frozen=True, kw_only=True):
    """Where to go from a match."""

    self: Link
    game: Link
    view: Link
    legal_actions: Link
    moves: Link
    stream: Link
    export: Link
    verify: Link
    undo: Link


class Audience(Struct, frozen=True, kw_only=True):
    """For whose eyes something was made."""

    kind: Annotated[AudienceKind, Meta(description="A seat, everybody, or somebody who sees all.")]
    seat: Annotated[int | None, Meta(description="The seat; null unless `kind` is `seat`.")]


class ForkedFrom(Struct, frozen=True, kw_only=True):
    """Where a fork begins."""

    match_id: MatchId
    version: Annotated[VersionNumber, Meta(description="At whose table it begins.")]
    audience: Annotated[Audience, Meta(description="Whose knowledge was kept; the rest was dealt again.")]


class Match(Struct, frozen=True, kw_only=True):
    """A match without its table."""

    match_id: MatchId
    game: GameId
    rules_version: Annotated[str, Meta(description="The rules it began with.")]
    version: VersionNumber
    status: Annotated[Status, Meta(description="Whether it waits for players, is played, or is over.")]
    seats: Annotated[list[Seat], Meta(description="Who sits where, by seat.")]
    to_act: Annotated[list[int], Meta(description="The seats that are waited for.")]
    options: RawOptions
    commitment: Annotated[Digest, Meta(description="SHA-256 of the match secret.")]
    secret: Annotated[Digest | None, Meta(description="The match secret; null until the match is over.")]
    outcome: Outcome | None
    created_at: Instant
    updated_at: Instant
    visibility: Annotated[Visibility, Meta(description="Who finds it.")]
    start: Annotated[
        StartRule,
        Meta(description="What begins it: its last seat taken, or a word of somebody at the table."),
    ]
    title: Title
    rematch_of: Annotated[MatchId | None, Meta(description="The match this one follows.")]
    next_match_id: Annotated[
        MatchId | None,
        Meta(
            description="The match that follows; null: none so far. Only once the match is over, and only where one match is asked for."
        ),
    ]
    forked_from: Annotated[ForkedFrom | None, Meta(description="Where it begins, if it is a fork.")]
    undo: Annotated[UndoRule, Meta(description="What may be taken back.")]
    undo_timeout_seconds: UndoSeconds
    clock: Annotated[Clock | None, Meta(description="How much time it gives; null: nobody is hurried.")]
    clocks: Annotated[
        Clocks | None,
        Meta(
            description="What each seat has left; null without a clock, unless it is running, and in lists."
        ),
    ]
    links: MatchLinks


class SeatToken(Struct, frozen=True, kw_only=True):
    """The right to play one seat of one match. Keep it secret."""

    seat: SeatNumber
    token: Annotated[str, Meta(description="`Authorization: Bearer <token>`.")]
    expires_at: Instant


class JoinedMatch(Struct, frozen=True, kw_only=True):
    """The match, started if this was the last seat, and the seat's token."""

    match: Match
    seat_token: SeatToken


class IssuedToken(Struct, frozen=True, kw_only=True):
    """A fresh token."""

    seat_token: SeatToken


class Proposal(Struct, frozen=True, kw_only=True):
    """What a seat asks the others to agree to."""

    kind: Annotated[ProposalKind, Meta(description="To take moves back, or to call the match off.")]
    version: Annotated[VersionNumber, Meta(description="The version that opened it.")]
    seat: Annotated[SeatNumber, Meta(description="The seat that asks.")]
    to: Annotated[VersionNumber | None, Meta(description="The version to go back to; null unless an undo.")]
    accepted: Annotated[list[int], Meta(description="Who has accepted so far.")]
    waiting: Annotated[list[int], Meta(description="Who has not answered yet.")]
    expires_at: Annotated[Instant, Meta(description="When it ends by itself.")]


class ViewAnswer(Struct, frozen=True, kw_only=True):
    """What an audience sees of the table."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    view: RawView
    proposal: Annotated[Proposal | None, Meta(description="The open one; null for an earlier version.")]
    clocks: Annotated[
        Clocks | None, Meta(description="What each seat has left; null without a clock, and in the past.")
    ]


class PendingDecision(Struct, frozen=True, kw_only=True):
    """A decision that is waited for."""

    seat: SeatNumber
    decision: Annotated[str, Meta(description="Stable name of the kind of decision.")]
    rule: Annotated[str, Meta(description="Paragraph of the rulebook digest that asks for it.")]
    id: Annotated[str, Meta(description="Names this very decision within the match.")]
    simultaneous: Annotated[
        bool,
        Meta(description="Several seats decide in secret at once; answers do not conflict with each other."),
    ]


class LegalActionsNow(Struct, frozen=True, kw_only=True):
    """What a seat may do."""

    actions: Annotated[RawActions, Meta(description="Each can be posted back as it is.")]
    templates: Annotated[
        RawTemplates, Meta(description="Sets of actions too large to list, told by their domains.")
    ]


class LegalActionsAnswer(Struct, frozen=True, kw_only=True):
    """Everything a seat may do now."""

    match_id: MatchId
    version: Annotated[
        VersionNumber, Meta(description="The version this holds for: the move's `expected_version`.")
    ]
    seat: SeatNumber
    pending: PendingDecision | None
    actions: Annotated[RawActions, Meta(description="Each can be posted back as it is.")]
    templates: Annotated[
        RawTemplates, Meta(description="Sets of actions too large to list, told by their domains.")
    ]
    samples: Annotated[RawActions, Meta(description="Legal actions drawn at random.")]
    clocks: Annotated[Clocks | None, Meta(description="What each seat has left; null without a clock.")]


class MoveAnswer(Struct, frozen=True, kw_only=True):
    """An accepted move; it is durable."""

    match_id: MatchId
    version: VersionNumber
    events: Annotated[RawEvents, Meta(description="What happened, as the acting seat may see it.")]
    to_act: Annotated[list[int], Meta(description="The seats that are waited for now.")]
    status: Annotated[Status, Meta(description="Whether the match goes on.")]
    outcome: Outcome | None
    clocks: Annotated[
        Clocks | None,
        Meta(
            description="What each seat has left; null without a clock, and if the match has moved on already."
        ),
    ]


class MoveRehearsed(Struct, frozen=True, kw_only=True):
    """The move could be made now. It was not, and what it would lead to is not told."""

    match_id: MatchId
    version: Annotated[VersionNumber, Meta(description="The version it was judged at.")]
    dry_run: Annotated[Literal[True], Meta(description="Nothing came of it.")]
    legal: Annotated[Literal[True], Meta(description="It could be made.")]


class Move(Struct, frozen=True, kw_only=True):
    """One move as an audience may see it."""

    version: VersionNumber
    seat: Annotated[
        int | None, Meta(description="Who asked for it; null for the start, and for what the tenant did.")
    ]
    action: RawMoveAction
    events: Annotated[RawEvents, Meta(description="What happened, each event without its hidden parts.")]
    hash: Digest
    recorded_at: Instant
    timed_out: Annotated[
        bool, Meta(description="The house made it in the seat's stead, because its time was up.")
    ]


class MoveList(Struct, frozen=True, kw_only=True):
    """A page of moves, oldest first, without holes."""

    match_id: MatchId
    moves: Annotated[list[Move], Meta(description="The moves of this page.")]
    next_page_token: Annotated[str, Meta(description="Ask for the next page with this; empty at the end.")]
    version: Annotated[VersionNumber, Meta(description="The match's version.")]
    status: Annotated[Status, Meta(description="Once it is `ended`, nothing comes after the last move.")]


class IndexLinks(Struct, frozen=True, kw_only=True):
    """Paths relative to this API."""

    games: Annotated[str, Meta(description="What can be played.")]
    matches: Annotated[str, Meta(description="GET lists, POST creates.")]
    openapi: Annotated[str, Meta(description="This document.")]
    descriptors: Annotated[str, Meta(description="The gRPC contracts.")]
    problems: Annotated[str, Meta(description="What every reason means.")]
    reference: Annotated[str, Meta(description="The API as a page.")]


class Index(Struct, frozen=True, kw_only=True):
    """The front door."""

    name: Annotated[str, Meta(description="Of this API.")]
    version: Annotated[str, Meta(description="Of this server.")]
    links: IndexLinks


class Health(Struct, frozen=True, kw_only=True):
    """How the process is."""

    status: Annotated[
        Literal["ok", "starting", "draining"], Meta(description="`draining`: it takes no more requests.")
    ]
