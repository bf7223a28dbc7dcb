"""Legal sequences of small depth from named positions: a rule that changes by accident changes a count."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.river_dragons.box.board import ISLAND_PAIRS, ISLAND_STONES
from engine.river_dragons.box.components import PLANK_SIZES
from engine.river_dragons.game import GAME
from tests.engine.whole_matches import sequences


def two_stones(a_match):
    """An empty board; pink places two stones, then black lays a plank."""
    return a_match(2, order="pink black").programs(pink="stone2 move1", black="plank1 remove")


def a_net(a_match):
    """Seven planks around the pink village, two of them taken; pink moves twice, jumps, and moves again."""
    return (
        a_match(players=3)
        .stones("I12 I14 I18 I16 I20")
        .planks("red-1 I12-V-pink", "red-6 I18-V-pink", "red-5 I14-I18", "blue-3 I12-I14")
        .planks("blue-6 I14-I16", "blue-5 I18-I20", "pink-6 I16-I20")
        .pawn("red", "I12-I14")
        .pawn("blue", "I14-I16")
        .executes("pink", "move2 jump move1")
    )


@pytest.mark.parametrize(("depth", "count"), list(enumerate([1, 27, 702, 4212, 8682])))
def test_two_stones_and_a_plank(a_match, depth, count) -> None:
    assert sequences(GAME, two_stones(a_match).state, depth) == count


@pytest.mark.parametrize(("depth", "count"), list(enumerate([1, 2, 4, 12, 28, 292, 6045])))
def test_a_net(a_match, depth, count) -> None:
    assert sequences(GAME, a_net(a_match).state, depth) == count


def test_two_stones_and_a_plank_counted_from_the_tables() -> None:
    """8682 without playing: pairs between and around two stones; a lost plank leaves black to remove one of two stones."""
    count = 0
    for here, there in permutations(ISLAND_STONES, 2):
        present = {here, there}
        for size in PLANK_SIZES:
            laid = [
                pair
                for pair in ISLAND_PAIRS.members(ISLAND_PAIRS.fitting[size])
                if all(end.is_village or end.id in present for end in (pair.a, pair.b))
                and not any(ISLAND_PAIRS.passing_over[stone] & pair.bit for stone in present)
            ]
            count += len(laid) or 2
    assert count == 8682
