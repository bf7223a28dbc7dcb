"""Clocks of matches in which moves were taken back: exact as this release moves them, and doubtful as an earlier one may have."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest

from engine.registry import GAMES
from services.movelog.clocks import Clock, ClockKind
from tests.support.auditing import audit
from tests.support.played_matches import Playing, played

GENEROUS = Clock(kind=ClockKind.BUDGET, time=timedelta(days=9), increment=timedelta(hours=1))
"""One increment more or less is far beyond what an audit lets pass."""
MOVED_OTHERWISE = """
UPDATE clocks SET left_us = left_us + %(more)s, deadline_at = deadline_at + %(more)s * interval '1 microsecond',
                  spent = NOT spent
WHERE deadline_at IS NOT NULL
"""
AN_HOUR = 3_600_000_000


def play(url: str, *, winds: bool) -> None:
    async def each_game(playing: Playing) -> None:
        for number in range(len(GAMES)):
            await playing.match(number, 60, ends=False, seats=2, winds=winds, clock=GENEROUS)

    asyncio.run(played(url, each_game))


def move_otherwise(url: str, more: int) -> int:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(MOVED_OTHERWISE, {"more": more}).rowcount


def test_they_follow_from_the_rows(database_url: str) -> None:
    play(database_url, winds=True)
    assert [str(one) for one in audit(database_url).findings] == []


@pytest.mark.parametrize("more", [AN_HOUR, -AN_HOUR])
def test_an_increment_that_an_undo_may_have_given_is_only_to_be_looked_at(
    database_url: str, more: int
) -> None:
    play(database_url, winds=True)
    assert move_otherwise(database_url, more) > 0
    tally = audit(database_url)
    assert [str(one) for one in tally.findings if one.certain] == []
    assert {one.column for one in tally.findings} == {"spent", "deadline_at", "left_us"}
    assert all("unless a release moved it" in one.what for one in tally.findings)


def test_more_than_all_undos_could_give_is_wrong(database_url: str) -> None:
    play(database_url, winds=True)
    changed = move_otherwise(database_url, 60 * AN_HOUR)
    assert audit(database_url).wrong == 3 * changed


def test_without_an_undo_one_increment_is_wrong(database_url: str) -> None:
    play(database_url, winds=False)
    changed = move_otherwise(database_url, AN_HOUR)
    assert audit(database_url).wrong == 3 * changed
