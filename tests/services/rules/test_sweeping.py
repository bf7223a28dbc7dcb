"""The sweeper by itself: it stops when told, one bad match does not stop it, and who is late meets the rule of the match."""

from __future__ import annotations

import asyncio
import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace
from structlog.testing import capture_logs

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.absence import is_time_out
from engine.registry import game as registered_game
from services.movelog.clocks import AbsentRule, Clock, ClockKind
from services.movelog.failures import LogError
from services.movelog.records import Match, MatchSettings, Status
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch, create
from services.rules.match.starting import start_when_full
from services.rules.seats.bot_seats import STAND_IN, stand_in
from services.rules.sweeps.sweeping import Sweeper
from tests.support.memory_log import clocks as memory_clocks
from tests.support.memory_log import lobby as memory_lobby
from tests.support.memory_log.log import MemoryLog

GAME = registered_game("river_dragons")
HOUR = timedelta(hours=1)


def game_of(game_id: str) -> AnyGame | None:
    return GAME if game_id == GAME.id else None


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def tables(log: MemoryLog) -> MatchCache:
    return MatchCache(log, game_of)


async def started(
    tables: MatchCache,
    absent: AbsentRule = AbsentRule.POLICY,
    seats: int = 2,
    options: bytes = b"{}",
    **more: Any,
) -> Match:
    clock = Clock(**{"kind": ClockKind.PER_MOVE, "time": HOUR, "absent": absent, **more})
    asked = GAME.options_codec.decode(options)
    new = NewMatch(tenant="t", game=GAME, seats=seats, options=asked, settings=MatchSettings(clock=clock))
    match = await create(tables.log, new)
    async with tables.hold(match.id) as table:
        await tables.check_seating(table)
        await start_when_full(tables, table)
    return match


def run_out(log: MemoryLog, match: Match, *seats: int) -> None:
    stored = log._shelf.stored(match.id)
    stored.clocks = tuple(
        replace(one, deadline=one.deadline - 2 * HOUR) if one.seat in seats and one.deadline else one
        for one in stored.clocks
    )


async def test_it_decides_what_is_due_and_nothing_else(log: MemoryLog, tables: MatchCache) -> None:
    late, in_time = await started(tables), await started(tables)
    run_out(log, late, 0)
    sweeper = Sweeper(tables, (GAME,))
    assert await sweeper.sweep() == 0, "there may be more"
    assert [is_time_out(move.request) for move in await log.read(late.id)] == [False, True]
    assert (await log.find(in_time.id)).version == 1
    assert 0 < await sweeper.sweep() <= 0.5, "and then it waits"


@pytest.mark.parametrize(
    ("left", "is_due"),
    [(1_000_000, False), (1, False), (0, True), (-1, True)],
    ids=["a second before", "a microsecond before", "at the deadline", "a microsecond after"],
)
async def test_it_decides_from_the_deadline_on(
    log: MemoryLog, tables: MatchCache, monkeypatch: pytest.MonkeyPatch, left: int, is_due: bool
) -> None:
    match = await started(tables)
    deadline = log._shelf.stored(match.id).clocks[0].deadline
    assert deadline is not None
    run_out(log, match, 1)
    stored = log._shelf.stored(match.id)
    other = replace(stored.clocks[1], deadline=deadline + HOUR)
    stored.clocks = (stored.clocks[0], other)
    now = deadline - timedelta(microseconds=left)
    standing = type("datetime", (datetime,), {"now": classmethod(lambda cls, zone: now)})
    for module in (memory_clocks, memory_lobby):
        monkeypatch.setattr(module, "datetime", standing)
    pause = await Sweeper(tables, (GAME,)).sweep()
    assert (await log.find(match.id)).version == (2 if is_due else 1)
    assert pause == (0 if is_due else min(0.5, left / 1_000_000)), "it sleeps no longer than to the deadline"


async def test_a_match_that_everybody_has_left_goes_on_by_its_deadlines_and_nobody_wins_it(
    log: MemoryLog, tables: MatchCache
) -> None:
    match = await started(tables, options=b'{"round_limit":2}')
    sweeper = Sweeper(tables, (GAME,))
    rounds = 0
    while (await log.find(match.id)).status is not Status.ENDED:
        version = (await log.find(match.id)).version
        run_out(log, match, 0, 1)
        await sweeper.sweep()
        assert await sweeper.sweep() > 0, "what is not due is not decided"
        assert (await log.find(match.id)).version <= version + 2, "one decision of each seat for one deadline"
        rounds += 1
        assert rounds < 100
    rows = await log.read(match.id)
    assert all(is_time_out(row.request) for row in rows[1:-1])
    assert rows[-1].request == b'{"type":"abandon"}'
    assert json.decode((await log.find(match.id)).outcome or b"")["reason"] == "ABORTED"
    assert len({row.request_id for row in rows}) == len(rows)


async def test_one_match_that_cannot_be_decided_is_set_aside_and_the_others_go_on(
    log: MemoryLog, tables: MatchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = await started(tables, seats=3), await started(tables)
    run_out(log, broken, 0)
    run_out(log, sound, 0)
    policy = GAME.policy

    def stumbling(state: Any, seat: Seat) -> Any:
        if state.seats == 3:
            raise ZeroDivisionError
        return policy(state, seat)

    monkeypatch.setitem(GAME.__dict__, "policy", stumbling)
    sweeper = Sweeper(tables, (GAME,))
    await sweeper.sweep()
    assert (await log.find(sound.id)).version == 2
    assert (await log.find(broken.id)).version == 1
    assert await sweeper.sweep() > 0, "it does not try the same again at once"


@pytest.mark.parametrize("absent", AbsentRule)
async def test_a_bot_is_handed_the_seat_only_where_the_match_says_so(
    log: MemoryLog, tables: MatchCache, absent: AbsentRule
) -> None:
    match = await started(tables, absent, seats=3)
    run_out(log, match, 1)
    await Sweeper(tables, (GAME,), hand_over=stand_in).sweep()
    bots = [seat.bot for seat in (await log.lobby.seating(match.id)).seats]
    assert bots == ["", STAND_IN if absent is AbsentRule.BOT else "", ""]
    async with tables.hold(match.id) as table:
        assert table.version == 2, "the decision that was late is made by the game's policy all the same"


async def test_a_mistake_of_ours_ends_the_sweeping_of_no_process(
    log: MemoryLog, tables: MatchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await started(tables)
    due, asked = log.clocks.due, 0

    async def failing_once(*args: Any, **more: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise LogError("the database refused a statement: 22008")
        return await due(*args, **more)

    monkeypatch.setattr(log.clocks, "due", failing_once)
    run_out(log, match, 0)
    sweeping = asyncio.create_task(Sweeper(tables, (GAME,), poll_seconds=0.01).run())
    async with asyncio.timeout(20):
        while (await log.find(match.id)).version == 1:  # noqa: ASYNC110 - a test may poll
            await asyncio.sleep(0.01)
    assert not sweeping.done()
    sweeping.cancel()
    await asyncio.wait([sweeping])


async def test_what_was_refused_is_not_quoted_in_the_log(
    log: MemoryLog, tables: MatchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal may name a card that is hidden."""
    match = await started(tables)
    run_out(log, match, 0)

    def stumbling(state: Any, seat: Seat) -> Any:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="9", facts={"card": "hu" + "sh"})

    monkeypatch.setitem(GAME.__dict__, "policy", stumbling)
    with capture_logs() as logged:
        await Sweeper(tables, (GAME,)).sweep()
    (entry,) = logged
    assert (entry["event"], entry["kind"]) == ("time-out failed", "RuleViolation")
    assert "in stumbling" in entry["exception"]
    assert "exc_info" not in entry
    assert "hush" not in str(entry)


async def test_it_stops_at_whatever_moment_it_is_asked_to(tables: MatchCache) -> None:
    """A cancellation that comes together with the end of a pause must not get lost."""
    whims = random.Random(1)
    for _ in range(150):
        sweeping = asyncio.create_task(Sweeper(tables, (GAME,), poll_seconds=0.001).run())
        await asyncio.sleep(whims.uniform(0, 0.004))
        tables.clock_is_due.set()
        sweeping.cancel()
        done, _ = await asyncio.wait([sweeping], timeout=20)
        assert done
