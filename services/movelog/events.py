"""What happens to matches, told to platforms: one row for each event, written in the transaction of what it tells.

Events are thin: ids, a version, whose turn it is. Nothing of them is hidden from anybody who may see the match.
A tenant says which types it wants to be told; of other types nothing is written.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple, Protocol
from uuid import UUID

import msgspec

from services.movelog.records import Append, Status


class EventType(StrEnum):
    """What platforms can be told. Names are never used again for something else."""

    MATCH_CREATED = "match.created"
    MATCH_STARTED = "match.started"
    MATCH_ENDED = "match.ended"
    SEAT_JOINED = "seat.joined"
    """Somebody has taken a seat. Those that were handed out with the match are not told one by one."""
    SEAT_LEFT = "seat.left"
    """A seat that was taken is free again, or kept."""
    MOVE_APPLIED = "move.applied"
    """Any move but the start; what was taken back is a move, too."""
    TURN_STARTED = "turn.started"
    """A seat has to act, and had not before."""
    ENDPOINT_DISABLED = "endpoint.disabled"
    """A webhook endpoint was given up. It belongs to no match."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event."""

    id: UUID
    type: str
    tenant: str
    match_id: UUID | None
    """None: it belongs to no match."""
    game: str = ""
    version: int = 0
    """Of the match, after what is told."""
    seat: int | None = None
    """Who moved, whose turn it is, which seat changed hands."""
    player: str = ""
    """The platform's own id of who sits there; may be empty."""
    to_act: tuple[int, ...] = ()
    outcome: bytes | None = None
    """Canonical JSON, with the end of a match."""
    endpoint_id: UUID | None = None
    """The webhook endpoint it tells of."""
    recorded_at: datetime


class Position(NamedTuple):
    """Where an event stands in its tenant's feed. Positions are compared, and never counted."""

    transaction: int
    number: int


START: Final = Position(0, 0)
"""Before every event."""


class Told(NamedTuple):
    """An event and where it stands."""

    position: Position
    event: Event


class Events(Protocol):
    """The feed of every tenant. All methods raise LogUnavailable."""

    async def record(self, tenant: str, types: Collection[EventType]) -> None:
        """Keep events of these types for the tenant's feed from now on; of no types: none."""
        ...

    async def recorded(self, tenant: str) -> frozenset[EventType]:
        """Give the types that are kept for the tenant's feed."""
        ...

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[Told]:
        """Give the tenant's events, of the types kept now, in an order in which nothing ever appears before what was read.

        Events of one match stand in the order of its versions. An event is given only once no transaction that began
        before its own can commit any more: see postgres_events.py.
        """
        ...


def told_of(append: Append) -> tuple[tuple[EventType, int | None], ...]:
    """Give the events of a move and the seat each is about, in their order."""
    move = append.move
    first = (EventType.MATCH_STARTED, None) if move.seq == 1 else (EventType.MOVE_APPLIED, move.seat)
    turns = tuple([(EventType.TURN_STARTED, seat) for seat in append.turns])
    ended = ((EventType.MATCH_ENDED, None),) if append.status is Status.ENDED else ()
    return (first, *turns, *ended)


def kinds_of(append: Append) -> str:
    """Give the same as Postgres writes an array: `{move.applied/0,turn.started/1}`."""
    kinds = [kind.value if seat is None else f"{kind.value}/{seat}" for kind, seat in told_of(append)]
    return f"{{{','.join(kinds)}}}"
