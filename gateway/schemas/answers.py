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
    PausedBy,
    PlayerId,
    PlayerName,
    ProposalKind,
    RawActions,
    RawMetadata,
    RawOptions,
    RawPlayerData,
    RawTemplates,
    RawView,
    Reference,
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
from gateway.schemas.tables.hints import ActionHint, TemplateHint
from gateway.schemas.texts import Text, Texts


class ReplacedPlayer(Struct, frozen=True, kw_only=True):
    player: PlayerId
    name: PlayerName
    until_version: VersionNumber
    replaced_at: Instant


class Seat(Struct, frozen=True, kw_only=True):
    """A player's place in a match."""

    seat: SeatNumber
    taken: bool
    player: PlayerId
    state: SeatState
    name: PlayerName
    level: BotLevel | None
    bot: BotName | None
    data: RawPlayerData
    ready: bool
    replaced: list[ReplacedPlayer] | UnsetType = UNSET


class Todo(Struct, frozen=True, kw_only=True):
    kind: Literal[
        "answer_undo",
        "answer_abort",
        "answer_pause",
        "answer_replace",
        "return",
        "get_ready",
        "take_invite",
        "take_seat",
    ]
    seat: SeatNumber
    player: PlayerId
    deadline: Instant | None


Todos = Annotated[
    list[Todo],
    Meta(
        examples=[
            [{"kind": "answer_abort", "seat": 1, "player": "bob", "deadline": "2026-01-02T15:04:05.000000Z"}]
        ]
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

    kind: AudienceKind
    seat: int | None


class ForkedFrom(Struct, frozen=True, kw_only=True):
    match_id: MatchId
    version: VersionNumber
    audience: Audience


class Match(Struct, frozen=True, kw_only=True):
    """A match without its state."""

    match_id: MatchId
    game: GameId
    rules_version: str
    version: VersionNumber
    status: Status
    seats: list[Seat]
    to_act: list[int]
    todos: Todos
    options: RawOptions
    commitment: Digest
    secret: Digest | None
    outcome: Outcome | None
    created_at: Instant
    updated_at: Instant
    visibility: Visibility
    start: StartRule
    title: Title
    rematch_of: MatchId | None
    next_match_id: MatchId | None
    forked_from: ForkedFrom | None
    undo: UndoRule
    undo_timeout_seconds: UndoSeconds
    bot_pace_seconds: BotPace
    paused_by: PausedBy | None
    clock: Clock | None
    clocks: Clocks | None
    links: MatchLinks
    reference: Reference | UnsetType = UNSET
    metadata: RawMetadata | UnsetType = UNSET


class SeatToken(Struct, frozen=True, kw_only=True):
    seat: SeatNumber
    token: str
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

    kind: ProposalKind
    version: VersionNumber
    seat: SeatNumber
    to: VersionNumber | None
    accepted: list[int]
    waiting: list[int]
    expires_at: Instant


class PendingDecision(Struct, frozen=True, kw_only=True):
    """A decision that a seat must make."""

    seat: SeatNumber
    decision: str
    rule: str
    id: str
    simultaneous: bool
    text: Text | UnsetType = UNSET


class ViewAnswer(Struct, frozen=True, kw_only=True):
    """What an audience sees of the match's state."""

    match_id: MatchId
    version: VersionNumber
    audience: Audience
    view: RawView
    proposal: Proposal | None
    clocks: Clocks | None
    pending: list[PendingDecision] | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET


class LegalActionsNow(Struct, frozen=True, kw_only=True):
    """What a seat may do."""

    actions: RawActions
    templates: RawTemplates
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET


class LegalActionsAnswer(Struct, frozen=True, kw_only=True):
    """Everything a seat may do now."""

    match_id: MatchId
    version: VersionNumber
    seat: SeatNumber
    pending: PendingDecision | None
    actions: RawActions
    templates: RawTemplates
    samples: RawActions
    clocks: Clocks | None
    action_texts: Texts | UnsetType = UNSET
    template_texts: Texts | UnsetType = UNSET
    action_hints: list[ActionHint] | UnsetType = UNSET
    template_hints: list[TemplateHint] | UnsetType = UNSET
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
