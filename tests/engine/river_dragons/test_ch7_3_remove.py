"""§7.3 Remove."""

from __future__ import annotations

from engine.river_dragons.actions import RemovePlank, RemoveStone
from engine.river_dragons.box.components import Plank
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, PlankRemoved, StoneRemoved


def test_a_plank_goes_into_the_own_reserve_which_stays_sorted(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03")
        .planks("red-3 I01-I03")
        .reserve("blue", "blue-1 blue-5")
        .executes("blue", "remove")
    )
    after = story.plays("blue", RemovePlank(plank="I01~I03"))
    assert after.events[0] == PlankRemoved(
        seat=story.seat("blue"), id="I01~I03", plank=Plank(colour="red", size=3)
    )
    assert after.sizes("blue") == "1 red-3 5"
    assert after.state.table.planks == ()


def test_a_plank_of_a_size_the_reserve_has_is_refused(a_match) -> None:
    story = a_match().stones("I01 I03").planks("red-3 I01-I03").stones("I27").executes("blue", "remove")
    story.refuses("blue", RemovePlank(plank="I01~I03"), Code.SIZE_IN_RESERVE, "7.3", size=3)


def test_a_third_colour_is_refused_after_the_taking(a_match) -> None:
    """[R18] The own colour counts like any other."""
    story = a_match().stones("I01 I03 I27").planks("red-3 I01-I03").reserve("blue", "yellow-1 pink-2")
    story.executes("blue", "remove").refuses(
        "blue", RemovePlank(plank="I01~I03"), Code.THIRD_COLOUR, "7.3", colours=("pink", "yellow")
    )


def test_even_the_own_colour_can_be_the_third(a_match) -> None:
    """[R18]"""
    story = a_match().stones("I01 I03 I27").planks("blue-3 I01-I03").reserve("blue", "yellow-1 pink-2")
    story.executes("blue", "remove").refuses(
        "blue", RemovePlank(plank="I01~I03"), Code.THIRD_COLOUR, "7.3", colour="blue"
    )


def test_an_empty_reserve_may_take_anything(a_match) -> None:
    """[R18]"""
    story = (
        a_match()
        .stones("I01 I03 I07 I08")
        .planks("red-3 I01-I03", "green-3 I07-I08")
        .reserve("blue", "")
        .executes("blue", "remove")
    )
    assert story.legal("blue") == {"remove_plank(plank=I01~I03)", "remove_plank(plank=I07~I08)"}


def test_a_plank_under_a_pawn_stays(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03 I27")
        .planks("red-3 I01-I03")
        .pawn("green", "I01-I03")
        .reserve("blue", "blue-1")
        .executes("blue", "remove")
    )
    story.refuses("blue", RemovePlank(plank="I01~I03"), Code.PLANK_OCCUPIED, "7.3", seat=story.seat("green"))


def test_not_even_the_own_pawns_plank(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03 I27")
        .planks("red-3 I01-I03")
        .pawn("blue", "I01-I03")
        .reserve("blue", "blue-1")
        .executes("blue", "remove")
    )
    story.refuses("blue", RemovePlank(plank="I01~I03"), Code.PLANK_OCCUPIED, "7.3")


def test_a_pawn_may_be_left_stranded(a_match) -> None:
    """[R28]"""
    story = (
        a_match()
        .stones("I01 I03 I07")
        .planks("red-3 I01-I03", "red-2 I01-I07")
        .pawn("green", "I01-I03")
        .reserve("blue", "blue-1")
        .executes("blue", "remove")
        .plays("blue", RemovePlank(plank="I01~I07"))
    )
    assert story.place("green") == "I01~I03"


def test_a_plank_that_is_not_on_the_board_is_refused(a_match) -> None:
    story = a_match().stones("I01 I03").executes("blue", "remove")
    story.refuses("blue", RemovePlank(plank="I01~I03"), Code.PLANK_UNKNOWN, "7.3", plank="I01~I03")


def test_a_stone_without_planks_goes_back_to_the_supply(a_match) -> None:
    story = a_match().stones("I01 I03").executes("blue", "remove").plays("blue", RemoveStone(support="I03"))
    assert story.events[0] == StoneRemoved(seat=story.seat("blue"), stone="I03", supply=26)
    assert [stone.id for stone in story.state.table.stones] == ["I01"]


def test_a_stone_that_carries_a_plank_stays(a_match) -> None:
    story = a_match().stones("I01 I03").planks("red-3 I01-I03").stones("I27").executes("blue", "remove")
    story.refuses("blue", RemoveStone(support="I03"), Code.STONE_CARRIES_PLANK, "7.3", planks=("I01~I03",))


def test_villages_and_bare_islands_and_unknown_names_are_no_stones(a_match) -> None:
    story = a_match().stones("I01").executes("blue", "remove")
    story.refuses("blue", RemoveStone(support="V-blue"), Code.NOT_A_STONE, "7.3")
    story.refuses("blue", RemoveStone(support="I02"), Code.SUPPORT_HAS_NO_STONE, "7.3")
    story.refuses("blue", RemoveStone(support="I99"), Code.SUPPORT_UNKNOWN, "7.3")


def test_with_no_target_of_either_kind_the_card_is_lost(a_match) -> None:
    story = a_match().executes("blue", "remove")
    lost = [event for event in story.events if isinstance(event, PartLost)]
    assert [each.reason for each in lost] == [LossReason.NO_TARGET]


def test_plank_and_stone_are_a_free_choice(a_match) -> None:
    story = (
        a_match()
        .stones("I01 I03 I27")
        .planks("red-3 I01-I03")
        .reserve("blue", "blue-1")
        .executes("blue", "remove")
    )
    assert story.legal("blue") == {"remove_plank(plank=I01~I03)", "remove_stone(support=I27)"}
