"""What is done with many matches at once reads the rows of those matches, however many others there are, and whenever it was planned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from services.movelog.batches import NewMatch
from services.movelog.clocks import Cause, Clock, ClockKind, Tick
from services.movelog.notes import Notes
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, SeatRecord, SeatState
from services.postgres.database import DatabaseSettings

OTHERS = 10_000
AT_ONCE = 50
ROWS_OF_A_MATCH = 20
"""Its own, two seats, their clocks, its notes, in each of a statement's steps."""
PLANNED_FOR_GOOD = 6
"""Postgres keeps a plan for any values once it has made five for certain ones."""
TENANT = "harbour-platform"
CLOCK = Clock(kind=ClockKind.PER_MOVE, time=timedelta(minutes=1))

FILL = f"""
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act, request_id)
SELECT lpad(to_hex(n), 32, '0')::uuid, now(), now(), 1, 2, '{TENANT}', 'harbour', '1.0.0', '{{}}', 's', 'c', 'running', '{{0}}',
       'other-' || n
FROM generate_series(1, {OTHERS}) AS n;
INSERT INTO seats (match_id, seat, tenant, state, player)
SELECT id, seat, tenant, 'taken', '' FROM matches, generate_series(0, 1) AS seat WHERE request_id LIKE 'other-%';
INSERT INTO clocks (match_id, seat, left_us)
SELECT id, seat, 1 FROM matches, generate_series(0, 1) AS seat WHERE request_id LIKE 'other-%';
INSERT INTO match_notes (match_id, tenant, reference, metadata)
SELECT id, tenant, request_id, '{{}}' FROM matches WHERE request_id LIKE 'other-%'
"""

READ = """
SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS rows
"""


class Work:
    """Batches over one connection, whose reading is counted."""

    def __init__(
        self, log: PostgresLog, a_match: Callable[..., Match], a_move: Callable[..., Append]
    ) -> None:
        self.log = log
        self._a_match = a_match
        self._a_move = a_move
        self._made = 0

    def new(self, count: int) -> list[NewMatch]:
        seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(2))
        first, self._made = self._made, self._made + count
        return [
            NewMatch(
                match=self._a_match(seats=2, request_id=f"own-{number}", clock=CLOCK),
                seats=seats,
                notes=Notes(reference=f"own/{number}"),
            )
            for number in range(first, first + count)
        ]

    def first_move(self, match: Match) -> Append:
        tick = Tick(cause=Cause.MOVE, begun=(0,))
        return replace(self._a_move(match, seat=None), to_act=(0,), turns=(0,), revocations=0, tick=tick)

    async def read_by(self, work: Awaitable[object]) -> int:
        """Return how many rows and entries of indexes a piece of work has read."""
        before = await self._read()
        await work
        return await self._read() - before

    async def _read(self) -> int:
        async with self.log.pool.connection() as connection:
            await connection.execute("SELECT pg_stat_force_next_flush()")
            cursor = await connection.execute(READ)
            (rows,) = await cursor.fetchone() or (0,)
            return int(rows)

    async def of_each_kind(self, count: int) -> dict[str, int]:
        """Do everything with so many matches; return what each kind of work has read."""
        log, new = self.log.batches, self.new(count)
        ids: list[UUID] = [one.match.id for one in new]
        return {
            "create": await self.read_by(log.create(new, all_or_none=False)),
            "start": await self.read_by(log.start([self.first_move(one.match) for one in new])),
            "read": await self.read_by(log.read(ids)),
            "requested": await self.read_by(
                log.requested(TENANT, [str(one.match.request_id) for one in new])
            ),
            "referred": await self.read_by(log.referred(TENANT, [one.notes.reference for one in new])),
        }


@pytest.mark.parametrize("planned_when_small", [True, False])
async def test_a_batch_reads_the_rows_of_its_own_matches(
    database_url: str,
    a_match: Callable[..., Match],
    a_move: Callable[..., Append],
    planned_when_small: bool,
) -> None:
    async with await PostgresLog.open(DatabaseSettings(database_url, readers=1, statement_seconds=60)) as log:
        work = Work(log, a_match, a_move)
        for _ in range(PLANNED_FOR_GOOD if planned_when_small else 0):
            await work.of_each_kind(2)
        async with log.pool.connection() as connection:
            for statement in FILL.split(";\n"):
                await connection.execute(statement)
            if not planned_when_small:
                await connection.execute("ANALYZE")
        for _ in range(1 if planned_when_small else PLANNED_FOR_GOOD + 1):
            read = await work.of_each_kind(AT_ONCE)
        assert {kind: rows for kind, rows in read.items() if rows > AT_ONCE * ROWS_OF_A_MATCH} == {}, read
