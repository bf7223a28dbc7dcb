"""The feeds of the log in memory."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from itertools import islice
from uuid import uuid4

from services.movelog.checks import check_text
from services.movelog.events import START, Event, EventType, FeedEvent, Position, events_of
from services.movelog.records import Append, Match, SeatRecord


class MemoryEvents:
    """See `Events`. Nothing commits out of order here, so a position is a plain count."""

    def __init__(self) -> None:
        self._types: dict[str, frozenset[EventType]] = {}
        self._feeds: dict[str, list[FeedEvent]] = {}

    async def record(self, tenant: str, types: Collection[EventType]) -> None:
        """See `Events.record`."""
        check_text(tenant)
        self._types[tenant] = frozenset(types)

    async def recorded(self, tenant: str) -> frozenset[EventType]:
        """See `Events.recorded`."""
        return self._types.get(tenant, frozenset())

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[FeedEvent]:
        """See `Events.read`."""
        wanted = self._types.get(tenant, frozenset())
        later = (
            event
            for event in self._feeds.get(tenant, ())
            if event.position > after and event.event.type in wanted
        )
        return list(islice(later, limit))

    def created(self, match: Match) -> None:
        """Record the event of a new match."""
        self._record(match, EventType.MATCH_CREATED, recorded_at=match.created_at)

    def joined(self, match: Match, row: SeatRecord) -> None:
        """Record the event of a taken seat."""
        self._record(match, EventType.SEAT_JOINED, row.seat, row.player)

    def left(self, match: Match, row: SeatRecord) -> None:
        """Record the event of a seat that was freed; `row` is the seat before."""
        self._record(match, EventType.SEAT_LEFT, row.seat, row.player)

    def replaced(self, match: Match, row: SeatRecord) -> None:
        """Record the event of a replaced player; `row` is the seat of the new one."""
        self._record(
            match,
            EventType.SEAT_REPLACED,
            row.seat,
            row.player,
            version=match.version,
            to_act=match.to_act,
            replaced=row.replaced[-1].player,
        )

    def deadline_near(self, match: Match, seat: int) -> None:
        """Record the event of a deadline that has come near."""
        self._record(match, EventType.DEADLINE_NEAR, seat, version=match.version, to_act=match.to_act)

    def moved(self, match: Match, append: Append, seats: Collection[SeatRecord]) -> None:
        """Record the events of a move."""
        players = {row.seat: row.player for row in seats}
        for kind, seat in events_of(append):
            self._record(
                match,
                kind,
                seat,
                "" if seat is None else players.get(seat, ""),
                version=append.move.seq,
                to_act=append.to_act,
                outcome=append.outcome if kind is EventType.MATCH_ENDED else None,
                recorded_at=append.move.recorded_at,
            )

    def _record(
        self,
        match: Match,
        kind: EventType,
        seat: int | None = None,
        player: str = "",
        *,
        version: int = 0,
        to_act: tuple[int, ...] = (),
        outcome: bytes | None = None,
        replaced: str = "",
        recorded_at: datetime | None = None,
    ) -> None:
        if kind not in self._types.get(match.tenant, ()):
            return
        feed = self._feeds.setdefault(match.tenant, [])
        event = Event(
            id=uuid4(),
            type=kind.value,
            tenant=match.tenant,
            match_id=match.id,
            game=match.game,
            version=version,
            seat=seat,
            player=player,
            to_act=to_act,
            outcome=outcome,
            replaced=replaced,
            recorded_at=recorded_at or datetime.now(UTC),
        )
        feed.append(FeedEvent(Position(0, len(feed) + 1), event))
