"""Bodies of responses."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.clocks import Clock, Clocks
from gateway.schemas.fields import (
    AudienceKind,
    BotLevel,
    BotName,
    BotPace,
    Digest,
    GameId,
    Instant,
    Link,
    MatchId,
    PlayerId,
    PlayerName,
    ProposalKind,
    RawActions,
    RawOptions,
    RawPlayerData,
    RawTemplates,
    RawView,
    Ready,
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
from gateway.schemas.tables.hints import ActionHints, TemplateHints
from gateway.schemas.texts import Text, Texts


class Seat(Struct, frozen=True, kw_only=True):
    """A player's place in a match."""

    seat: SeatNumber
    taken: Annotated[bool, Meta(description="Whether a player has it.")]
    player: Annotated[
        PlayerId,
        Meta(description="The platform's own id of the player who has the seat or for whom it is reserved."),
    ]
    state: Annotated[
        SeatState,
        Meta(
            description="`open`: anybody can join; `invited`: for the holder of its invite; `reserved`: for one player; `taken`."
        ),
    ]
    name: PlayerName
    level: Annotated[
        BotLevel | None, Meta(description="The level of the built-in bot that plays the seat; null: none.")
    ]
    bot: Annotated[
        BotName | None, Meta(description="The name of the tenant's own bot that plays the seat; null: none.")
    ]
    data: RawPlayerData
    ready: Ready


class Todo(Struct, frozen=True, kw_only=True):
    """Something that a player has to do at a match, besides moving."""

    kind: Annotated[
        Literal["answer_undo", "answer_abort", "return", "get_ready", "take_invite", "take_seat"],
        Meta(
            description="`answer_undo`, `answer_abort`: answer the open proposal; `return`: the player is away, and the server decides "
            "for the seat; `get_ready`: say to be ready, at a match that starts on demand; `take_invite`, `take_seat`: take the seat "
            "that the player is invited to, or that is kept for the player of the match before."
        ),
    ]
    seat: SeatNumber
    player: Annotated[PlayerId, Meta(description="The platform's own id of the player; may be empty.")]
    deadline: Annotated[
        Instant | None, Meta(description="Until when it may be done; null: there is no limit.")
    ]


Todos = Annotated[
    list[Todo],
    Meta(
        description="What players have to do at the match, besides moving: answer a proposal, return, be ready, take a seat.",
        examples=[
            [{"kind": "answer_abort", "seat": 1, "player": "bob", "deadline": "2026-01-02T15:04:05.000000Z"}]
        ],
    ),
]


class MatchLinks(Struct, frozen=True, kw_only=True):
    """Links of a match."""

    self: Link
    game: Link
    view: Link
    table: Link
    legal_actions: Link
    moves: Link
    stream: Link
    export: Link
    verify: Link
    undo: Link


class Audience(Struct, frozen=True, kw_only=True):
    """The audience for which something was made: it contains only what that audience may see."""

    kind: Annotated[AudienceKind, Meta(description="A seat, the public, or a referee, who sees everything.")]
    seat: Annotated[int | None, Meta(description="The seat; null unless `kind` is `seat`.")]


class ForkedFrom(Struct, frozen=True, kw_only=True):
    """Where a fork begins."""

    match_id: MatchId
    version: Annotated[
        VersionNumber, Meta(description="The version of that match from whose state the fork begins.")
    ]
    audience: Annotated[
        Audience,
        Meta(description="The audience whose knowledge was kept; everything hidden from it was dealt again."),
    ]


class Match(Struct, frozen=True, kw_only=True):
    """A match without its state."""

    match_id: MatchId
    game: GameId
    rules_version: Annotated[str, Meta(description="The version of its rules.")]
    version: VersionNumber
    status: Annotated[Status, Meta(description="Whether it waits for players, is running, or has ended.")]
    seats: Annotated[list[Seat], Meta(description="The seats, by number.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act.")]
    todos: Todos
    options: RawOptions
    commitment: Annotated[Digest, Meta(description="SHA-256 of the match secret.")]
    secret: Annotated[Digest | None, Meta(description="The match secret; null until the match is over.")]
    outcome: Outcome | None
    created_at: Instant
    updated_at: Instant
    visibility: Annotated[Visibility, Meta(description="Who can find it.")]
    start: Annotated[
        StartRule,
        Meta(description="What starts it: the last seat is taken, or somebody in the match starts it."),
    ]
    title: Title
    rematch_of: Annotated[MatchId | None, Meta(description="The match of which this one is a rematch.")]
    next_match_id: Annotated[
        MatchId | None,
        Meta(
            description="Its rematch; null: none so far. Only after the match has ended, and only when a single match is requested."
        ),
    ]
    forked_from: Annotated[
        ForkedFrom | None, Meta(description="Where it begins, if it is a fork; else null.")
    ]
    undo: Annotated[UndoRule, Meta(description="Which moves may be taken back.")]
    undo_timeout_seconds: UndoSeconds
    bot_pace_seconds: BotPace
    clock: Annotated[Clock | None, Meta(description="The time limits; null: there are none.")]
    clocks: Annotated[
        Clocks | None,
        Meta(
            description="The time each seat has left; null without a clock, while the match is not running, and in lists."
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
    """A seat's proposal that the others must accept."""

    kind: Annotated[
        ProposalKind, Meta(description="What is proposed: to take moves back, or to call the match off.")
    ]
    version: Annotated[VersionNumber, Meta(description="The version at which it was made.")]
    seat: Annotated[SeatNumber, Meta(description="The seat that proposes it.")]
    to: Annotated[
        VersionNumber | None, Meta(description="The version to go back to; null unless it is an undo.")
    ]
    accepted: Annotated[list[int], Meta(description="The seats that have accepted so far.")]
    waiting: Annotated[list[int], Meta(description="The seats that have not answered yet.")]
    expires_at: Annotated[Instant, Meta(description="When it expires.")]


class PendingDecision(Struct, frozen=True, kw_only=True):
    """A decision that a seat must make."""

    seat: SeatNumber
    decision: Annotated[str, Meta(description="Stable name of the kind of decision.")]
    rule: Annotated[str, Meta(description="Paragraph of the rules that asks for it, such as `7.2`.")]
    id: Annotated[str, Meta(description="Id of this decision, unique within the match.")]
    simultaneous: Annotated[
        bool,
        Meta(
            description="Several seats decide secretly at the same time; their actions do not conflict with each other."
        ),
    ]
    text: (
        Annotated[Text, Meta(description="The prompt for the player; only if a language is asked for.")]
        | UnsetType
    ) = UNSET


PendingWithTexts = Annotated[
    list[PendingDecision],
    Meta(description="The open decisions with their texts; only if a language is asked for."),
]
OutcomeWithTexts = Annotated[
    Outcome,
    Meta(description="The outcome with its texts; only of an ended match, if a language is asked for."),
]


class ViewAnswer(Struct, frozen=True, kw_only=True):
    """What an audience sees of the match's state."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    view: RawView
    proposal: Annotated[
        Proposal | None,
        Meta(description="The open proposal; null if there is none, and for an earlier version."),
    ]
    clocks: Annotated[
        Clocks | None,
        Meta(description="The time each seat has left; null without a clock, and for an earlier version."),
    ]
    pending: PendingWithTexts | UnsetType = UNSET
    outcome: OutcomeWithTexts | UnsetType = UNSET


class LegalActionsNow(Struct, frozen=True, kw_only=True):
    """What a seat may do."""

    actions: Annotated[RawActions, Meta(description="Each can be posted back as it is.")]
    templates: Annotated[
        RawTemplates, Meta(description="Sets of actions too large to list, described by their domains.")
    ]
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET


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
        RawTemplates, Meta(description="Sets of actions too large to list, described by their domains.")
    ]
    samples: Annotated[RawActions, Meta(description="Legal actions drawn at random.")]
    clocks: Annotated[Clocks | None, Meta(description="The time each seat has left; null without a clock.")]
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET
    action_hints: ActionHints | UnsetType = UNSET
    template_hints: TemplateHints | UnsetType = UNSET
    sample_texts: Texts | UnsetType = UNSET


class IndexLinks(Struct, frozen=True, kw_only=True):
    """Paths relative to this API."""

    games: Annotated[str, Meta(description="The games.")]
    matches: Annotated[str, Meta(description="GET lists, POST creates.")]
    openapi: Annotated[str, Meta(description="This document.")]
    descriptors: Annotated[str, Meta(description="The gRPC contracts.")]
    problems: Annotated[str, Meta(description="What every reason means.")]
    reference: Annotated[str, Meta(description="The API as a page.")]
    signing_keys: Annotated[str, Meta(description="The public keys that exports are signed with.")]


class Index(Struct, frozen=True, kw_only=True):
    """The start page of the API."""

    name: Annotated[str, Meta(description="Name of this API.")]
    version: Annotated[str, Meta(description="Version of this server.")]
    links: IndexLinks


class Readiness(Struct, frozen=True, kw_only=True):
    """Whether the process should get new requests."""

    status: Annotated[
        Literal["ok", "starting", "draining", "rules_unavailable"],
        Meta(
            description="`draining`: it will stop and should get no more requests. `rules_unavailable`: no rules server answers."
        ),
    ]
    games_away: (
        Annotated[
            tuple[str, ...],
            Meta(description="Games whose rules server does not answer; absent if there are none."),
        ]
        | UnsetType
    ) = UNSET


class Health(Struct, frozen=True, kw_only=True):
    """The state of the process."""

    status: Annotated[
        Literal["ok", "starting", "draining"],
        Meta(description="`draining`: it will stop and should get no more requests."),
    ]
