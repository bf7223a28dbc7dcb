"""Clocks of matches that were under way while no server took moves: an audit holds them against the recorded downtimes."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest

from services.audit import clocks
from services.movelog.clocks import Clock, ClockKind
from services.movelog.downtimes import TOLERANCE
from tests.support.auditing import audit
from tests.support.played_matches import GAMES_IN_TURN, Playing, played

PRECISE = timedelta(seconds=2)
"""An audit lets a minute pass; here the downtime takes seconds."""
EACH = {
    "per move": Clock(kind=ClockKind.PER_MOVE, time=timedelta(hours=1)),
    "budget": Clock(kind=ClockKind.BUDGET, time=timedelta(hours=1), increment=timedelta(seconds=30)),
}


@pytest.mark.parametrize("clock", EACH.values(), ids=EACH)
async def test_they_follow_from_the_rows_and_the_downtimes(
    database_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "WITHIN", PRECISE)
    rules = [(game.id, one.version) for game in GAMES_IN_TURN for one in game.versions]

    async def play_before_and_after(playing: Playing) -> None:
        await playing.log.clocks.beat(rules)
        before = [await playing.match(number, 20, ends=False, clock=clock) for number in range(3)]
        await playing.log.clocks.beat(rules)
        await asyncio.sleep(2 * TOLERANCE.total_seconds())
        await playing.log.clocks.beat(rules)
        for match in before[1:]:  # of the first it is still the same decision
            await playing.go_on(match, 10)

    await played(database_url, play_before_and_after)
    tally = await asyncio.to_thread(audit, database_url)
    assert [str(one) for one in tally.findings] == []
    assert tally.rows["clocks"] > 0
    with psycopg.connect(database_url, autocommit=True) as connection:
        forgotten = connection.execute("DELETE FROM downtimes").rowcount
    assert forgotten >= len(GAMES_IN_TURN)
    found = {one.column for one in (await asyncio.to_thread(audit, database_url)).findings}
    assert "deadline_at" in found <= {"deadline_at", "left_us"}
