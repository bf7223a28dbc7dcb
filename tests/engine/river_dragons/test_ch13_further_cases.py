"""§13.2 Every row of the table of further cases, in its order."""

from __future__ import annotations

import pytest

from engine.river_dragons.actions import ChoosePlank, LayPlank, PlaceStone, RemovePlank, Step
from engine.river_dragons.box.components import Plank
from engine.river_dragons.errors import Code
from engine.river_dragons.events import (
    CardBegun,
    EndReason,
    FallReason,
    LossReason,
    MatchEnded,
    PartLost,
    PawnFell,
    PlankLaid,
    PlankLost,
)


def test_row_1_a_plank_that_ends_at_the_destination_wins_on_the_first_step_of_move2(a_match) -> None:
    story = (
        a_match()
        .stones("I24")
        .planks("red-5 I24-V-red")
        .pawn("green", "I24-V-red")
        .executes("green", "move2")
    )
    after = story.plays("green", Step(to="V-red"))
    assert after.events[-1] == MatchEnded(
        reason=EndReason.DESTINATION_REACHED, winners=(story.seat("green"),)
    )
    assert after.waiting == []


@pytest.mark.parametrize("card", ["move1", "move2", "jump"])
def test_row_2_a_pawn_on_its_start_village_without_a_plank_falls_where_it_stands(a_match, card) -> None:
    story = a_match().executes("green", card)
    fell = next(event for event in story.events if isinstance(event, PawnFell))
    reason = FallReason.NOBODY_TO_JUMP if card == "jump" else FallReason.NO_STEP
    assert (fell.from_place, fell.to_place, fell.reason) == ("V-green", "V-green", reason)
    assert story.place("green") == "V-green"


def test_row_3_without_stones_the_chosen_plank_leaves_the_game(a_match) -> None:
    story = a_match().executes("green", "plank1").plays("green", ChoosePlank(size=2))
    assert PlankLost(seat=story.seat("green"), plank=Plank(colour="green", size=2)) in story.events
    assert story.sizes("green") == "1 3 4 5 6"
    assert story.state.lost_planks == (Plank(colour="green", size=2),)


def test_row_4_with_one_plank_left_the_second_half_of_plank2_is_lost(a_match) -> None:
    story = a_match().stones("I01").reserve("green", "green-3").executes("green", "plank2")
    story = story.plays("green", ChoosePlank(size=3))
    assert story.legal("green") == {"lay_plank(a=I01, b=V-green)"}
    story = story.plays("green", LayPlank(a="I01", b="V-green"))
    green = story.seat("green")
    assert isinstance(story.events[0], PlankLaid)
    assert story.events[1] == PartLost(seat=green, card="plank2", part=2, reason=LossReason.RESERVE_EMPTY)
    assert story.sizes("green") == ""


def test_row_5_a_later_players_dragon_stops_who_acts_first(a_match) -> None:
    story = a_match(order="blue green red yellow black pink").programs(
        blue="stone1", red="dragon:blue", pink="plank1"
    )
    assert story.seat("blue") not in [e.seat for e in story.events if isinstance(e, CardBegun)]
    assert story.waiting == ["green plank_size"]
    assert story.state.table.stones == ()


def test_row_6_what_a_reserve_of_two_colours_and_sizes_1_2_3_may_take(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I02 I03 I04 I07 I08 I09 I11 I14 I15 I19 I27")
        .reserve("blue", "blue-1 blue-2 red-3")
    )
    story = story.planks(
        "green-4 I01-I03", "red-4 I02-I04", "red-2 I14-I09", "red-5 I11-I08", "red-6 I15-I19"
    ).executes("blue", "remove")
    assert story.legal("blue") == {
        "remove_plank(plank=I02~I04)",
        "remove_plank(plank=I08~I11)",
        "remove_plank(plank=I15~I19)",
        "remove_stone(support=I07)",
        "remove_stone(support=I27)",
    }
    story.refuses(
        "blue",
        RemovePlank(plank="I01~I03"),
        Code.THIRD_COLOUR,
        "7.3",
        colour="green",
        colours=("blue", "red"),
    )
    story.refuses("blue", RemovePlank(plank="I09~I14"), Code.SIZE_IN_RESERVE, "7.3", size=2)


def test_row_6_an_own_plank_on_the_board_may_be_taken(a_match) -> None:
    story = a_match().stones("I01 I03").planks("blue-5 I01-I03").executes("blue", "remove")
    assert story.legal("blue") == {"remove_plank(plank=I01~I03)"}
    after = story.plays("blue", RemovePlank(plank="I01~I03"))
    assert after.sizes("blue") == "1 2 3 4 5 6"


def test_row_7_nothing_to_remove_and_the_card_is_lost(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03 I07 I08")
        .planks("red-1 I01-I03", "red-2 I07-I08")
        .pawn("red", "I07-I08")
        .executes("blue", "remove")
    )
    assert (
        PartLost(seat=story.seat("blue"), card="remove", part=1, reason=LossReason.NO_TARGET) in story.events
    )


def test_row_8_plank_3_is_too_short_for_pinks_village_and_i14_plank_4_fits(a_match) -> None:
    story = a_match().stones("I14 I09").executes("pink", "plank1")
    with_3 = story.plays("pink", ChoosePlank(size=3))
    with_3.refuses(
        "pink", LayPlank(a="V-pink", b="I14"), Code.PLANK_TOO_SHORT, "7.2", distance=1670, reach=1500
    )
    with_4 = story.plays("pink", ChoosePlank(size=4))
    assert "lay_plank(a=I14, b=V-pink)" in with_4.legal("pink")


def test_row_9_a_plank_does_not_pass_over_a_third_stone(a_match) -> None:
    story = a_match().stones("I03 I07").executes("green", "plank1").plays("green", ChoosePlank(size=4))
    story.refuses("green", LayPlank(a="V-green", b="I07"), Code.PASSES_OVER_SUPPORT, "7.2", supports=("I03",))


def test_row_10_no_stone_goes_under_a_plank(a_match) -> None:
    story = a_match().stones("I07").planks("green-4 I07-V-green").executes("green", "stone1")
    story.refuses("green", PlaceStone(island="I03"), Code.STONE_UNDER_PLANK, "7.1", planks=("I07~V-green",))


def test_row_11_under_that_plank_i03_is_no_support(a_match) -> None:
    story = a_match().stones("I01 I07").planks("green-4 I07-V-green").executes("blue", "plank1")
    story = story.plays("blue", ChoosePlank(size=1))
    story.refuses("blue", LayPlank(a="I01", b="I03"), Code.SUPPORT_HAS_NO_STONE, "7.2", support="I03")


def test_row_12_the_plank_would_cross_another_and_pass_over_a_stone(a_match) -> None:
    story = a_match().stones("I01 I03 I07").planks("blue-1 I01-I03").executes("green", "plank1")
    story = story.plays("green", ChoosePlank(size=4))
    story.refuses(
        "green",
        LayPlank(a="V-green", b="I07"),
        Code.CROSSES_PLANK,
        "7.2",
        planks=("I01~I03",),
        supports=("I03",),
    )


def test_row_13_a_stone_carries_three_planks_at_most(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03 I07 I08 I11")
        .planks("red-6 I07-I01", "red-5 I07-I03", "red-4 I07-I08")
        .executes("green", "plank1")
        .plays("green", ChoosePlank(size=3))
    )
    story.refuses("green", LayPlank(a="I07", b="I11"), Code.SUPPORT_FULL, "7.2", support="I07", limit=3)


def test_row_14_with_three_players_a_village_not_in_play_is_a_destination(a_match) -> None:
    story = (
        a_match(players=3)
        .stones("I25")
        .planks("red-6 I25-V-yellow")
        .pawn("blue", "I25-V-yellow")
        .executes("blue", "move1")
        .plays("blue", Step(to="V-yellow"))
    )
    assert story.events[-1] == MatchEnded(reason=EndReason.DESTINATION_REACHED, winners=(story.seat("blue"),))
