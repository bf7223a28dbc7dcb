"""§6 Dragons."""

from __future__ import annotations

import pytest

from engine.river_dragons.actions import ChoosePlank
from engine.river_dragons.events import CardBegun, PawnFell, SlotRevealed

REST = "move1 move2 jump remove"


def slot_one(story) -> SlotRevealed:
    return next(event for event in story.events if isinstance(event, SlotRevealed))


def cancelled(story) -> dict[str, list[str]]:
    colours = story.state.colours
    return {
        str(colours[shown.seat]): [str(colours[seat]) for seat in shown.cancelled_by]
        for shown in slot_one(story).cards
        if shown.cancelled_by
    }


def test_a_dragon_cancels_the_card_of_its_colour(a_match) -> None:
    story = a_match(players=4).programs(blue="dragon:red", red="stone1")
    assert cancelled(story) == {"red": ["blue"]}
    assert story.state.table.stones == ()


@pytest.mark.parametrize("first", ["blue", "green", "red", "yellow"])
def test_the_order_of_play_does_not_matter(a_match, first) -> None:
    """[R4]"""
    story = a_match(players=4, first=first).programs(blue="dragon:red", red="move1")
    begun = [event.seat for event in story.events if isinstance(event, CardBegun)]
    assert story.seat("red") not in begun


def test_two_dragons_on_one_player_are_the_same_as_one(a_match) -> None:
    """[R5]"""
    story = a_match(players=4).programs(blue="dragon:red", green="dragon:red", red="stone1")
    assert cancelled(story) == {"red": ["blue", "green"]}


def test_all_dragons_of_a_slot_work(a_match) -> None:
    story = a_match(players=4).programs(
        blue="dragon:red", green="dragon:yellow", red="stone1", yellow="stone2"
    )
    assert cancelled(story) == {"red": ["blue"], "yellow": ["green"]}


def test_a_dragon_on_a_dragon_has_no_effect(a_match) -> None:
    story = a_match(players=4).programs(blue="dragon:red", red="dragon:blue")
    assert cancelled(story) == {}
    assert slot_one(story).acting == (story.seat("green"), story.seat("yellow"))


def test_nothing_is_carried_over_to_another_slot(a_match) -> None:
    """[R5]"""
    story = a_match(players=2, order="pink black").programs(
        black="dragon:pink plank1", pink="dragon:black plank1"
    )
    assert story.state.slot == 2
    assert story.waiting == ["pink plank_size"]


def test_a_cancelled_move_is_no_fall(a_match) -> None:
    """[R6]"""
    story = (
        a_match(players=4)
        .stones("I14")
        .planks("red-6 I14-V-pink")
        .pawn("red", "I14-V-pink")
        .programs(blue="dragon:red", red="jump")
    )
    assert story.place("red") == "I14~V-pink"
    assert not [event for event in story.events if isinstance(event, PawnFell)]


def test_a_cancelled_plank_card_loses_no_plank(a_match) -> None:
    """[R6]"""
    story = a_match(players=2).programs(pink="dragon:black", black="plank2")
    assert story.sizes("black") == "1 2 3 4 5 6"
    assert story.state.lost_planks == ()


def test_playing_the_dragon_is_the_owners_action(a_match) -> None:
    story = a_match(players=2, order="pink black").programs(black="plank1", pink="dragon:black plank1")
    begun = [event for event in story.events if isinstance(event, CardBegun)]
    assert [(event.seat, event.card) for event in begun] == [(story.seat("pink"), "plank1")]


def test_a_dragon_whose_target_has_left_does_nothing(a_match) -> None:
    """[R5]"""
    story = a_match(players=3).leaves("red").programs(blue="dragon:red plank1", pink="plank1")
    assert cancelled(story) == {}
    assert [shown.seat for shown in slot_one(story).cards] == [story.seat("blue"), story.seat("pink")]
    story = story.plays("pink", ChoosePlank(size=1))
    assert story.waiting == ["blue plank_size"]
