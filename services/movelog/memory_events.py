"""The feeds of the log in memory."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from itertools import islice
from uuid import uuid4

from services.movelog.checks import check_text
from services.movelog.events import START, Event, EventType, Position, Told, told_of
from services.movelog.records import Append, Match, SeatRecord


class MemoryEvents:
    """See `Events`. Nothing commits out of order here, so a position is a plain count."""

    def __init__(self) -> None:
        self._types: dict[str, frozenset[EventType]] = {}
        self._told: dict[str, list[Told]] = {}

    async def record(self, tenant: str, types: Collection[EventType]) -> None:
        """See `Events.record`."""
        check_text(tenant)
        self._types[tenant] = frozenset(types)

    async def recorded(self, tenant: str) -> frozenset[EventType]:
        """See `Events.recorded`."""
        return self._types.get(tenant, frozenset())

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[Told]:
        """See `Events.read`."""
        wanted = self._types.get(tenant, frozenset())
        later = (
            told for told in self._told.get(tenant, ()) if told.position > after and told.event.type in wanted
        )
        return list(islice(later, limit))

    def created(self, match: Match) -> None:
        """Tell of a new match."""
        self._tell(match, EventType.MATCH_CREATED, recorded_at=match.created_at)

    def joined(self, match: Match, row: SeatRecord) -> None:
        """Tell of a seat that was taken."""
        self._tell(match, EventType.SEAT_JOINED, row.seat, row.player)

    def left(self, match: Match, row: SeatRecord) -> None:
        """Tell of a seat that was taken, as it was, and is no more."""
        self._tell(match, EventType.SEAT_LEFT, row.seat, row.player)

    def moved(self, match: Match, append: Append, seats: Collection[SeatRecord]) -> None:
        """Tell of a move."""
        players = {row.seat: row.player for row in seats}
        for kind, seat in told_of(append):
            self._tell(
                match,
                kind,
                seat,
                "" if seat is None else players.get(seat, ""),
                version=append.move.seq,
                to_act=append.to_act,
                outcome=append.outcome if kind is EventType.MATCH_ENDED else None,
                recorded_at=append.move.recorded_at,
            )

    def _tell(
        self,
        match: Match,
        kind: EventType,
        seat: int | None = None,
        player: str = "",
        *,
        version: int = 0,
        to_act: tuple[int, ...] = (),
        outcome: bytes | None = None,
        recorded_at: datetime | None = None,
    ) -> None:
        if kind not in self._types.get(match.tenant, ()):
            return
        feed = self._told.setdefault(match.tenant, [])
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
            recorded_at=recorded_at or datetime.now(UTC),
        )
        feed.append(Told(Position(0, len(feed) + 1), event))
