"""The rows of the log, as the rest of the house knows them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

MAX_REQUEST_ID: Final = 64
"""Characters of a request id; it is chosen by the client, a UUID by custom (AIP-155)."""


class Status(StrEnum):
    WAITING = "waiting"
    """Some seats are not taken yet; version 0."""
    RUNNING = "running"
    ENDED = "ended"


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One match. The first part never changes; `version` and what follows is advanced with every move."""

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

    status: Status = Status.WAITING
    version: int = 0
    """Number of moves in the log; 0 before the start."""
    to_act: tuple[int, ...] = ()
    outcome: bytes | None = None
    """Canonical JSON once the match has ended."""
    updated_at: datetime

    def __repr__(self) -> str:
        return f"Match({self.id}, {self.game}, {self.status}, version {self.version})"  # the secret stays out of logs


class SeatClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat."""

    seat: int
    player: str
    """The platform's own name for who sits there; may be empty."""
    generation: int = 0
    """Raised to revoke the seat's tokens."""


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
    outcome: bytes | None = None
