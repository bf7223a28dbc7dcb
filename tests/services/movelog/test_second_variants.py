"""Every statement that writes moves writes the same: with clocks and without, told and untold, alone and together, the last.

A move goes through one of a dozen statements, by what its match and its company are. Each test runs on the log in Postgres
and on the one in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from msgspec.structs import replace

from services.movelog.clocks import Cause, Clock, ClockKind, Tick
from services.movelog.events import EventType
from services.movelog.failures import LogError, MatchUnknown, RequestIdTaken, StaleVersion
from services.movelog.log import MoveLog
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

SEATS: Final = 3
CLOCK: Final = Clock(kind=ClockKind.PER_MOVE, time=timedelta(days=1))
OUTCOME: Final = b'{"winners":[2]}'
MATCH_OPEN: Final = "SELECT array_agg(DISTINCT match_open) FROM seats WHERE match_id = $1"

CLOCKS = pytest.mark.parametrize("clock", [None, CLOCK], ids=["unclocked", "clocked"])
TENANTS = pytest.mark.parametrize("tenant", ["quiet", "told"])
COMPANY = pytest.mark.parametrize("company", [1, 6], ids=["alone", "together"])
STATUSES = pytest.mark.parametrize("status", [Status.RUNNING, Status.ENDED])


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    """One for all of them: each has matches of its own."""
    return module_database_url


class Table:
    """A match that has begun and was moved in, so that the log knows by now who is told of it."""

    def __init__(self, log: MoveLog, match: Match, a_move: AMove) -> None:
        self.log = log
        self.match = match
        self.written: list[Append] = []
        self._a_move = a_move

    async def begin(self) -> None:
        start = self.next(Status.RUNNING)
        await self.log.lobby.start(start, SEATS)
        self.written.append(start)
        await self.append(self.next(Status.RUNNING))

    def next(self, status: Status, **given: Any) -> Append:
        head = self.written[-1].move.hash if self.written else None
        given = {"seat": 1 if self.written else None} | given
        made = self._a_move(self.match, len(self.written) + 1, head, **given)
        ended = status is Status.ENDED
        return replace(
            made,
            status=status,
            to_act=() if ended else (0, 2),
            turns=() if ended else (2,),
            outcome=OUTCOME if ended else None,
            tick=None if self.match.clock is None else Tick(cause=Cause.MOVE, begun=(0, 2)),
        )

    async def append(self, append: Append) -> None:
        await self.log.append(append)
        self.written.append(append)

    async def must_be_as_written(self) -> None:
        last = self.written[-1]
        assert await self.log.read(self.match.id) == [one.move for one in self.written]
        stored = await self.log.find(self.match.id)
        ended = last.status is Status.ENDED
        assert (stored.version, stored.status) == (len(self.written), last.status)
        assert (stored.to_act, stored.outcome) == (last.to_act, last.outcome)
        assert stored.updated_at == last.move.recorded_at
        clocks = await self.log.clocks.of(self.match.id)
        if self.match.clock is None or ended:
            assert clocks is None
        else:
            assert clocks is not None
            assert [one.seat for one in clocks.seats if one.deadline is not None] == [0, 2]
        if isinstance(self.log, PostgresLog):
            async with self.log.pool.connection() as connection:
                row = await (await connection.execute(MATCH_OPEN, (self.match.id,))).fetchone()
            assert row == ([not ended],), "the seats of a match in play are listed, and of no other"

    async def told(self, count: int) -> list[str]:
        """Return of what its tenant was told; an event may be held back for a moment by somebody else's transaction."""
        for _ in range(250):
            rows = await self.log.events.read(self.match.tenant, limit=10_000)
            events = [row.event for row in rows if row.event.match_id == self.match.id]
            if len(events) >= count:
                break
            await asyncio.sleep(0.02)
        return [f"{event.type} {event.version} {event.seat}" for event in events]


NewTables = Callable[..., Any]


@pytest.fixture
def new_tables(log: MoveLog, a_match: AMatch, a_move: AMove) -> NewTables:
    async def create(count: int, clock: Clock | None, tenant: str) -> list[Table]:
        await log.events.record("told", frozenset(EventType))
        taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)]
        tables = [
            Table(log, await log.create(a_match(seats=SEATS, clock=clock, tenant=tenant), taken), a_move)
            for _ in range(count)
        ]
        for table in tables:
            await table.begin()
        return tables

    return create


@CLOCKS
@TENANTS
@COMPANY
@STATUSES
async def test_a_move_is_written_whole(
    new_tables: NewTables, clock: Clock | None, tenant: str, company: int, status: Status
) -> None:
    tables = await new_tables(company, clock, tenant)
    await asyncio.gather(*(table.append(table.next(status)) for table in tables))
    for table in tables:
        await table.must_be_as_written()


@CLOCKS
@COMPANY
@STATUSES
async def test_a_move_has_its_events_once_and_whole(
    new_tables: NewTables, clock: Clock | None, company: int, status: Status
) -> None:
    tables = await new_tables(company, clock, "told")
    await asyncio.gather(*(table.append(table.next(status)) for table in tables))
    last = "match.ended 3 None" if status is Status.ENDED else "turn.started 3 2"
    for table in tables:
        told = await table.told(7)
        assert sorted(told[1:]) == sorted(
            [
                *("match.started 1 None", "turn.started 1 2"),
                *("move.applied 2 1", "turn.started 2 2"),
                *("move.applied 3 1", last),
            ]
        )
        assert told[0].startswith("match.created")


@CLOCKS
@TENANTS
@STATUSES
async def test_a_move_that_follows_another_row_is_not_written(
    log: MoveLog, new_tables: NewTables, clock: Clock | None, tenant: str, status: Status
) -> None:
    (table,) = await new_tables(1, clock, tenant)
    with pytest.raises(StaleVersion):
        await log.append(elsewhere(table.next(status)))
    await table.must_be_as_written()


@CLOCKS
@TENANTS
@STATUSES
async def test_of_moves_that_come_together_only_the_bad_ones_are_refused(
    log: MoveLog,
    new_tables: NewTables,
    a_match: AMatch,
    a_move: AMove,
    clock: Clock | None,
    tenant: str,
    status: Status,
) -> None:
    tables = await new_tables(9, clock, tenant)
    repeated, stale, other, *sound = tables
    first = repeated.written[0].move.request_id
    bad: list[tuple[type[LogError], Append]] = [
        (RequestIdTaken, repeated.next(status, request_id=first)),
        (StaleVersion, ahead(stale.next(status))),
        (StaleVersion, elsewhere(other.next(status))),
        (MatchUnknown, replace(a_move(a_match()), tick=sound[0].next(status).tick, status=status)),
    ]
    outcomes = await asyncio.gather(
        *(log.append(append) for _, append in bad),
        *(table.append(table.next(status)) for table in sound),
        return_exceptions=True,
    )
    assert [type(one) for one in outcomes] == [*(kind for kind, _ in bad), *[type(None)] * len(sound)]
    for table in tables:
        await table.must_be_as_written()


@CLOCKS
@TENANTS
@STATUSES
async def test_where_no_rows_clash_versions_and_hashes_alone_keep_bad_moves_out(
    log: MoveLog, new_tables: NewTables, clock: Clock | None, tenant: str, status: Status
) -> None:
    """The statement is not repeated for each move by itself, which would find them, too."""
    stale, other, *sound = await new_tables(6, clock, tenant)
    outcomes = await asyncio.gather(
        log.append(ahead(stale.next(status))),
        log.append(elsewhere(other.next(status))),
        *(table.append(table.next(status)) for table in sound),
        return_exceptions=True,
    )
    assert [type(one) for one in outcomes] == [StaleVersion, StaleVersion, *[type(None)] * len(sound)]
    for table in (stale, other, *sound):
        await table.must_be_as_written()


@STATUSES
async def test_moves_of_every_kind_that_come_together_are_all_written(
    new_tables: NewTables, status: Status
) -> None:
    tables = [
        table
        for clock in (None, CLOCK)
        for tenant in ("quiet", "told")
        for table in await new_tables(3, clock, tenant)
    ]
    await asyncio.gather(*(table.append(table.next(status)) for table in tables))
    for table in tables:
        await table.must_be_as_written()


def elsewhere(append: Append) -> Append:
    return replace(append, move=replace(append.move, previous_hash=bytes(32)))


def ahead(append: Append) -> Append:
    return replace(append, move=replace(append.move, seq=append.move.seq + 1))
