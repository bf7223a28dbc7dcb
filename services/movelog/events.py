"""Events of matches for platforms: one row for each event, written in the transaction that the event describes.

Events are thin: ids, a version, whose turn it is. They contain nothing that is hidden from anybody who may see the match.
A tenant chooses the types it wants; events of other types are not written.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple, Protocol
from uuid import UUID

import msgspec

from services.movelog.notes import NO_METADATA
from services.movelog.records import Append, Status


class EventType(StrEnum):
    """The types of events. A name is never reused for another meaning."""

    MATCH_CREATED = "match.created"
    MATCH_STARTED = "match.started"
    MATCH_ENDED = "match.ended"
    MATCH_DELETED = "match.deleted"
    """The match and all that belonged to it are gone, earlier events too."""
    SEAT_JOINED = "seat.joined"
    """A seat was taken. Seats assigned when the match was created have no event of their own."""
    SEAT_LEFT = "seat.left"
    """A taken seat is free again, or reserved."""
    SEAT_REPLACED = "seat.replaced"
    """Another player has a seat of a running match. Its version is that of the match; the next move is the new player's."""
    MOVE_APPLIED = "move.applied"
    """Any move except the start; an undo is a move, too."""
    TURN_STARTED = "turn.started"
    """A seat has to act that had not to act before."""
    MATCH_PAUSED = "match.paused"
    """Nobody has to act until the match is resumed. The seat is the one that asked for it; without one, the tenant did."""
    MATCH_RESUMED = "match.resumed"
    DEADLINE_NEAR = "deadline.near"
    """A seat's time will be up soon. Of matches whose clock has a reminder, once for each decision."""
    CONSENT_ASKED = "consent.asked"
    """A seat has to answer a proposal."""
    CONSENT_SETTLED = "consent.settled"
    """A proposal waits for nobody any more. The seat is the one that made it."""
    ENDPOINT_DISABLED = "endpoint.disabled"
    """A webhook endpoint was disabled. The event belongs to no match."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event."""

    id: UUID
    type: str
    tenant: str
    match_id: UUID | None
    """None: the event belongs to no match."""
    game: str = ""
    version: int = 0
    """The match's version after the event."""
    seat: int | None = None
    """The seat that moved, whose turn began, or that was taken or freed."""
    player: str = ""
    """The platform's id of the player at the seat; may be empty."""
    to_act: tuple[int, ...] = ()
    outcome: bytes | None = None
    """Canonical JSON, only at the end of a match."""
    endpoint_id: UUID | None = None
    """The webhook endpoint that the event is about."""
    proposal: str = ""
    """What was proposed: a ProposalKind; only of events of consent."""
    result: str = ""
    """How a proposal ended: a Result."""
    replaced: str = ""
    """The platform's id of the player who had the seat before; may be empty. Only of `seat.replaced`."""
    recorded_at: datetime
    players: tuple[str, ...] = ()
    """The platform's ids of the players at the match, by seat; empty where there is none. These and the following are as they
    are when the event is read, not as they were when it was written."""
    title: str = ""
    deadline: datetime | None = None
    """When the clock of the seat runs out, if it runs; for an event without a seat, the first clock that does."""
    reference: str = ""
    """What the tenant notes about the match, as in Notes."""
    metadata: bytes = NO_METADATA


class Position(NamedTuple):
    """The position of an event in its tenant's feed. Positions have an order, but no distance."""

    transaction: int
    number: int


START: Final = Position(0, 0)
"""Before every event."""


class FeedEvent(NamedTuple):
    """An event and its position."""

    position: Position
    event: Event


class Events(Protocol):
    """The feed of every tenant. All methods raise LogUnavailable."""

    async def record(self, tenant: str, types: Collection[EventType]) -> None:
        """Write events of these types to the tenant's feed from now on; none if `types` is empty."""
        ...

    async def recorded(self, tenant: str) -> frozenset[EventType]:
        """Return the types that are written to the tenant's feed."""
        ...

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[FeedEvent]:
        """Return the tenant's events of the current types, in an order in which no event appears later before one already read.

        Events of one match come in the order of its versions. An event is returned only once no transaction that began
        before its own can still commit: see postgres/events.py.
        """
        ...


def events_of(append: Append) -> tuple[tuple[EventType, int | None], ...]:
    """Return the events of a move, in order, each with the seat it is about."""
    move = append.move
    first = (EventType.MATCH_STARTED, None) if move.seq == 1 else (EventType.MOVE_APPLIED, move.seat)
    turns = tuple([(EventType.TURN_STARTED, seat) for seat in append.turns])
    ended = ((EventType.MATCH_ENDED, None),) if append.status is Status.ENDED else ()
    return (first, *_of_a_pause(append), *turns, *ended)


def _of_a_pause(append: Append) -> tuple[tuple[EventType, int | None], ...]:
    """Return the event of a row that pauses its match or ends the pause."""
    change = append.proposal
    if change is None or change.paused is None or append.status is Status.ENDED:
        return ()
    return ((EventType.MATCH_PAUSED if change.paused else EventType.MATCH_RESUMED, append.move.seat),)


def kinds_of(append: Append) -> str:
    """Return the same as Postgres writes an array: `{move.applied/0,turn.started/1}`; who is asked for consent to what follows."""
    kinds = [kind.value if seat is None else f"{kind.value}/{seat}" for kind, seat in events_of(append)]
    change = append.proposal
    if change is not None and change.is_new:
        kinds += [f"{EventType.CONSENT_ASKED.value}/{seat}/{change.kind}" for seat in change.asked]
    return f"{{{','.join(kinds)}}}"
