"""Rules servers and downtimes: time limits of proposals, and when a server that starts lets clocks go on."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from engine.registry import game as registered_game
from services.movelog.downtimes import Downtime
from services.movelog.failures import LogUnavailable
from services.process.ending import end
from services.rules.match import downtimes
from services.rules.match.downtimes import Downtimes, Heartbeat
from tests.support.memory_log.log import MemoryLog

GAME: Final = registered_game("river_dragons")
RULES: Final = (GAME.id, GAME.rules_version)
HOUR: Final = timedelta(hours=1)
THEN: Final = datetime(2026, 1, 1, tzinfo=UTC)


def down(since: timedelta, until: timedelta) -> Downtime:
    return Downtime(game=RULES[0], rules_version=RULES[1], since=THEN + since, until=THEN + until)


def test_a_proposal_has_its_whole_time_whatever_came_between() -> None:
    known = Downtimes()
    known.add([down(-HOUR, HOUR / 2), down(HOUR, 3 * HOUR)])
    assert known.served_until(RULES, THEN, HOUR) == THEN + 3.5 * HOUR
    assert known.served_until((RULES[0], "0.0.0"), THEN, HOUR) == THEN + HOUR, "of other rules it was served"


def test_a_downtime_that_was_seen_before_it_ended_counts_once() -> None:
    known = Downtimes()
    known.add([down(HOUR / 2, HOUR)], are_over=False)
    assert known.newest is None
    known.add([down(HOUR / 2, 2 * HOUR)])
    assert known.served_until(RULES, THEN, HOUR) == THEN + 2.5 * HOUR


def test_while_the_database_cannot_be_reached_no_time_limit_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [THEN]
    monkeypatch.setattr(
        downtimes, "datetime", type("datetime", (datetime,), {"now": classmethod(lambda cls, zone: now[0])})
    )
    known = Downtimes()
    known.beat()
    now[0] = THEN + 5 * HOUR
    assert known.served_until(RULES, THEN, HOUR) == THEN + 6 * HOUR


async def beating(log: MemoryLog, called: asyncio.Event) -> tuple[Downtimes, asyncio.Task[None]]:
    known = Downtimes()
    heartbeat = Heartbeat(log.clocks, (GAME,), known)
    await heartbeat.look()
    return known, asyncio.create_task(heartbeat.run(after=called))


async def test_a_server_that_starts_lets_clocks_go_on_with_the_first_call() -> None:
    log, called = MemoryLog(), asyncio.Event()
    await log.clocks.beat([RULES])
    log.clocks._beats[RULES] -= HOUR
    known, task = await beating(log, called)
    assert known.served_until(RULES, datetime.now(UTC) - 2 * HOUR, HOUR) > datetime.now(UTC) - timedelta(
        seconds=1
    )
    await asyncio.sleep(0.05)
    assert await log.clocks.downtimes([RULES]) == []
    called.set()
    await asyncio.sleep(0.05)
    (downtime,) = await log.clocks.downtimes([RULES])
    assert downtime.until - downtime.since > HOUR
    task.cancel()
    await asyncio.wait([task])


async def test_a_server_that_nobody_calls_lets_them_go_on_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(downtimes, "FIRST_CALL_SECONDS", 0.01)
    log = MemoryLog()
    await log.clocks.beat([RULES])
    log.clocks._beats[RULES] -= HOUR
    _, task = await beating(log, asyncio.Event())
    await asyncio.sleep(0.1)
    assert len(await log.clocks.downtimes([RULES])) == 1
    task.cancel()
    await asyncio.wait([task])


async def test_a_read_that_waits_delays_no_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    log, called = MemoryLog(), asyncio.Event()
    monkeypatch.setattr(downtimes, "BEAT", timedelta(milliseconds=5))
    _, task = await beating(log, called)

    async def never(*_: Any, **__: Any) -> Any:
        await asyncio.sleep(60)

    monkeypatch.setattr(log.clocks, "downtimes", never)
    called.set()
    await asyncio.sleep(0.05)
    first = log.clocks._beats[RULES]
    await asyncio.sleep(0.05)
    assert log.clocks._beats[RULES] > first
    task.cancel()
    await asyncio.wait([task])


async def test_a_database_that_is_gone_stops_no_heart(monkeypatch: pytest.MonkeyPatch) -> None:
    log, called = MemoryLog(), asyncio.Event()
    monkeypatch.setattr(downtimes, "BEAT", timedelta(milliseconds=5))
    usual, failed = log.clocks.beat, 0

    async def gone_twice(rules: Any) -> None:
        nonlocal failed
        failed += 1
        if failed <= 2:
            raise LogUnavailable("the database does not answer")
        await usual(rules)

    monkeypatch.setattr(log.clocks, "beat", gone_twice)
    _, task = await beating(log, called)
    called.set()
    await asyncio.sleep(0.2)
    assert RULES in log.clocks._beats
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize("step", ["beat", "downtimes"])
async def test_a_step_that_loses_the_request_to_end_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """As a database driver does that gets another error while it waits for the server to give up a query."""
    log, called, begun = MemoryLog(), asyncio.Event(), asyncio.Event()
    called.set()

    async def lose_it(*_: object, **__: object) -> list[Downtime]:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise LogUnavailable("the connection was lost") from None
        return []

    heartbeat = Heartbeat(log.clocks, (GAME,), Downtimes())
    monkeypatch.setattr(log.clocks, step, lose_it)
    task = asyncio.create_task(heartbeat.run(after=called))
    async with asyncio.timeout(30):
        await begun.wait()
        await end(task)
    assert task.cancelled()
