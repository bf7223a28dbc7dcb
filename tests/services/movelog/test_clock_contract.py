"""Clocks, on the log in Postgres and on the one in memory: a move moves them, and time is the log's own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from services.movelog.clocks import AbsentRule, Cause, Clock, ClockKind, Clocks, SeatClock, Tick
from services.movelog.failures import (
    MatchUnknown,
    NotAway,
    RequestIdTaken,
    StaleVersion,
    TimeIsUp,
    TimeLeft,
)
from services.movelog.log import MoveLog
from services.movelog.postgres.lane import Lane, Statement
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, SeatRecord, SeatState, Status
from services.movelog.ticking import in_time, may_move, ticked_all, wound
from tests.support.memory_log.log import MemoryLog

MINUTE = timedelta(minutes=1)
ALMOST = timedelta(seconds=5)
"""More than any of these tests takes; much less than any time that is compared."""
PER_MOVE = Clock(kind=ClockKind.PER_MOVE, time=MINUTE)
BUDGET = Clock(kind=ClockKind.BUDGET, time=10 * MINUTE, increment=MINUTE)
SEATS = 3
EVERYBODY = tuple(range(SEATS))

AMatch = Callable[..., Match]
AMove = Callable[..., Append]


class Played:
    """A match with a clock, and moves of it as short words."""

    def __init__(self, log: MoveLog, match: Match, a_move: AMove) -> None:
        self.log = log
        self.match = match
        self._a_move = a_move
        self.version = 0
        self._head: bytes | None = None

    async def start(self, *begun: int) -> Clocks:
        first = self.next(None, Tick(cause=Cause.MOVE, begun=begun))
        await self.log.lobby.start(first, SEATS)
        self._took(first.move)
        return await self.clocks()

    def next(self, seat: int | None, tick: Tick, *, status: Status = Status.RUNNING, **given: Any) -> Append:
        made = self._a_move(self.match, self.version + 1, self._head, seat=seat, **given)
        acting = (*tick.kept, *tick.begun)
        return msgspec.structs.replace(made, tick=tick, status=status, to_act=acting)

    async def move(self, seat: int, cause: Cause = Cause.MOVE, **given: Any) -> Clocks:
        status = given.pop("status", Status.RUNNING)
        return await self.make(seat, Tick(cause=cause, **{"people": EVERYBODY, **given}), status=status)

    async def make(self, seat: int, tick: Tick, *, status: Status = Status.RUNNING) -> Clocks:
        append = self.next(seat, tick, status=status)
        await self.log.append(append)
        self._took(append.move)
        return await self.clocks()

    async def clocks(self) -> Clocks:
        found = await self.log.clocks.of(self.match.id)
        assert found is not None
        assert found.version == self.version
        return found

    def _took(self, move: Move) -> None:
        self.version, self._head = move.seq, move.hash

    async def let_pass(self, time: timedelta) -> None:
        """Let time go by, for this match only."""
        if isinstance(self.log, MemoryLog):
            stored = self.log._shelf.stored(self.match.id)
            stored.clocks = tuple(_earlier(one, time) for one in stored.clocks)
            return
        assert isinstance(self.log, PostgresLog)
        async with self.log.pool.connection() as connection:
            await connection.execute(
                "UPDATE clocks SET deadline_at = deadline_at - $1::interval WHERE match_id = $2",
                (time, self.match.id),
            )


def _earlier(one: SeatClock, time: timedelta) -> SeatClock:
    return one if one.deadline is None else msgspec.structs.replace(one, deadline=one.deadline - time)


Clocked = Callable[[Clock], Any]


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    """One for all of them: each has a match of its own."""
    return module_database_url


@pytest.fixture
def clocked(log: MoveLog, a_match: AMatch, a_move: AMove) -> Clocked:
    async def create(clock: Clock) -> Played:
        taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)]
        return Played(log, await log.create(a_match(seats=SEATS, clock=clock), taken), a_move)

    return create


def left(clocks: Clocks) -> list[int]:
    """What the seats have left, to ten seconds."""
    return [round(one.left.total_seconds() / 10) * 10 for one in clocks.seats]


def running(clocks: Clocks) -> list[int]:
    return [one.seat for one in clocks.seats if one.deadline is not None]


async def test_a_match_is_found_with_its_clock(log: MoveLog, a_match: AMatch) -> None:
    clock = Clock(
        kind=ClockKind.BUDGET,
        time=timedelta(days=3),
        increment=timedelta(seconds=7),
        absent=AbsentRule.FORFEIT,
        away_after=1,
    )
    match = await log.create(a_match(clock=clock), [])
    assert (await log.find(match.id)).clock == clock
    assert await log.clocks.of(match.id) is None, "before the start nothing runs"


async def test_a_decision_runs_its_seats_clock_and_a_move_hands_it_on(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    clocks = await table.start(0)
    assert running(clocks) == [0]
    deadline = clocks.seats[0].deadline
    assert timedelta(0) < MINUTE - (deadline - clocks.as_of) < ALMOST
    assert running(await table.move(0, begun=(1,))) == [1]


async def test_secret_simultaneous_decisions_run_every_clock_and_one_answer_stops_one(
    clocked: Clocked,
) -> None:
    table = await clocked(PER_MOVE)
    before = await table.start(0, 1, 2)
    assert running(before) == [0, 1, 2]
    await table.let_pass(MINUTE / 2)
    clocks = await table.move(1, kept=(0, 2))
    assert running(clocks) == [0, 2]
    assert left(clocks)[0] == 30, "the others' time runs on"


async def test_a_budget_is_used_up_and_gains_with_each_decision(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    assert left(await table.start(0)) == [660, 600, 600]
    await table.let_pass(3 * MINUTE)
    assert left(await table.move(0, begun=(1,))) == [480, 660, 600]
    assert left(await table.move(1, begun=(0,))) == [540, 660, 600]


@pytest.mark.parametrize("clock", [PER_MOVE, BUDGET], ids=lambda clock: clock.kind)
async def test_once_its_time_is_up_the_seat_cannot_move_and_before_it_nobody_moves_for_it(
    clocked: Clocked, clock: Clock
) -> None:
    """Whichever comes first: exactly one of the two counts at any moment."""
    table = await clocked(clock)
    await table.start(0)
    with pytest.raises(TimeLeft):
        await table.move(0, Cause.TIME_OUT, begun=(1,))
    await table.let_pass(12 * MINUTE)
    with pytest.raises(TimeIsUp):
        await table.move(0, begun=(1,))
    with pytest.raises(TimeIsUp):
        await table.move(0, Cause.TURN, kept=(0,))
    clocks = await table.move(0, Cause.TIME_OUT, begun=(1,))
    assert (running(clocks), clocks.seats[0].time_outs) == ([1], 1)
    with pytest.raises(TimeLeft):
        await table.move(0, Cause.TIME_OUT, kept=(1,))


async def test_another_seat_moves_whatever_the_clock_of_one_says(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0, 1)
    await table.let_pass(MINUTE * 2)
    with pytest.raises(TimeIsUp):
        await table.move(1, kept=(0,))
    assert running(await table.move(2, Cause.TURN, kept=(0, 1))) == [0, 1]


async def test_after_enough_time_outs_in_a_row_a_seat_is_away_and_has_no_time(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    for _ in range(PER_MOVE.away_after):
        await table.let_pass(2 * MINUTE)
        clocks = await table.move(0, Cause.TIME_OUT, begun=(0,))
    assert clocks.seats[0].time_outs == PER_MOVE.away_after
    assert clocks.seats[0].deadline <= clocks.as_of, "the system decides at once"
    clocks = await table.move(0, Cause.TIME_OUT, begun=(1,))
    with pytest.raises(NotAway):
        await table.move(1, Cause.RETURN, begun=(1,))
    clocks = await table.move(0, Cause.RETURN, kept=(1,))
    assert (clocks.seats[0].time_outs, running(clocks)) == (0, [1])
    assert left(await table.move(1, begun=(0,)))[0] == 60, "its own time again"


async def test_who_comes_back_in_the_middle_of_a_decision_has_its_whole_time(clocked: Clocked) -> None:
    table = await clocked(msgspec.structs.replace(PER_MOVE, away_after=1))
    await table.start(0)
    await table.let_pass(2 * MINUTE)
    clocks = await table.move(0, Cause.TIME_OUT, begun=(0,))
    assert clocks.seats[0].deadline <= clocks.as_of
    assert left(await table.move(0, Cause.RETURN, begun=(0,))) == [60, 60, 60]


async def test_a_move_of_its_own_forgets_the_time_outs(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    await table.let_pass(2 * MINUTE)
    await table.move(0, Cause.TIME_OUT, begun=(0,))
    assert (await table.move(0, begun=(0,))).seats[0].time_outs == 0


async def test_taking_back_gives_no_time(clocked: Clocked) -> None:
    """Neither the reopened decision nor what is decided after it, until another seat has moved."""
    table = await clocked(PER_MOVE)
    await table.start(0)
    await table.move(0, begun=(0,))
    await table.let_pass(MINUTE * 2 / 3)
    assert left(await table.move(0, Cause.TURN, begun=(0,)))[0] == 20
    assert left(await table.move(0, begun=(0,)))[0] == 20, "move and undo win no time"
    await table.move(0, begun=(1,))
    assert left(await table.move(1, begun=(0,)))[0] == 60


async def test_a_move_made_again_gives_the_next_seat_no_second_increment(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    await table.start(0)
    assert left(await table.move(0, begun=(1,)))[1] == 660
    for _ in range(4):
        await table.let_pass(MINUTE / 2)
        await table.move(0, Cause.TURN, begun=(0,))
        clocks = await table.move(0, begun=(1,))
    assert left(clocks) == [660, 540, 600], "what it thought is used, and nothing is gained"
    assert left(await table.move(1, begun=(0,)))[0] == 720, "the next decision of either has its increment"
    assert left(await table.move(0, begun=(1,)))[1] == 600


async def test_putting_back_what_was_taken_back_gives_and_takes_nothing(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    await table.start(0)
    await table.move(0, begun=(1,))
    for _ in range(3):
        await table.move(0, Cause.TURN, begun=(0,))
        assert left(await table.move(0, Cause.REDO, begun=(1,))) == [660, 660, 600]
    await table.move(0, Cause.TURN, begun=(0,))
    assert left(await table.move(0, begun=(1,))) == [660, 660, 600], "nor does a move after all that"
    assert left(await table.move(1, begun=(1,)))[1] == 720, "a further decision of the turn is a new one"
    assert left(await table.move(1, begun=(0,)))[0] == 720


async def test_after_several_undos_in_a_row_everybody_has_had_each_increment_once(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    await table.start(0)
    await table.move(0, begun=(0,))
    assert left(await table.move(0, begun=(1,))) == [720, 660, 600]
    await table.move(0, Cause.TURN, begun=(0,))
    await table.move(0, Cause.TURN, begun=(0,))
    await table.move(0, Cause.REDO, begun=(0,))
    await table.move(0, Cause.REDO, begun=(1,))
    await table.move(0, Cause.TURN, begun=(0,))
    await table.move(0, Cause.TURN, begun=(0,))
    await table.move(0, begun=(0,))
    assert left(await table.move(0, begun=(2,))) == [720, 660, 660], "another seat than before"
    assert left(await table.move(2, begun=(1,)))[1] == 660, "whose turn went back has had its increment"


async def test_a_decision_that_an_undo_exchanges_for_another_seat_gains_nothing_either(
    clocked: Clocked,
) -> None:
    table = await clocked(BUDGET)
    await table.start(0, 1)
    assert left(await table.move(0, begun=(1,)))[1] == 720
    for _ in range(3):
        await table.move(0, Cause.TURN, begun=(0, 1))
        assert left(await table.move(0, begun=(1,)))[1] == 720


async def test_a_time_per_move_gives_the_next_seat_all_of_it_whatever_was_taken_back(
    clocked: Clocked,
) -> None:
    """Else who takes back could leave the next seat a second."""
    table = await clocked(PER_MOVE)
    await table.start(0)
    await table.move(0, begun=(1,))
    await table.let_pass(MINUTE / 2)
    await table.move(0, Cause.TURN, begun=(0,))
    assert left(await table.move(0, Cause.REDO, begun=(1,)))[1] == 30, "the very same decision goes on"
    await table.move(0, Cause.TURN, begun=(0,))
    assert left(await table.move(0, begun=(1,)))[1] == 60


async def test_a_seat_that_was_away_has_its_increment_still_to_come(clocked: Clocked) -> None:
    table = await clocked(msgspec.structs.replace(BUDGET, away_after=1))
    await table.start(0)
    await table.let_pass(20 * MINUTE)
    await table.move(0, Cause.TIME_OUT, begun=(1,))
    assert left(await table.move(1, begun=(0,)))[0] == 0, "it is away"
    await table.move(1, Cause.TURN, begun=(1,))
    await table.move(0, Cause.RETURN, kept=(1,))
    assert left(await table.move(1, begun=(0,)))[0] == 60


async def test_a_time_out_that_all_agree_to_take_back_gives_the_time_again(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    await table.let_pass(2 * MINUTE)
    await table.move(0, Cause.TIME_OUT, begun=(1,))
    assert left(await table.move(1, Cause.TURN, begun=(0,)))[0] == 60


async def test_a_budget_that_is_gone_stays_gone_but_for_the_increment(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    await table.start(0)
    await table.let_pass(20 * MINUTE)
    assert left(await table.move(0, Cause.TIME_OUT, begun=(1,)))[0] == 0
    assert left(await table.move(1, begun=(0,)))[0] == 60


async def test_an_ended_match_has_no_clocks(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0, 1)
    last = table.next(0, Tick(cause=Cause.MOVE), status=Status.ENDED)
    await table.log.append(last)
    assert await table.log.clocks.of(table.match.id) is None


async def test_a_repeat_and_a_stale_move_are_refused_as_ever(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    late = table.next(1, Tick(cause=Cause.MOVE, kept=(0,)))
    repeated = table.next(0, Tick(cause=Cause.MOVE, begun=(1,)))
    await table.log.append(repeated)
    with pytest.raises(RequestIdTaken):
        await table.log.append(repeated)
    with pytest.raises(StaleVersion):
        await table.log.append(late)


async def test_a_move_that_follows_another_row_is_stale_whatever_the_clock_says(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    move = table.next(0, Tick(cause=Cause.MOVE, begun=(1,))).move
    elsewhere = msgspec.structs.replace(
        table.next(0, Tick(cause=Cause.MOVE, begun=(1,))),
        move=msgspec.structs.replace(move, previous_hash=bytes(32)),
    )
    with pytest.raises(StaleVersion):
        await table.log.append(elsewhere)
    assert (await table.clocks()).version == 1


async def test_what_is_due_comes_in_order_and_only_for_the_rules_that_are_asked(
    log: MoveLog, clocked: Clocked
) -> None:
    rules = [("harbour", "1.0.0")]
    soon, sooner, waiting = [await clocked(PER_MOVE) for _ in range(3)]
    await soon.start(0)
    await sooner.start(1, 2)
    await sooner.let_pass(2 * MINUTE)
    found = await log.clocks.due(rules, limit=1000)
    own = [one for one in found if one.match_id in {soon.match.id, sooner.match.id, waiting.match.id}]
    assert [(one.match_id, one.left <= timedelta(0)) for one in own] == [
        (sooner.match.id, True),
        (sooner.match.id, True),
        (soon.match.id, False),
    ]
    assert len(await log.clocks.due(rules, limit=2)) == 2
    others = await log.clocks.due(rules, limit=1000, but=[sooner.match.id])
    assert sooner.match.id not in {one.match_id for one in others}
    assert await log.clocks.due([("harbour", "2.0.0"), ("haven", "1.0.0")], limit=1000) == []


async def test_many_at_once_with_and_without_clocks_are_all_written(
    log: MoveLog, clocked: Clocked, a_match: AMatch, a_move: AMove
) -> None:
    tables = [await clocked(PER_MOVE) for _ in range(20)]
    for table in tables:
        await table.start(0)
    for table in tables[:5]:
        await table.let_pass(2 * MINUTE)
    plain = [await log.create(a_match(), []) for _ in range(20)]
    moves = [table.next(0, Tick(cause=Cause.MOVE, begun=(1,))) for table in tables]
    told = await asyncio.gather(
        *[log.append(move) for move in moves],
        *[log.append(a_move(match)) for match in plain],
        return_exceptions=True,
    )
    assert [type(one) for one in told] == [TimeIsUp] * 5 + [type(None)] * 35
    assert [(await log.find(match.id)).version for match in plain] == [1] * 20


async def test_of_moves_with_clocks_that_come_together_only_the_bad_ones_are_refused(
    log: MoveLog, clocked: Clocked, a_match: AMatch, a_move: AMove
) -> None:
    """What is written together fails together in the database, and is written again one by one."""
    repeated, stale, elsewhere, late, *sound = [await clocked(PER_MOVE) for _ in range(10)]
    for table in (repeated, stale, elsewhere, late, *sound):
        await table.start(0)
    once = repeated.next(0, Tick(cause=Cause.MOVE, begun=(0,)), request_id="once")
    await log.append(once)
    repeated._took(once.move)
    await late.let_pass(2 * MINUTE)
    bad = [
        repeated.next(0, Tick(cause=Cause.MOVE, begun=(1,)), request_id="once"),
        msgspec.structs.replace(a_move(stale.match, 5), tick=Tick(cause=Cause.MOVE, begun=(1,))),
        _on_another_row(elsewhere.next(0, Tick(cause=Cause.MOVE, begun=(1,)))),
        late.next(0, Tick(cause=Cause.MOVE, begun=(1,))),
        msgspec.structs.replace(a_move(a_match()), tick=Tick(cause=Cause.MOVE, begun=(1,))),
    ]
    good = [table.next(0, Tick(cause=Cause.MOVE, begun=(1,))) for table in sound]
    told = await asyncio.gather(*map(log.append, [*bad, *good]), return_exceptions=True)
    refusals = [RequestIdTaken, StaleVersion, StaleVersion, TimeIsUp, MatchUnknown]
    assert [type(one) for one in told] == [*refusals, *[type(None)] * len(sound)]
    for table in sound:
        assert (await log.find(table.match.id)).version == len(await log.read(table.match.id)) == 2
        clocks = await log.clocks.of(table.match.id)
        assert clocks is not None
        assert running(clocks) == [1]
    for table in (stale, elsewhere, late):
        assert (await log.find(table.match.id)).version == 1


def _on_another_row(append: Append) -> Append:
    return msgspec.structs.replace(append, move=msgspec.structs.replace(append.move, previous_hash=bytes(32)))


async def test_who_comes_back_to_a_decision_that_an_undo_opened_has_the_increment(clocked: Clocked) -> None:
    """The undo gave it no time, for nobody was there; whoever is back decides with what a decision gains."""
    table = await clocked(msgspec.structs.replace(BUDGET, away_after=1))
    await table.start(0)
    await table.let_pass(20 * MINUTE)
    await table.move(0, Cause.TIME_OUT, begun=(1,))
    clocks = await table.move(1, Cause.TURN, begun=(0,))
    assert (left(clocks)[0], clocks.seats[0].spent) == (0, True)
    clocks = await table.move(0, Cause.RETURN, begun=(0,))
    assert (left(clocks)[0], clocks.seats[0].time_outs) == (60, 0)


async def test_who_comes_back_while_another_decides_gains_nothing_yet(clocked: Clocked) -> None:
    table = await clocked(msgspec.structs.replace(BUDGET, away_after=1))
    await table.start(0)
    await table.let_pass(20 * MINUTE)
    await table.move(0, Cause.TIME_OUT, begun=(1,))
    assert left(await table.move(0, Cause.RETURN, kept=(1,)))[0] == 0
    assert left(await table.move(1, begun=(0,)))[0] == 60


async def test_a_pause_stops_all_clocks_and_its_end_gives_what_was_left(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0, 2)
    await table.let_pass(MINUTE / 2)
    clocks = await table.move(1, Cause.PAUSE)
    assert ([one.deadline for one in clocks.seats], left(clocks)) == ([None] * 3, [30, 60, 30])
    clocks = await table.move(1, Cause.RESUME, kept=(0,), begun=(1,))
    assert left(clocks)[:2] == [30, 60], "what was left, and all for a decision that begins only now"
    assert [one.deadline is None for one in clocks.seats] == [False, False, True]


@pytest.mark.parametrize("clock", [PER_MOVE, BUDGET], ids=lambda clock: clock.kind)
async def test_after_a_pause_or_a_vacation_there_are_ten_seconds_at_least(
    clocked: Clocked, clock: Clock
) -> None:
    table = await clocked(clock)
    await table.start(0)
    await table.let_pass((await table.clocks()).seats[0].left - timedelta(seconds=2))
    await table.move(1, Cause.PAUSE)
    assert left(await table.move(1, Cause.RESUME, kept=(0,)))[0] == 10
    await table.let_pass(timedelta(seconds=8))
    await table.move(1, Cause.TURN, kept=(0,), resting=(0,))
    assert left(await table.move(1, Cause.TURN, kept=(0,)))[0] == 10
    now = (await table.clocks()).as_of
    short = SeatClock(seat=0, left=timedelta(seconds=1))
    (short,) = ticked_all(
        replace(PER_MOVE, time=timedelta(seconds=3)), [short], Tick(cause=Cause.RESUME, kept=(0,)), None, now
    )
    assert short.deadline == now + timedelta(seconds=3), "or all of its own time if that is less"


@pytest.mark.parametrize(
    "tick", [Tick(cause=Cause.PAUSE), Tick(cause=Cause.TURN, kept=(0,), given=(0,), added=MINUTE)]
)
async def test_no_pause_and_no_gift_saves_whose_time_is_up(clocked: Clocked, tick: Tick) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0)
    await table.let_pass(2 * MINUTE)
    with pytest.raises(TimeIsUp):
        await table.log.append(table.next(None, tick))
    other = replace(tick, given=(1,)) if tick.given else Tick(cause=Cause.TURN, kept=(0,))
    await table.make(None, other)


async def test_a_budget_gains_nothing_during_a_vacation(clocked: Clocked) -> None:
    table = await clocked(BUDGET)
    await table.start(0)
    await table.move(0, Cause.TURN, kept=(0,), resting=(0,))
    await table.move(0, begun=(1,), resting=(0,))
    clocks = await table.move(1, begun=(0,), resting=(0,))
    assert (left(clocks)[0], clocks.seats[0].deadline) == (660, None)
    await table.move(0, begun=(1,), resting=(0,))
    await table.move(1, begun=(2,))
    assert left(await table.move(2, begun=(0,)))[0] == 720, "afterwards as ever"


async def test_a_clock_stands_in_a_vacation_and_goes_on(clocked: Clocked) -> None:
    table = await clocked(PER_MOVE)
    await table.start(0, 1)
    await table.let_pass(MINUTE / 3)
    clocks = await table.move(0, Cause.TURN, kept=(0, 1), resting=(0,))
    assert [(one.deadline is None, one.resting) for one in clocks.seats][:2] == [(True, True), (False, False)]
    clocks = await table.move(0, Cause.TURN, kept=(0, 1))
    assert left(clocks)[:2] == [40, 40]


REMINDED = timedelta(seconds=40)


@pytest.mark.parametrize("clock", [PER_MOVE, BUDGET], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("number", range(4))
async def test_whatever_happens_the_clocks_stand_as_python_says(
    clocked: Clocked, clock: Clock, number: int
) -> None:
    """A random walk; of two logs and one function nobody may stray."""
    whims = random.Random(number)
    clock = msgspec.structs.replace(clock, remind_before=REMINDED if number % 2 else None)
    table = await clocked(clock)
    clocks = await table.start(0, 2)
    tick = Tick(cause=Cause.MOVE, begun=(0, 2))
    model = ticked_all(clock, wound(clock, SEATS), tick, None, clocks.as_of)
    seen = set[str]()
    for _ in range(120):
        time = MINUTE * whims.choice((0, 0, 0.5, 3))
        await table.let_pass(time)
        model = tuple(_earlier(one, time) for one in model)
        mover = whims.randrange(SEATS)
        tick = _any_tick(whims, tick)
        as_of = (await table.clocks()).as_of
        if not may_move(clock, model[mover], tick.cause, as_of) or not in_time(model, tick, as_of):
            seen.add("not in time" if may_move(clock, model[mover], tick.cause, as_of) else "late")
            with pytest.raises((TimeIsUp, TimeLeft, NotAway)):
                await table.log.append(table.next(mover, tick))
            continue
        clocks = await table.make(mover, tick)
        seen |= {f"stood {one.seat}" for one in model if one.resting and one.seat in tick.kept}
        model = ticked_all(clock, model, tick, mover, as_of)
        seen |= {
            tick.cause,
            *(f"rests {seat}" for seat in tick.resting),
            *(f"gets {seat}" for seat in tick.given),
        }
        seen |= {"reminded" for one in model if one.remind_at}
        for is_now, was_said in zip(clocks.seats, model, strict=True):
            assert (is_now.time_outs, is_now.spent) == (was_said.time_outs, was_said.spent)
            assert (is_now.resting, is_now.remind_at is None) == (
                was_said.resting,
                was_said.remind_at is None,
            )
            assert (is_now.deadline is None) == (was_said.deadline is None)
            if is_now.remind_at is not None and was_said.remind_at is not None:
                assert abs(is_now.remind_at - was_said.remind_at) < ALMOST
            if is_now.deadline is None or was_said.deadline is None:
                assert abs(is_now.left - was_said.left) < ALMOST
            else:
                assert abs(is_now.deadline - was_said.deadline) < ALMOST
    assert seen >= {"rests 0", "rests 1", "rests 2", "gets 0"}
    assert ("reminded" in seen) is bool(clock.remind_before)


def _any_tick(whims: random.Random, before: Tick) -> Tick:
    """Return any tick that may follow another one; after a pause nothing but its end does."""
    people = tuple(seat for seat in EVERYBODY if whims.random() < 0.6)
    resting = tuple(seat for seat in EVERYBODY if (seat in before.resting) is not (whims.random() < 0.2))
    given = tuple(seat for seat in EVERYBODY if whims.random() < 0.1)
    more = {"people": people, "resting": resting, "given": given, "added": MINUTE * whims.choice((1, 7))}
    if before.cause is Cause.PAUSE:
        kept = tuple(seat for seat in EVERYBODY if whims.random() < 0.4)
        begun = tuple(seat for seat in EVERYBODY if seat not in kept and whims.random() < 0.5)
        return Tick(cause=Cause.RESUME, kept=kept, begun=begun, **more)
    if whims.random() < 0.15:
        return Tick(cause=Cause.PAUSE, **more)
    kept = tuple(seat for seat in before.acting if whims.random() < 0.5)
    begun = tuple(seat for seat in EVERYBODY if seat not in kept and whims.random() < 0.5)
    causes = (Cause.MOVE, Cause.MOVE, Cause.TIME_OUT, Cause.TURN, Cause.REDO, Cause.RETURN)
    return Tick(cause=whims.choice(causes), kept=kept, begun=begun, **more)


async def test_a_move_without_a_clock_beside_moves_with_one_is_written_at_the_first_attempt(
    log: MoveLog, clocked: Clocked, a_match: AMatch, a_move: AMove, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its statement once got the parameters of a batch: Postgres refused it, and it was written again."""
    refused = []
    run = Lane.run

    async def noting(lane: Lane, statement: Statement, values: Any) -> Any:
        try:
            return await run(lane, statement, values)
        except psycopg.Error as refusal:
            refused.append((statement.name, refusal.sqlstate))
            raise

    monkeypatch.setattr(Lane, "run", noting)
    table, without = await clocked(PER_MOVE), await log.create(a_match(), [])
    timed = table.next(0, Tick(cause=Cause.MOVE, people=EVERYBODY, begun=(0,)))
    await asyncio.gather(log.append(timed), log.append(a_move(without)))
    assert refused == []
    assert [(await log.find(one.id)).version for one in (table.match, without)] == [1, 1]
