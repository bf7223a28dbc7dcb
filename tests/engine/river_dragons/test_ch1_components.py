"""§1 Counts of the box, §3 hands."""

from __future__ import annotations

import pytest

from engine.river_dragons.box.catalogue import COMPONENTS
from engine.river_dragons.box.components import (
    COLOURS_IN_PLAY,
    DRAGON_TARGET,
    OPPOSITE,
    Colour,
    full_reserve,
    hand_of,
)


def test_the_box_holds_78_cards_13_of_each_colour() -> None:
    assert sum(kind.copies for kind in COMPONENTS.cards) == 78
    assert {len(hand_of(colour, tuple(Colour))) for colour in Colour} == {13}


def test_the_box_holds_36_planks_27_stones_27_islands_and_6_villages() -> None:
    planks = {(plank.colour, plank.size) for colour in Colour for plank in full_reserve(colour)}
    assert len(planks) == 36
    assert (COMPONENTS.limits.stones, len(COMPONENTS.islands), len(COMPONENTS.villages)) == (27, 27, 6)


def test_no_hand_holds_the_own_dragon() -> None:
    for colour in Colour:
        targets = {DRAGON_TARGET[card] for card in hand_of(colour, tuple(Colour)) if card in DRAGON_TARGET}
        assert targets == set(Colour) - {colour}


@pytest.mark.parametrize(("players", "hand"), [(2, 9), (3, 10), (4, 11), (5, 12), (6, 13)])
def test_a_hand_is_eight_actions_and_a_dragon_per_opponent(players: int, hand: int) -> None:
    """§3 The table's last column."""
    in_play = COLOURS_IN_PLAY[players]
    assert {len(hand_of(colour, in_play)) for colour in in_play} == {hand}
    assert next(setup.hand_size for setup in COMPONENTS.setups if setup.seats == players) == hand


def test_opposite_is_mutual() -> None:
    """§2"""
    assert all(OPPOSITE[OPPOSITE[colour]] is colour is not OPPOSITE[colour] for colour in Colour)


def test_five_players_leave_out_pink() -> None:
    """[R31]"""
    assert set(Colour) - set(COLOURS_IN_PLAY[5]) == {Colour.PINK}


def test_a_dragon_kind_exists_once_for_every_other_colour() -> None:
    dragons = [kind for kind in COMPONENTS.cards if kind.target is not None]
    assert {kind.copies for kind in dragons} == {5}
    assert {kind.target for kind in dragons} == set(Colour)
