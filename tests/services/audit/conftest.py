"""A database with a few short matches of each kind, played once for a file of tests. Whoever alters it puts it right again."""

from __future__ import annotations

import asyncio

import pytest

from engine.match.commands import BeginVacation, Pause
from engine.registry import GAMES
from tests.support.played_matches import CLOCKS, Playing, played

DRAGONS = [*GAMES].index("river_dragons")
"""The game that is decided fastest."""


async def _a_few(playing: Playing) -> None:
    ended = await playing.match(DRAGONS, 10, ends=True)
    await playing.snapshot(ended, 6)
    await playing.match(DRAGONS + 3, 5, ends=False, clock=CLOCKS[1], rematch_of=ended.id)
    await playing.fork(DRAGONS, 4)
    paused = await playing.match(DRAGONS, 5, ends=False, clock=CLOCKS[1])
    await playing.ask(paused, 0, BeginVacation())
    await playing.ask(paused, None, Pause())
    await playing.waiting(DRAGONS)


@pytest.fixture(scope="module")
def few_matches(module_database_url: str) -> str:
    asyncio.run(played(module_database_url, _a_few))
    return module_database_url
