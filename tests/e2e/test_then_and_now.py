"""Every view of the past is the one that was live then: for each audience, over REST and gRPC, one by one and in bulk.

While the match runs each looks with its own eyes, once it is over everybody with everybody's. Moves are taken back and
put back on the way, seats resign. FOLDTABLE_REPLAY_MATCHES and FOLDTABLE_REPLAY_MOVES ask for more (`make prove P=replay`).
"""

from __future__ import annotations

import os
import time

import pytest

from engine.registry import GAMES
from tests.support.several_of_each import Several
from tests.support.then_and_now import Counts, then_and_now

pytestmark = pytest.mark.slow

MATCHES = int(os.environ.get("FOLDTABLE_REPLAY_MATCHES", "1"))
"""Of each game."""
MOVES = int(os.environ.get("FOLDTABLE_REPLAY_MOVES", "24"))
"""Rows of each match, after which the seats resign."""
TOLD_EVERY = 10


@pytest.mark.parametrize("game_id", GAMES)
async def test_every_view_is_the_one_that_was_live_then(
    several: Several, game_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = Counts()
    begun = time.monotonic()
    for seed in range(MATCHES):
        await then_and_now(several, game_id, seed, MOVES, counts)
        if MATCHES > 1 and ((seed + 1) % TOLD_EVERY == 0 or seed + 1 == MATCHES):
            with capsys.disabled():
                print(f"\n{game_id}: {counts} ({time.monotonic() - begun:.0f} s)", end="", flush=True)
    assert counts.matches == MATCHES
    assert counts.rows.get("move_undone", 0) >= MATCHES, "in every match something is taken back"
    assert counts.views > 5 * counts.versions
