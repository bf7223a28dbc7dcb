"""`foldtable simulate`: whole random matches, the same for the same seed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.registry import GAMES
from services.cli.simulation import Tally, batches, play_batch

OPTIONS = b"{}"


def tally_of(matches: int, seed: int) -> Tally:
    tally = Tally()
    for batch in batches("river_dragons", OPTIONS, 2, seed, matches):
        for result in play_batch(batch):
            tally.add(result)
    return tally


def test_the_same_seed_gives_the_same_matches_however_they_are_cut() -> None:
    whole = tally_of(3, seed=5)
    assert sorted(tally_of(3, seed=5).lengths) == sorted(whole.lengths)
    assert tally_of(2, seed=5).lengths == whole.lengths[:2]
    assert tally_of(3, seed=6).lengths != whole.lengths


def test_a_tally_adds_up() -> None:
    tally = tally_of(3, seed=1)
    assert len(tally.lengths) == tally.reasons.total() == 3
    assert tally.actions.total() == sum(tally.lengths)
    assert tally.wins.total() + tally.without_winner >= 3


@pytest.mark.parametrize("game", GAMES)
def test_the_summary_shows_lengths_outcomes_and_actions(foldtable: Any, game: str) -> None:
    done = foldtable("simulate", game, "--matches", "2", "--jobs", "1", "--seats", "3")
    assert done.exit_code == 0
    for word in ("2 random matches", "moves per match", "ended by", "won by", "actions", "moves/s"):
        assert word in done.output


@pytest.mark.slow
def test_two_processes_play_the_same_matches_as_one(foldtable: Any) -> None:
    lengths = [
        re.search(r"\d+ to \d+, median \d+", foldtable(*words).output)[0]
        for words in (
            ("simulate", "river_dragons", "--matches", "6", "--jobs", "1", "--seed", "3"),
            ("simulate", "river_dragons", "--matches", "6", "--jobs", "2", "--seed", "3"),
        )
    ]
    assert lengths[0] == lengths[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("harbour",), "unknown game", id="game"),
        pytest.param(("river_dragons", "--seats", "7"), "SEAT_COUNT", id="seats"),
        pytest.param(("river_dragons", "--variant", "lake"), "$.variant", id="variant"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(foldtable: Any, words: tuple[str, ...], said: str) -> None:
    done = foldtable("simulate", *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
