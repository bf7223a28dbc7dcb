"""The rows of the log, as the rest of the house knows them."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from engine.kernel.seats import Audience
from services.movelog.clocks import Clock, Tick

MAX_REQUEST_ID: Final = 64
"""Characters of a request id; it is chosen by the client, a UUID by custom (AIP-155)."""


class Status(StrEnum):
    """Whether a match waits for players, is played, or is over."""

    WAITING = "waiting"
    """Some seats are not taken yet; version 0."""
    RUNNING = "running"
    ENDED = "ended"


class Visibility(StrEnum):
    """Who finds a match. Whoever has a seat, an invite or a watch token finds it anyway, and so does the tenant."""

    PRIVATE = "private"
    """Nobody else."""
    UNLISTED = "unlisted"
    """Whoever was told its id."""
    PUBLIC = "public"
    """Everybody: it is listed, and quick-join may choose it."""


class StartRule(StrEnum):
    """When a match begins."""

    WHEN_FULL = "when_full"
    """With its last seat taken, or earlier when the tenant says so."""
    ON_DEMAND = "on_demand"
    """When somebody at the table says so."""


class UndoRule(StrEnum):
    """What may be taken back in a match."""

    NONE = "none"
    FREE = "free"
    """Own moves, as long as nothing was drawn, revealed or answered since."""
    CONSENT = "consent"
    """The same, and beyond that whatever all others agree to."""


UNDO_TIMEOUT: Final = timedelta(hours=24)
"""How long a proposal waits for its answers, unless a match says otherwise."""
LONGEST_UNDO_TIMEOUT: Final = timedelta(days=30)


class ForkedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """Where a fork begins."""

    match_id: UUID
    version: int
    audience: Audience
    """Whose knowledge is kept; the rest is dealt again."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One match. The first part never changes; `version` and what follows is advanced with every move.

    The one exception: a match that starts without its last seats has fewer of them from then on.
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
    """32 bytes; shown to nobody before the match has ended."""
    commitment: bytes
    """SHA-256 of the secret; public from the start."""
    created_at: datetime
    """UTC, microseconds; part of the hash chain."""
    request_id: str | None = None
    """The creator's request id, unique per tenant."""
    visibility: Visibility = Visibility.PRIVATE
    start: StartRule = StartRule.WHEN_FULL
    title: str = ""
    """Shown in listings; may be empty."""
    undo: UndoRule = UndoRule.CONSENT
    undo_timeout: timedelta = UNDO_TIMEOUT
    """How long a proposal waits for its answers; whole seconds."""
    clock: Clock | None = None
    """None: nobody is hurried."""
    rematch_of: UUID | None = None
    """The ended match this one follows; a match has one rematch at most."""
    forked_from: ForkedFrom | None = None
    """Where it begins, if it is a fork."""
    seats_left_out: int = 0
    """How many of its last seats were free when it began, and are there no more."""

    watch_generation: int = 0
    """Raised to revoke the tokens of spectators and referees."""

    status: Status = Status.WAITING
    version: int = 0
    """Number of moves in the log; 0 before the start."""
    to_act: tuple[int, ...] = ()
    outcome: bytes | None = None
    """Canonical JSON once the match has ended."""
    updated_at: datetime

    def __repr__(self) -> str:
        return f"Match({self.id}, {self.game}, {self.status}, version {self.version})"  # the secret stays out of logs


class SeatState(StrEnum):
    OPEN = "open"
    """Anybody whom the tenant lets join may take it."""
    INVITED = "invited"
    """Kept for whoever holds its invite."""
    RESERVED = "reserved"
    """Kept for the player who sat at the table of the match before (a rematch)."""
    TAKEN = "taken"


class JoinedBy(StrEnum):
    """How a seat was taken."""

    CREATED = "created"
    """Handed out when the match was made."""
    JOIN = "join"
    INVITE = "invite"
    BOT = "bot"
    """A bot's from the beginning; a bot that stands in for a player leaves this as it was."""
    QUICK_JOIN = "quick_join"
    REMATCH = "rematch"


class SeatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `seats`. Every seat of every match has one from the beginning."""

    seat: int
    state: SeatState = SeatState.OPEN
    player: str = ""
    """The platform's own id of who sits there, or whom it is kept for; may be empty."""
    name: str = ""
    """Shown to the others; may be empty."""
    generation: int = 0
    """Raised to revoke the seat's tokens."""
    invite_generation: int = 0
    """Raised to revoke the seat's invites."""
    joined_by: JoinedBy = JoinedBy.CREATED
    """Means something once the seat is taken."""
    bot: str = ""
    """Who plays in the player's place: a level of the house's bots, or the name of somebody's own; empty: a person does."""
    renamed: bool = False
    """The name was changed since the match was made, so the request that made it no longer says which it is."""
    data: bytes = b""
    """What the player says besides the name, JSON, shown to the others; empty: nothing."""


class SeatClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat."""

    seat: int
    player: str
    """The platform's own id of who sits there; may be empty."""
    name: str = ""
    generation: int = 0
    """Raised to revoke the seat's tokens."""
    bot: str = ""
    """As in SeatRecord."""


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits where at a match, and which of its tokens count."""

    seats: tuple[SeatRecord, ...]
    """Every seat, in order."""
    watch_generation: int

    @property
    def claims(self) -> tuple[SeatClaim, ...]:
        """The taken seats."""
        return tuple(
            SeatClaim(seat=row.seat, player=row.player, name=row.name, generation=row.generation, bot=row.bot)
            for row in self.seats
            if row.state is SeatState.TAKEN
        )

    @property
    def is_full(self) -> bool:
        return all(row.state is SeatState.TAKEN for row in self.seats)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a match is, in two numbers: enough to see that a wake-up was missed."""

    version: int
    revocations: int
    """The generations of its seats and of its watchers, added up."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One row: what was asked and what came of it, verbatim as hashed."""

    match_id: UUID
    seq: int
    """The version of the match after this move; counted from 1, without holes."""
    seat: int | None
    """Who asked; None for the system (the start)."""
    request_id: str
    request: bytes
    """Canonical JSON of what was asked."""
    events: bytes
    """Canonical JSON array of what happened."""
    previous_hash: bytes
    hash: bytes
    recorded_at: datetime
    """UTC, microseconds; set by the service that decided the move, and hashed."""

    def __repr__(self) -> str:
        return f"Move({self.match_id}, {self.seq}, seat {self.seat})"  # request and events may be hidden


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """A move to be written, and how its match stands afterwards. `move.seq - 1` is the expected version."""

    move: Move
    status: Status
    to_act: tuple[int, ...]
    turns: tuple[int, ...] = ()
    """Which of them have to act only since this move."""
    outcome: bytes | None = None
    tick: Tick | None = None
    """How it moves the clocks, in a match that has any."""
