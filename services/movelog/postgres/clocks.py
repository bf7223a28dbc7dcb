"""Reading clocks in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from services.movelog.clocks import Clocks, Due, SeatClock
from services.movelog.postgres import clock_queries as queries
from services.movelog.postgres.asking import ask
from services.postgres.database import Pool
from services.postgres.records import NamedRow


class PostgresClocks:
    """See `ClockReader`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def of(self, match_id: UUID) -> Clocks | None:
        """See `ClockReader.of`."""
        rows = await ask(self._pool, queries.OF, (match_id,))
        if not rows:
            return None
        version, as_of = rows[0]["version"], rows[0]["as_of"]
        return Clocks(version=version, as_of=as_of, seats=tuple(map(_seat_clock, rows)))

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """See `ClockReader.due`."""
        games, versions = [game for game, _ in rules], [version for _, version in rules]
        rows = await ask(self._pool, queries.DUE, (games, versions, list(but), limit))
        return [Due(**row) for row in rows]


def _seat_clock(row: NamedRow) -> SeatClock:
    deadline: datetime | None = row["deadline"]
    if deadline is None:
        left = timedelta(microseconds=row["left_us"])
    else:
        left = max(deadline - row["as_of"], timedelta(0))
    return SeatClock(
        seat=row["seat"], left=left, deadline=deadline, time_outs=row["time_outs"], spent=row["spent"]
    )
