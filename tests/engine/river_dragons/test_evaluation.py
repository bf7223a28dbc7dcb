"""What a standing is worth: how far it is home, by what is missing on the way and what the own program will do about it."""

from __future__ import annotations

import pytest

from engine.kernel.seats import Seat
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.agents.evaluation import evaluate
from engine.river_dragons.agents.ways import length, way
from engine.river_dragons.box.components import Card, Variant

PINK, BLACK = Seat(0), Seat(1)


@pytest.fixture
def table(a_match):
    """Two players, pink from the left and black from the right, on an empty board."""
    return a_match(players=2)


@pytest.mark.parametrize("variant", list(Variant))
def test_at_the_start_it_is_as_far_for_both(a_match, variant: Variant) -> None:
    state = a_match(players=2, variant=variant).state
    assert length(state, PINK) == length(state, BLACK) > 6
    assert evaluate(state, PINK) == evaluate(state, BLACK) == 0.0


def test_a_way_counts_stones_planks_and_steps(table) -> None:
    legs = way(table.state, PINK)
    assert length(table.state, PINK) == sum(leg.stone + leg.plank + leg.steps for leg in legs)
    assert (legs[-1].stone, legs[-1].steps) == (False, 2)  # onto the last plank, and into the village
    assert all(leg.stone and leg.plank and leg.steps == 1 for leg in legs[:-1])


def test_every_stone_and_plank_on_the_way_shortens_it_by_one(table) -> None:
    far = length(table.state, PINK)
    state = table.stones("I16 I17").planks("pink-6 I16-I17").state
    assert length(state, PINK) <= far
    stood = table.stones("I12").state
    assert far - 1 <= length(stood, PINK) <= far


def test_what_lies_elsewhere_changes_nothing(table) -> None:
    assert length(table.stones("I01").state, PINK) == length(table.state, PINK)


def test_a_program_that_builds_is_worth_more_than_one_that_only_removes(table) -> None:
    """§5 The own program counts before anything of it is carried out."""

    def after(*cards: Card) -> float:
        return evaluate(table.programming().plays("pink", SubmitProgram(cards=cards)).state, PINK)

    builds = after(Card.STONE1, Card.PLANK1, Card.MOVE1, Card.STONE2, Card.PLANK2)
    idles = after(Card.JUMP, Card.REMOVE, Card.MOVE1, Card.PLANK1, Card.MOVE2)
    assert builds > idles


def test_the_others_programs_are_not_counted(table) -> None:
    cards = (Card.STONE1, Card.PLANK1, Card.MOVE1, Card.STONE2, Card.PLANK2)
    before = table.programming()
    after = before.plays("black", SubmitProgram(cards=cards))
    assert evaluate(after.state, PINK) == evaluate(before.state, PINK)
    assert evaluate(after.state, BLACK) > evaluate(before.state, BLACK)
