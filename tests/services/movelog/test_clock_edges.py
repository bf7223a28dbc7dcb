"""Clocks at the very moment: time stands still here, so that deadlines are met to the microsecond, in both logs."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from msgspec.structs import replace

from services.movelog.clocks import Cause, Clock, ClockKind, Clocks, SeatClock, Tick
from services.movelog.failures import NotAway, TimeIsUp, TimeLeft
from services.movelog.log import MoveLog
from services.movelog.postgres import writer
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status
from services.movelog.ticking import in_time, may_move, ticked_all, wound
from tests.support.memory_log import lobby as memory_lobby
from tests.support.memory_log.log import MemoryLog

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

NOW: Final = datetime(2026, 3, 29, 1, 59, 59, 999_999, UTC)
MICROSECOND: Final = timedelta(microseconds=1)
SECOND: Final = timedelta(seconds=1)
MINUTE: Final = timedelta(minutes=1)
SEATS: Final = 2
PER_MOVE: Final = Clock(kind=ClockKind.PER_MOVE, time=MINUTE)
BUDGET: Final = Clock(kind=ClockKind.BUDGET, time=10 * MINUTE, increment=7 * SECOND)
HASTY: Final = replace(BUDGET, away_after=1)
SET: Final = """
UPDATE clocks SET left_us = $3, deadline_at = $4, time_outs = $5, spent = $6 WHERE match_id = $1 AND seat = $2
"""
READ: Final = (
    "SELECT seat, left_us, deadline_at, time_outs, spent FROM clocks WHERE match_id = $1 ORDER BY seat"
)


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    """One for all of them: each has a match of its own."""
    return module_database_url


@pytest.fixture
async def at(log: MoveLog, monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], Awaitable[None]]:
    """Let it be some moment, for everything that moves a clock."""
    if isinstance(log, MemoryLog):
        now = [NOW]
        standing = type("datetime", (datetime,), {"now": classmethod(lambda cls, zone: now[0])})
        monkeypatch.setattr(memory_lobby, "datetime", standing)

        async def set_now(moment: datetime) -> None:
            now[0] = moment

        return set_now
    assert isinstance(log, PostgresLog)
    pool = log.pool
    async with pool.connection() as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS standing AS SELECT now() AS still")
    for name in ("_APPEND_CLOCKED", "_WHY_NOT_CLOCKED"):
        usual = getattr(writer, name)
        assert b"statement_timestamp()" in usual.sql
        standing = usual.sql.replace(b"statement_timestamp()", b"(SELECT still FROM standing)")
        monkeypatch.setattr(writer, name, usual._replace(sql=standing))

    async def set_still(moment: datetime) -> None:
        async with pool.connection() as connection:
            await connection.execute("UPDATE standing SET still = $1", (moment,))

    return set_still


class Table:
    """A match with clocks that stand as the test says."""

    def __init__(self, log: MoveLog, match: Match, a_move: AMove) -> None:
        self.log = log
        self.match = match
        self._a_move = a_move
        self._head: bytes | None = None
        self._version = 0

    async def start(self) -> None:
        start = self._next(None, Tick(cause=Cause.MOVE, begun=(0, 1)))
        await self.log.lobby.start(start, SEATS)
        self._head, self._version = start.move.hash, 1

    async def append(self, seat: int, tick: Tick) -> None:
        append = self._next(seat, tick)
        await self.log.append(append)
        self._head, self._version = append.move.hash, append.move.seq

    def _next(self, seat: int | None, tick: Tick) -> Append:
        made = self._a_move(self.match, self._version + 1, self._head, seat=seat)
        return replace(made, tick=tick, status=Status.RUNNING)

    async def set(self, *clocks: SeatClock) -> None:
        if isinstance(self.log, MemoryLog):
            self.log._shelf.stored(self.match.id).clocks = clocks
            return
        assert isinstance(self.log, PostgresLog)
        async with self.log.pool.connection() as connection:
            for one in clocks:
                values = (one.left // MICROSECOND, one.deadline, one.time_outs, one.spent)
                await connection.execute(SET, (self.match.id, one.seat, *values))

    async def clocks(self) -> tuple[SeatClock, ...]:
        if isinstance(self.log, MemoryLog):
            return self.log._shelf.stored(self.match.id).clocks
        assert isinstance(self.log, PostgresLog)
        async with self.log.pool.connection() as connection:
            cursor = await connection.execute(READ, (self.match.id,), binary=True)
            return tuple([_clock(row) for row in await cursor.fetchall()])


def _clock(row: Any) -> SeatClock:
    seat, left, deadline, time_outs, spent = row
    return SeatClock(seat=seat, left=left * MICROSECOND, deadline=deadline, time_outs=time_outs, spent=spent)


NewTable = Callable[[Clock], Awaitable[Table]]


@pytest.fixture
def new_table(log: MoveLog, a_match: AMatch, a_move: AMove) -> NewTable:
    async def create(clock: Clock) -> Table:
        taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)]
        table = Table(log, await log.create(a_match(seats=SEATS, clock=clock), taken), a_move)
        await table.start()
        return table

    return create


EDGES = pytest.mark.parametrize(
    ("left", "is_up"),
    [(SECOND, False), (MICROSECOND, False), (timedelta(0), True), (-MICROSECOND, True)],
    ids=["a second before", "a microsecond before", "at the deadline", "a microsecond after"],
)


@EDGES
@pytest.mark.parametrize("clock", [PER_MOVE, BUDGET], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("cause", [Cause.MOVE, Cause.TURN, Cause.REDO, Cause.TIME_OUT])
async def test_a_deadline_is_met_to_the_microsecond(
    new_table: NewTable, at: Any, cause: Cause, clock: Clock, left: timedelta, is_up: bool
) -> None:
    """Of a move and the time-out exactly one is written, whenever they come."""
    table = await new_table(clock)
    await at(NOW)
    one = SeatClock(seat=0, left=clock.time, deadline=NOW + left)
    await table.set(one, SeatClock(seat=1, left=clock.time))
    tick = Tick(cause=cause, begun=(1,))
    assert may_move(clock, one, cause, NOW) is (is_up is (cause is Cause.TIME_OUT))
    if is_up is (cause is Cause.TIME_OUT):
        await table.append(0, tick)
    else:
        with pytest.raises(TimeLeft if cause is Cause.TIME_OUT else TimeIsUp):
            await table.append(0, tick)


@EDGES
def test_a_clock_is_late_from_its_deadline_on(left: timedelta, is_up: bool) -> None:
    clocks = Clocks(version=1, as_of=NOW, seats=(SeatClock(seat=0, left=MINUTE, deadline=NOW + left),))
    assert bool(clocks.late()) is is_up


@pytest.mark.parametrize("away_after", [1, 2, 10])
async def test_a_seat_is_away_with_just_so_many_time_outs(
    new_table: NewTable, at: Any, away_after: int
) -> None:
    clock = replace(PER_MOVE, away_after=away_after)
    table = await new_table(clock)
    await at(NOW)
    present = SeatClock(seat=0, left=MINUTE, deadline=NOW, time_outs=away_after - 1)
    await table.set(present, SeatClock(seat=1, left=MINUTE))
    with pytest.raises(NotAway):
        await table.append(0, Tick(cause=Cause.RETURN, begun=(0,)))
    await table.append(0, Tick(cause=Cause.TIME_OUT, begun=(0,), people=(0, 1)))
    away = (await table.clocks())[0]
    assert (away.time_outs, away.deadline) == (away_after, NOW), "it is decided for at once"
    await table.append(0, Tick(cause=Cause.RETURN, begun=(0,)))
    back = (await table.clocks())[0]
    assert (back.time_outs, back.deadline, back.spent) == (0, NOW + MINUTE, False)


@pytest.mark.parametrize("clock", [PER_MOVE, BUDGET, HASTY], ids=["per move", "budget", "soon away"])
@pytest.mark.parametrize("number", range(4))
async def test_the_clocks_stand_to_the_microsecond_as_python_says(
    new_table: NewTable, at: Any, clock: Clock, number: int
) -> None:
    """A random walk that stops at deadlines: of two logs and one function nobody strays by as much as a tick."""
    whims = random.Random(number)
    table = await new_table(clock)
    now = NOW
    begun = Tick(cause=Cause.MOVE, begun=(0, 1))
    model = ticked_all(clock, wound(clock, SEATS), begun, None, now)
    await table.set(*model)
    written = 0
    for _ in range(80):
        deadlines = [one.deadline for one in model if one.deadline is not None and one.deadline > now]
        step = whims.choice((timedelta(0), whims.uniform(0, 20) * SECOND, None))
        if step is not None:
            now += step
        elif deadlines:
            now = min(deadlines) + whims.choice((-1, 0, 1)) * MICROSECOND
        await at(now)
        running = [one.seat for one in model if one.deadline is not None]
        kept = tuple(seat for seat in running if whims.random() < 0.4)
        mover = whims.randrange(SEATS)
        allowed = [cause for cause in Cause if may_move(clock, model[mover], cause, now)]
        tick = Tick(
            cause=whims.choice(allowed if allowed and whims.random() < 0.7 else list(Cause)),
            kept=kept,
            begun=tuple(seat for seat in range(SEATS) if seat not in kept and whims.random() < 0.7),
            people=tuple(seat for seat in range(SEATS) if whims.random() < 0.6),
        )
        if may_move(clock, model[mover], tick.cause, now) and in_time(model, tick, now):
            await table.append(mover, tick)
            model = ticked_all(clock, model, tick, mover, now)
            written += 1
        else:
            with pytest.raises((TimeIsUp, TimeLeft, NotAway)):
                await table.append(mover, tick)
        assert await table.clocks() == model
    assert written > 40
