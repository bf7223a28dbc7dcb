"""Looking at clocks in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from services.database import Pool
from services.movelog import clock_queries as queries
from services.movelog.asking import ask
from services.movelog.clocks import Clocks, Due, SeatClock


class PostgresClocks:
    """See `ClockReader`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def of(self, match_id: UUID) -> Clocks | None:
        """See `ClockReader.of`."""
        rows = await ask(self._pool, queries.OF, (match_id,))
        if not rows:
            return None
        version, as_of, *_ = rows[0]
        seats = tuple(
            SeatClock(
                seat=seat,
                left=timedelta(microseconds=left_us)
                if deadline is None
                else max(deadline - as_of, timedelta(0)),
                deadline=deadline,
                time_outs=time_outs,
                spent=spent,
            )
            for _, _, seat, left_us, deadline, time_outs, spent in rows
        )
        return Clocks(version=version, as_of=as_of, seats=seats)

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """See `ClockReader.due`."""
        games, versions = [game for game, _ in rules], [version for _, version in rules]
        rows = await ask(self._pool, queries.DUE, (games, versions, list(but), limit))
        return [Due(match_id=match_id, seat=seat, left=left) for match_id, seat, left in rows]
