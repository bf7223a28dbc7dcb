"""Downtimes, on the log in Postgres and on the one in memory: a time in which no server took moves does not count."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from msgspec.structs import replace

from services.movelog.clocks import SETTLING, Cause, Clock, ClockKind, Clocks, SeatClock, Tick
from services.movelog.downtimes import TOLERANCE, Downtime, ServedRules, served_until
from services.movelog.failures import TimeIsUp
from services.movelog.log import MoveLog
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status
from services.movelog.ticking import resumed
from tests.support.memory_log.log import MemoryLog

MINUTE: Final = timedelta(minutes=1)
SECOND: Final = timedelta(seconds=1)
ALMOST: Final = timedelta(seconds=3)
"""More than any of these tests takes between two lines."""
PER_MOVE: Final = Clock(kind=ClockKind.PER_MOVE, time=MINUTE)
BUDGET: Final = Clock(kind=ClockKind.BUDGET, time=10 * MINUTE, increment=MINUTE)
EITHER = pytest.mark.parametrize("clock", [PER_MOVE, BUDGET], ids=lambda clock: clock.kind)

AMatch = Callable[..., Match]
AMove = Callable[..., Append]


class Served:
    """A match with a clock, whose rules no other test uses."""

    def __init__(self, log: MoveLog, match: Match, a_move: AMove) -> None:
        self.log = log
        self.match = match
        self.rules: list[ServedRules] = [(match.game, match.rules_version)]
        self._a_move = a_move
        self._head: bytes | None = None
        self._version = 0

    async def start(self, *begun: int) -> None:
        await self.log.clocks.beat(self.rules)
        start = self._next(None, Tick(cause=Cause.MOVE, begun=begun, people=(0, 1)))
        await self.log.lobby.start(start, 2)
        self._head, self._version = start.move.hash, 1

    async def move(self, seat: int, cause: Cause = Cause.MOVE, **ticks: Any) -> None:
        append = self._next(seat, Tick(cause=cause, people=(0, 1), **ticks))
        await self.log.append(append)
        self._head, self._version = append.move.hash, append.move.seq

    def _next(self, seat: int | None, tick: Tick) -> Append:
        made = self._a_move(self.match, self._version + 1, self._head, seat=seat)
        return replace(made, tick=tick, status=Status.RUNNING, to_act=tick.acting)

    async def clocks(self) -> Clocks:
        found = await self.log.clocks.of(self.match.id)
        assert found is not None
        return found

    async def let_pass(self, time: timedelta, *, served: bool) -> None:
        """Let time go by, in which moves were taken or not."""
        if isinstance(self.log, MemoryLog):
            stored = self.log._shelf.stored(self.match.id)
            stored.clocks = tuple(
                replace(one, deadline=None if one.deadline is None else one.deadline - time)
                for one in stored.clocks
            )
            if not served:
                self.log.clocks._beats[self.rules[0]] -= time
            return
        assert isinstance(self.log, PostgresLog)
        async with self.log.pool.connection() as connection:
            await connection.execute(
                "UPDATE clocks SET deadline_at = deadline_at - $1::interval WHERE match_id = $2",
                (time, self.match.id),
            )
            if not served:
                await connection.execute(
                    "UPDATE heartbeats SET beat_at = beat_at - $1::interval WHERE game = $2",
                    (time, self.match.game),
                )


Serve = Callable[[Clock], Awaitable[Served]]


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    return module_database_url


@pytest.fixture
def serve(log: MoveLog, a_match: AMatch, a_move: AMove) -> Serve:
    async def create(clock: Clock) -> Served:
        taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(2)]
        match = replace(a_match(seats=2, clock=clock), game=f"game {uuid4()}")
        return Served(log, await log.create(match, taken), a_move)

    return create


def left(clocks: Clocks) -> list[int]:
    """What running clocks have left, to five seconds."""
    return [
        round((one.deadline - clocks.as_of).total_seconds() / 5) * 5 for one in clocks.seats if one.deadline
    ]


@EITHER
async def test_a_clock_goes_on_after_a_downtime_where_it_stood_before(serve: Serve, clock: Clock) -> None:
    table = await serve(clock)
    await table.start(0, 1)
    before = left(await table.clocks())
    await table.let_pass(20 * SECOND, served=True)
    await table.let_pass(timedelta(days=2), served=False)
    await table.log.clocks.beat(table.rules)
    assert left(await table.clocks()) == [one - 20 for one in before]
    await table.move(0, kept=(1,))
    (downtime,) = await table.log.clocks.downtimes(table.rules)
    assert abs(downtime.until - downtime.since - timedelta(days=2)) < ALMOST
    assert await table.log.clocks.downtimes(table.rules, after=downtime.until) == []


async def test_a_silence_within_the_tolerance_is_a_busy_server_and_no_downtime(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(TOLERANCE - SECOND, served=False)
    await table.log.clocks.beat(table.rules)
    assert await table.log.clocks.downtimes(table.rules) == []
    assert (
        MINUTE - TOLERANCE - SECOND < (await table.clocks()).seats[0].left < MINUTE - TOLERANCE + 2 * SECOND
    )


async def test_time_counts_while_one_of_several_servers_runs(serve: Serve) -> None:
    """One restarts for a minute; the other serves on, and says so every second."""
    table = await serve(PER_MOVE)
    await table.start(0)
    for _ in range(60):
        await table.let_pass(SECOND, served=True)
    await table.log.clocks.beat(table.rules)
    assert await table.log.clocks.downtimes(table.rules) == []
    with pytest.raises(TimeIsUp):
        await table.move(0, begun=(1,))


async def test_a_server_of_other_rules_keeps_no_clock_of_these_going(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(2 * MINUTE, served=False)
    await table.log.clocks.beat([(table.match.game, "9.9.9"), ("another game", table.match.rules_version)])
    assert await table.log.clocks.downtimes(table.rules) == []
    await table.log.clocks.beat(table.rules)
    assert left(await table.clocks()) == [60]


async def test_of_servers_that_come_back_together_one_credits_the_time(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(5 * MINUTE, served=False)
    await asyncio.gather(*[table.log.clocks.beat(table.rules) for _ in range(6)])
    assert len(await table.log.clocks.downtimes(table.rules)) == 1
    assert left(await table.clocks()) == [60]


async def test_who_was_late_before_the_downtime_is_late_after_it(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(2 * MINUTE, served=True)
    await table.let_pass(MINUTE, served=False)
    await table.log.clocks.beat(table.rules)
    with pytest.raises(TimeIsUp):
        await table.move(0, begun=(1,))
    await table.move(0, Cause.TIME_OUT, begun=(1,))


async def test_whose_time_had_nearly_run_out_has_time_to_come_back(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(MINUTE - 2 * SECOND, served=True)
    await table.let_pass(MINUTE, served=False)
    await table.log.clocks.beat(table.rules)
    assert SETTLING - ALMOST < (await table.clocks()).seats[0].left <= SETTLING


async def test_two_downtimes_in_a_row_are_both_credited(serve: Serve) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    for _ in range(2):
        await table.let_pass(10 * MINUTE, served=False)
        await table.log.clocks.beat(table.rules)
    assert left(await table.clocks()) == [60]
    assert len(await table.log.clocks.downtimes(table.rules)) == 2


@EITHER
async def test_before_anybody_said_that_moves_are_taken_again_no_row_is_judged_by_a_clock(
    serve: Serve, clock: Clock
) -> None:
    """The database was gone and is back, and a player comes before the server's next sign of life."""
    table = await serve(clock)
    if isinstance(table.log, MemoryLog):
        pytest.skip("a log in memory is never gone")
    await table.start(0, 1)
    await table.let_pass(timedelta(hours=1), served=False)
    assert (await table.clocks()).late() == (), "it is shown as it will be"
    assert await table.log.clocks.due(table.rules, limit=10) == []
    await table.move(0, kept=(1,))
    (downtime,) = await table.log.clocks.downtimes(table.rules)
    assert downtime.until - downtime.since > timedelta(minutes=59)
    assert len(await table.log.clocks.due(table.rules, limit=10)) == 1


async def test_a_decision_that_began_after_the_last_sign_of_life_gains_no_more_than_it_had(
    serve: Serve,
) -> None:
    table = await serve(PER_MOVE)
    await table.start(0)
    await table.let_pass(MINUTE / 2, served=True)
    await table.let_pass(MINUTE / 3, served=False)
    if isinstance(table.log, PostgresLog):  # a statement that was on its way when the last server died
        async with table.log.pool.connection() as connection:
            await connection.execute(
                "UPDATE clocks SET deadline_at = now() + interval '50 s' WHERE match_id = $1 AND seat = 0",
                (table.match.id,),
            )
    else:
        assert isinstance(table.log, MemoryLog)
        stored = table.log._shelf.stored(table.match.id)
        stored.clocks = (
            replace(stored.clocks[0], deadline=datetime.now(UTC) + 50 * SECOND),
            stored.clocks[1],
        )
    await table.log.clocks.beat(table.rules)
    assert left(await table.clocks()) == [60]


@pytest.mark.parametrize(
    ("one", "stands_at"),
    [
        (SeatClock(seat=0, left=MINUTE), None),
        (SeatClock(seat=0, left=MINUTE, deadline=datetime(2026, 1, 1, tzinfo=UTC)), 0),
        (SeatClock(seat=0, left=MINUTE, deadline=datetime(2026, 1, 1, 0, 0, 30, tzinfo=UTC)), 330),
        (SeatClock(seat=0, left=MINUTE, deadline=datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)), 310),
        (SeatClock(seat=0, left=4 * SECOND, deadline=datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC)), 304),
        (SeatClock(seat=0, left=MINUTE, deadline=datetime(2026, 1, 1, 0, 2, tzinfo=UTC)), 360),
        (SeatClock(seat=0, left=MINUTE * 0, deadline=datetime(2026, 1, 1, 0, 0, 20, tzinfo=UTC)), 320),
    ],
    ids=["it stands", "late", "half left", "nearly up", "a short one", "begun later", "nothing of its own"],
)
def test_what_a_downtime_of_five_minutes_makes_of_a_clock(one: SeatClock, stands_at: int | None) -> None:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    downtime = Downtime(game="g", rules_version="1", since=since, until=since + 5 * MINUTE)
    deadline = resumed(PER_MOVE, one, downtime).deadline
    assert (None if deadline is None else (deadline - since).total_seconds()) == stands_at


def test_a_length_of_served_time_leaves_out_the_downtimes_in_it() -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)

    def down(since: int, until: int) -> Downtime:
        return Downtime(
            game="g", rules_version="1", since=start + since * SECOND, until=start + until * SECOND
        )

    downs = [down(-60, -30), down(-10, 10), down(20, 50), down(100, 300), down(400, 500)]
    assert served_until(start, MINUTE, []) == start + MINUTE
    assert served_until(start, MINUTE, downs) == start + 100 * SECOND
    assert served_until(start, MINUTE + SECOND, downs) == start + 301 * SECOND


PROPOSED: Final = """
    INSERT INTO proposals (match_id, expires_at, version, at_version, seat, kind, asked)
    VALUES ($1, now() + $2::interval, 1, 1, 0, 'undo', '{1}')
"""


@pytest.mark.parametrize(("still_open_for", "is_ended"), [(20 * SECOND, False), (-SECOND, True)])
async def test_a_proposal_waits_while_nobody_can_answer_it(
    log: MoveLog, serve: Serve, still_open_for: timedelta, is_ended: bool
) -> None:
    """Its time goes on where it stood; one whose time was up before the downtime is ended."""
    if not isinstance(log, PostgresLog):
        pytest.skip("a log in memory has no rows of proposals")
    table = await serve(PER_MOVE)
    await table.start(0, 1)
    down = timedelta(hours=2)
    async with log.pool.connection() as connection:
        await connection.execute(PROPOSED, (table.match.id, still_open_for - down))
    await table.let_pass(down, served=False)

    await log.proposals.expire(limit=100)
    assert await _rest(log, table) is not None, "the clocks stand: nothing expires before they go on"
    await log.clocks.beat(table.rules)
    await log.proposals.expire(limit=100)

    rest = await _rest(log, table)
    assert (rest is None) is is_ended
    if rest is not None:
        assert abs(rest - still_open_for) < ALMOST


async def _rest(log: PostgresLog, table: Served) -> timedelta | None:
    """Return how long the proposal of a match is still open; None if there is none."""
    async with log.pool.connection() as connection:
        rows = await connection.execute(
            "SELECT expires_at - now() FROM proposals WHERE match_id = $1", (table.match.id,)
        )
        found = await rows.fetchone()
    return None if found is None else found[0]
