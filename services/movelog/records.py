"""The records of the log, as the rest of the server uses them."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from engine.kernel.seats import Audience
from engine.match.commands import PausedBy
from services.movelog.clocks import Clock, Tick
from services.movelog.proposals import ProposalChange, Todo


class Status(StrEnum):
    """Whether a match waits for players, is being played, or is over."""

    WAITING = "waiting"
    """Some seats are not taken yet; version 0."""
    RUNNING = "running"
    ENDED = "ended"


class Visibility(StrEnum):
    """Who may find a match, besides its tenant and the holders of a seat, an invite or a watch token."""

    PRIVATE = "private"
    """Nobody else."""
    UNLISTED = "unlisted"
    """Everybody who knows its id."""
    PUBLIC = "public"
    """Everybody: it is listed, and quick-join may choose it."""


class StartRule(StrEnum):
    """When a match begins."""

    WHEN_FULL = "when_full"
    """When its last seat is taken, or earlier at the tenant's request."""
    ON_DEMAND = "on_demand"
    """When a player asks for it."""


class UndoRule(StrEnum):
    """What may be undone in a match."""

    NONE = "none"
    FREE = "free"
    """Own moves, as long as nothing was drawn, revealed or answered since."""
    CONSENT = "consent"
    """The same, and in addition whatever all other seats agree to."""


UNDO_TIMEOUT: Final = timedelta(hours=24)
"""How long a proposal waits for its answers, unless a match says otherwise."""


class ForkedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """Where a fork begins."""

    match_id: UUID
    version: int
    audience: Audience
    """The audience whose knowledge is kept; the rest is dealt again."""


class ForkQuota(msgspec.Struct, frozen=True, kw_only=True):
    """How many forks of one match an account may make."""

    account: str
    """The account that makes the fork."""
    most: int


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that the creator of a match chooses, whatever the game."""

    visibility: Visibility = Visibility.PRIVATE
    start: StartRule = StartRule.WHEN_FULL
    title: str = ""
    """Shown in listings; may be empty."""
    undo: UndoRule = UndoRule.CONSENT
    undo_timeout: timedelta = UNDO_TIMEOUT
    """How long a proposal waits for its answers; whole seconds."""
    clock: Clock | None = None
    """None: no time limits."""
    bot_pace: timedelta = timedelta()
    """How long built-in bots wait after the newest move before they move; whole milliseconds."""


class Match(MatchSettings, frozen=True, kw_only=True):
    """One match. The first fields never change; `version` and the following fields change with every move.

    One exception: a match that starts without its last seats has fewer seats from then on.
    """

    id: UUID
    """UUIDv7."""
    tenant: str
    game: str
    rules_version: str
    seats: int
    options: bytes
    """The game's options, canonical JSON."""
    secret: bytes
    """32 bytes; revealed to nobody before the match has ended."""
    commitment: bytes
    """SHA-256 of the secret; public from the start."""
    created_at: datetime
    """UTC, microseconds; part of the hash chain."""
    request_id: str | None = None
    """The creator's request id, unique per tenant."""
    rematch_of: UUID | None = None
    """The match that this one follows; at most one match follows another."""
    forked_from: ForkedFrom | None = None
    """Where the match begins, if it is a fork."""
    seats_left_out: int = 0
    """How many of its last seats were free when it began, and were removed."""

    original_id: UUID | None = None
    """The id in the imported document, if it was imported; None: `id`."""

    watch_generation: int = 0
    """Incremented to revoke the tokens of spectators and referees."""

    status: Status = Status.WAITING
    version: int = 0
    """Number of moves in the log; 0 before the start."""
    to_act: tuple[int, ...] = ()
    outcome: bytes | None = None
    """Canonical JSON once the match has ended."""
    paused_by: PausedBy | None = None
    """Who paused the match; None: it is not paused. Without meaning once the match has ended."""
    updated_at: datetime

    @property
    def known_as(self) -> UUID:
        """Return the id that its tenant uses, and that its rows are hashed with."""
        return self.original_id or self.id

    @property
    def settings(self) -> MatchSettings:
        """Return its settings, in the form in which another match can be created with them."""
        return MatchSettings(**{name: getattr(self, name) for name in MatchSettings.__struct_fields__})

    def __repr__(self) -> str:
        return f"Match({self.id}, {self.game}, {self.status}, version {self.version})"  # the secret stays out of logs


class SeatState(StrEnum):
    OPEN = "open"
    """Anybody whom the tenant lets join may take it."""
    INVITED = "invited"
    """Reserved for the holder of its invite."""
    RESERVED = "reserved"
    """Reserved for a player of the previous match (a rematch)."""
    TAKEN = "taken"


class JoinedBy(StrEnum):
    """How a seat was taken."""

    CREATED = "created"
    """Assigned when the match was created."""
    JOIN = "join"
    INVITE = "invite"
    BOT = "bot"
    """Taken by a bot from the beginning; a bot that later plays for a player leaves this unchanged."""
    QUICK_JOIN = "quick_join"
    REMATCH = "rematch"


class ReplacedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player who had a seat of a running match before another one got it."""

    player: str
    """The platform's id; empty: a bot had the seat, or a player without an id."""
    name: str
    until_version: int
    """The last version at which the player had the seat; later moves are the next player's."""
    replaced_at: datetime


class SeatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `seats`. Every seat of every match has one from the beginning."""

    seat: int
    state: SeatState = SeatState.OPEN
    player: str = ""
    """The platform's id of the player, or of the player the seat is reserved for; may be empty."""
    name: str = ""
    """Shown to the others; may be empty."""
    generation: int = 0
    """Incremented to revoke the seat's tokens."""
    invite_generation: int = 0
    """Incremented to revoke the seat's invites."""
    joined_by: JoinedBy = JoinedBy.CREATED
    """Meaningful only once the seat is taken."""
    bot: str = ""
    """The bot that plays the seat: a level of the built-in bots, or the name of a tenant's own bot; empty: a person plays."""
    renamed: bool = False
    """The name or the data was changed since the match was created, so they differ from the creating request."""
    data: bytes = b""
    """The player's data as JSON, shown to the others; empty: none."""
    account: str = ""
    """The account whose rate limits the seat's tokens use; empty: the seat has its own."""
    ready: bool = False
    """The player has said to be ready to start; meaningless once the match has begun."""
    replaced: tuple[ReplacedPlayer, ...] = ()
    """Who had the seat before, in order; empty: the same player from the beginning."""


class SeatClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat."""

    seat: int
    player: str
    """The platform's id of the player; may be empty."""
    name: str = ""
    generation: int = 0
    """Incremented to revoke the seat's tokens."""
    bot: str = ""
    """As in SeatRecord."""
    account: str = ""
    """As in SeatRecord."""
    replaced: tuple[ReplacedPlayer, ...] = ()
    """As in SeatRecord."""


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of a match, and which of its tokens are valid."""

    seats: tuple[SeatRecord, ...]
    """Every seat, in order."""
    watch_generation: int
    revocations: int = 0
    """How often tokens of the match have been revoked; incremented with any of the generations."""
    title: str = ""
    visibility: Visibility = Visibility.PRIVATE
    """These two belong to the match. They stand here too because they change without a move, as seats do."""
    todos: tuple[Todo, ...] = ()
    """What players have to do at the match, besides moving; as of the moment at which the seats were read."""

    @property
    def claims(self) -> tuple[SeatClaim, ...]:
        """Return the taken seats."""
        return tuple(
            SeatClaim(
                seat=row.seat,
                player=row.player,
                name=row.name,
                generation=row.generation,
                bot=row.bot,
                account=row.account,
                replaced=row.replaced,
            )
            for row in self.seats
            if row.state is SeatState.TAKEN
        )

    @property
    def is_full(self) -> bool:
        return all(row.state is SeatState.TAKEN for row in self.seats)


class TokenUse(msgspec.Struct, frozen=True, kw_only=True):
    """The token of a request: its match, and the value of `revocations` when the token was checked."""

    match_id: UUID
    revocations: int


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a match in two numbers: enough to detect a missed wake-up."""

    version: int
    revocations: int
    """As in Seating."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One row: the request and its events, verbatim as hashed."""

    match_id: UUID
    seq: int
    """The version of the match after this move; counted from 1, without gaps."""
    seat: int | None
    """The seat that made it; None for the server (such as the start)."""
    request_id: str
    request: bytes
    """The request as canonical JSON."""
    events: bytes
    """The events as a canonical JSON array."""
    previous_hash: bytes
    hash: bytes
    recorded_at: datetime
    """UTC, microseconds; set by the service that decided the move, and hashed."""

    def __repr__(self) -> str:
        return f"Move({self.match_id}, {self.seq}, seat {self.seat})"  # request and events may be hidden


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """A move to be written, and its match's state afterwards. `move.seq - 1` is the expected version."""

    move: Move
    status: Status
    to_act: tuple[int, ...]
    turns: tuple[int, ...] = ()
    """Those of them whose turn begins with this move."""
    outcome: bytes | None = None
    revocations: int | None = None
    """How often tokens of the match had been revoked when the request's token was checked; the move is written only if that
    has not changed. None: the request has no token."""
    tick: Tick | None = None
    """How the move changes the clocks, in a match that has any."""
    proposal: ProposalChange | None = None
    """How the move changes the open proposal; None: none was open, and none is."""
