"""Clocks in Postgres: reading them, and moving their deadlines by the times in which no server took moves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final
from uuid import UUID

import structlog

from services.movelog.clocks import Clocks, Due, SeatClock
from services.movelog.downtimes import Downtime, ServedRules
from services.movelog.postgres import binary
from services.movelog.postgres import clock_queries as queries
from services.movelog.postgres.asking import ask, ask_on, in_our_words
from services.movelog.postgres.batch_queries import CLOCKS
from services.movelog.postgres.lane import Statement
from services.movelog.postgres.lanes import Lanes
from services.postgres.connection import GRACE_SECONDS
from services.postgres.database import Connection, Pool
from services.postgres.records import NamedRow

MAX_RESUMPTION: Final = 60
"""Seconds. Moving the deadlines of hundreds of thousands of matches takes longer than other statements may."""

_BEAT: Final = Statement(b"beat", queries.BEAT.encode(), (binary.TEXT.oid, binary.TEXT.oid))
_log: Final = structlog.get_logger("foldtable.movelog")


class PostgresClocks:
    """See `ClockReader`."""

    def __init__(self, pool: Pool, lanes: Lanes) -> None:
        """`lanes` take moves: a server that says it takes them must not wait behind reads."""
        self._pool = pool
        self._lanes = lanes

    async def of(self, match_id: UUID) -> Clocks | None:
        """See `ClockReader.of`."""
        rows = await ask(self._pool, queries.OF, (match_id,))
        if not rows:
            return None
        version, as_of = rows[0]["version"], rows[0]["as_of"]
        return Clocks(version=version, as_of=as_of, seats=tuple(map(_seat_clock, rows)))

    async def of_several(self, match_ids: Sequence[UUID]) -> dict[UUID, Clocks]:
        """Return the clocks of many matches; those without clocks are left out."""
        rows = await ask(self._pool, CLOCKS, (list(match_ids),))
        found: dict[UUID, Clocks] = {}
        for match_id, group in groupby(rows, lambda row: row["id"]):
            seats = list(group)
            version, as_of = seats[0]["version"], seats[0]["as_of"]
            found[match_id] = Clocks(version=version, as_of=as_of, seats=tuple(map(_seat_clock, seats)))
        return found

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """See `ClockReader.due`."""
        rows = await ask(self._pool, queries.DUE, (*_columns(rules), list(but), limit))
        return [Due(**row) for row in rows]

    async def remind(self, *, limit: int) -> int:
        """See `ClockReader.remind`."""
        return len(await ask(self._pool, queries.REMIND, (limit,)))

    async def beat(self, rules: Sequence[ServedRules]) -> None:
        """See `ClockReader.beat`."""
        names = tuple(
            binary.array(binary.TEXT, [one.encode() for one in column]) for column in _columns(rules)
        )
        with in_our_words():
            async with self._lanes.lane() as lane:
                found = await lane.run(_BEAT, names)
        silent = [
            (_text(found.get_value(row, 0)), _text(found.get_value(row, 1))) for row in range(found.ntuples)
        ]
        if silent:
            await self._resume(silent)

    async def resume(self, match_id: UUID) -> None:
        """Move the deadlines of a match, and of all others under its rules, if no server has taken moves for a while."""
        rows = await ask(self._pool, queries.RULES_OF, (match_id,))
        if rows:
            await self.beat([(rows[0]["game"], rows[0]["rules_version"])])

    async def downtimes(
        self, rules: Sequence[ServedRules], *, after: datetime | None = None
    ) -> list[Downtime]:
        """See `ClockReader.downtimes`."""
        rows = await ask(self._pool, queries.DOWNTIMES, (*_columns(rules), after))
        return [Downtime(**row) for row in rows]

    async def standing(self, rules: Sequence[ServedRules]) -> list[Downtime]:
        """See `ClockReader.standing`."""
        rows = await ask(self._pool, queries.STANDING, _columns(rules))
        return [Downtime(**row) for row in rows]

    async def _resume(self, rules: Sequence[ServedRules]) -> None:
        columns = _columns(rules)
        with in_our_words():
            async with (
                self._pool.connection() as connection,
                _resumption_limit(connection),
                connection.transaction(),
            ):
                await ask_on(connection, f"SET LOCAL statement_timeout = '{MAX_RESUMPTION}s'", ())
                await ask_on(connection, queries.FIRST_BEAT, columns)
                await ask_on(connection, queries.HOLD_BEATS, columns)
                rows = await ask_on(connection, queries.RESUME, columns)
                await ask_on(connection, queries.BEATEN, columns)
        for row in rows:
            seconds = (row["until"] - row["since"]).total_seconds()
            which = {"game": row["game"], "rules_version": row["rules_version"]}
            _log.info("clocks stood still", **which, seconds=round(seconds, 1))


def _text(value: bytes | None) -> str:
    assert value is not None  # a name of a game, or a version
    return value.decode()


@asynccontextmanager
async def _resumption_limit(connection: Connection) -> AsyncIterator[None]:
    """Let statements of a connection take MAX_RESUMPTION."""
    usual, connection.response_seconds = connection.response_seconds, MAX_RESUMPTION + GRACE_SECONDS
    try:
        yield
    finally:
        connection.response_seconds = usual


def _columns(rules: Sequence[ServedRules]) -> tuple[list[str], list[str]]:
    return [game for game, _ in rules], [version for _, version in rules]


def _seat_clock(row: NamedRow) -> SeatClock:
    deadline: datetime | None = row["deadline"]
    if deadline is None:
        left = timedelta(microseconds=row["left_us"])
    else:
        left = max(deadline - row["as_of"], timedelta(0))
    return SeatClock(
        seat=row["seat"],
        left=left,
        deadline=deadline,
        time_outs=row["time_outs"],
        spent=row["spent"],
        resting=row["resting"],
        remind_at=row["remind_at"],
    )
