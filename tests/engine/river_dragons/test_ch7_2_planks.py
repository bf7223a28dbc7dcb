"""§7.2 Planks."""

from __future__ import annotations

import pytest

from engine.kernel.errors import TableCode
from engine.kernel.seats import PUBLIC
from engine.river_dragons.actions import ChoosePlank, LayPlank
from engine.river_dragons.box.board import Support, smallest_fitting
from engine.river_dragons.box.components import Plank
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, PlankChosen, PlankLaid, PlankLost, PlankRemoved
from engine.river_dragons.view import view


def chosen(story, colour: str, size: int):
    return story.executes(colour, "plank1").plays(colour, ChoosePlank(size=size))


def test_any_plank_of_the_reserve_may_be_chosen(a_match) -> None:
    """[R11] [R30] Also one that fits nowhere; nothing tells before."""
    story = a_match().stones("I01 I03").executes("blue", "plank1")
    assert story.legal("blue") == {f"choose_plank(size={size})" for size in range(1, 7)}


def test_a_plank_that_is_not_in_the_reserve_cannot_be_chosen(a_match) -> None:
    story = a_match().reserve("blue", "blue-1 red-4").executes("blue", "plank1")
    story.refuses("blue", ChoosePlank(size=2), Code.PLANK_NOT_IN_RESERVE, "7.2", size=2, sizes=(1, 4))


def test_the_choice_is_binding_and_shown(a_match) -> None:
    story = chosen(a_match().stones("I01 I03"), "blue", 3)
    plank = Plank(colour="blue", size=3)
    assert story.events == (PlankChosen(seat=story.seat("blue"), plank=plank),)
    assert view(story.state, PUBLIC).open_card.plank == plank
    story.refuses("blue", ChoosePlank(size=4), TableCode.WRONG_DECISION, "11", expected="plank_pair")


def test_the_chosen_plank_stays_in_the_reserve_until_it_is_laid(a_match) -> None:
    """[F4]"""
    story = chosen(a_match().stones("I01 I03"), "blue", 3)
    assert story.sizes("blue") == "1 2 3 4 5 6"
    assert story.plays("blue", LayPlank(a="I01", b="I03")).sizes("blue") == "1 2 4 5 6"


def test_a_captured_plank_is_laid_like_an_own_one_and_keeps_its_colour(a_match) -> None:
    story = chosen(a_match().stones("I01 I03").reserve("blue", "red-2"), "blue", 2)
    after = story.plays("blue", LayPlank(a="I01", b="I03"))
    assert after.events[0] == PlankLaid(
        seat=story.seat("blue"), id="I01~I03", plank=Plank(colour="red", size=2), a="I01", b="I03"
    )


def test_the_order_of_the_supports_does_not_matter(a_match) -> None:
    assert LayPlank(a="V-green", b="I03") == LayPlank(a="I03", b="V-green")
    story = chosen(a_match().stones("I03"), "blue", 6)
    assert story.plays("blue", LayPlank(a="V-green", b="I03")).state.table.planks[0].id == "I03~V-green"


def test_a_plank_joins_stone_and_stone_or_village_and_stone(a_match) -> None:
    """[R12] Any village."""
    story = chosen(a_match().stones("I03 I05"), "blue", 6)
    assert story.legal("blue") == {
        "lay_plank(a=I03, b=I05)",
        "lay_plank(a=I03, b=V-green)",
        "lay_plank(a=I05, b=V-green)",
        "lay_plank(a=I05, b=V-pink)",
    }


def test_never_two_villages(a_match) -> None:
    story = chosen(a_match().stones("I01 I03"), "blue", 6)
    story.refuses("blue", LayPlank(a="V-green", b="V-blue"), Code.TWO_VILLAGES, "7.2")


def test_a_plank_needs_two_supports(a_match) -> None:
    story = chosen(a_match().stones("I01 I03"), "blue", 6)
    story.refuses("blue", LayPlank(a="I01", b="I01"), Code.SAME_SUPPORT_TWICE, "7.2", support="I01")


@pytest.mark.parametrize("name", ["I28", "V-white", "S1", ""])
def test_a_support_must_be_there(a_match, name) -> None:
    story = chosen(a_match().stones("I01 I03"), "blue", 6)
    story.refuses("blue", LayPlank(a="I01", b=name), Code.SUPPORT_UNKNOWN, "7.2", support=name)


def test_a_bare_island_is_no_support(a_match) -> None:
    story = chosen(a_match().stones("I01 I03"), "blue", 6)
    refusal = story.refusal("blue", LayPlank(a="I01", b="I02"))
    assert (refusal.code, refusal.field) == (Code.SUPPORT_HAS_NO_STONE, "b")


def test_too_long_is_never_a_problem(a_match) -> None:
    """[R13] I01 and I03 are the shortest plank's distance."""
    for size in range(1, 7):
        assert "lay_plank(a=I01, b=I03)" in chosen(a_match().stones("I01 I03"), "blue", size).legal("blue")


def test_too_short_costs_nothing_and_the_same_plank_goes_elsewhere(a_match) -> None:
    """[R17] The stones of I01 and I07 are 658 apart, those of I01 and I09 too far."""
    story = chosen(a_match().stones("I01 I07 I09"), "blue", 1)
    story.refuses("blue", LayPlank(a="I01", b="I09"), Code.PLANK_TOO_SHORT, "7.2", reach=760)
    assert story.waiting == ["blue plank_pair"]
    assert story.plays("blue", LayPlank(a="I01", b="I07")).sizes("blue") == "2 3 4 5 6"


def test_exactly_the_reach_is_long_enough() -> None:
    here = Support("S1", 0, 0, 140, is_village=False)
    for distance, size in ((760, 1), (761, 2), (1760, 6), (1761, None)):
        there = Support("S2", distance, 0, 140, is_village=False)
        assert smallest_fitting(here, there) == size


def test_two_supports_are_joined_by_one_plank_only(a_match) -> None:
    """[R14]"""
    story = chosen(a_match().stones("I01 I03").planks("red-2 I01-I03").stones("I07"), "blue", 6)
    story.refuses("blue", LayPlank(a="I01", b="I03"), Code.ALREADY_JOINED, "7.2", plank="I01~I03")


def test_a_village_carries_three_planks_whoever_laid_them(a_match) -> None:
    """[R25] The village is blue's destination; blue is not locked out, all planks are open to all."""
    story = (
        a_match()
        .stones("I18 I20 I22 I25 I27")
        .planks("red-6 I22-V-yellow", "green-6 I25-V-yellow", "red-5 I27-V-yellow")
    )
    story = chosen(story, "blue", 6)
    story.refuses("blue", LayPlank(a="I18", b="V-yellow"), Code.SUPPORT_FULL, "7.2", support="V-yellow")


def test_taking_a_plank_away_frees_the_place(a_match) -> None:
    """[R26]"""
    three = (
        a_match()
        .stones("I18 I20 I22 I25 I27")
        .planks("red-6 I22-V-yellow", "green-6 I25-V-yellow", "red-5 I27-V-yellow")
    )
    two = three.told(PlankRemoved(seat=2, id="I27~V-yellow", plank=Plank(colour="red", size=5)))
    pair = "lay_plank(a=I18, b=V-yellow)"
    assert pair not in chosen(three, "blue", 6).legal("blue")
    assert pair in chosen(two, "blue", 6).legal("blue")


def test_planks_that_share_a_support_may_overlap(a_match) -> None:
    """[R15] Nearly the same direction from I03."""
    story = chosen(a_match().stones("I03 I07 I09").planks("red-6 I03-I07"), "blue", 6)
    assert "lay_plank(a=I03, b=I09)" in story.legal("blue")


def test_planks_without_a_common_support_do_not_touch(a_match) -> None:
    """[R15]"""
    story = chosen(a_match().stones("I01 I08 I02 I07").planks("red-6 I01-I08"), "blue", 6)
    story.refuses("blue", LayPlank(a="I02", b="I07"), Code.CROSSES_PLANK, "7.2", planks=("I01~I08",))


def test_over_a_bare_island_a_plank_may_lie(a_match) -> None:
    """[R16]"""
    assert "lay_plank(a=I07, b=V-green)" in chosen(a_match().stones("I07"), "blue", 4).legal("blue")
    assert "lay_plank(a=I07, b=V-green)" not in chosen(a_match().stones("I07 I03"), "blue", 4).legal("blue")


def test_a_plank_that_fits_nowhere_is_out_of_the_game_for_good(a_match) -> None:
    story = chosen(a_match().stones("I01"), "blue", 1)
    assert PlankLost(seat=story.seat("blue"), plank=Plank(colour="blue", size=1)) in story.events
    assert story.state.lost_planks == (Plank(colour="blue", size=1),)


def test_plank2_asks_again_after_the_first_plank_was_lost(a_match) -> None:
    """[R7]"""
    story = a_match().executes("blue", "plank2").plays("blue", ChoosePlank(size=1))
    assert isinstance(story.events[1], PlankLost)
    assert story.waiting == ["blue plank_size"]
    assert story.legal("blue") == {f"choose_plank(size={size})" for size in range(2, 7)}


def test_plank2_sees_the_first_plank_when_the_second_is_laid(a_match) -> None:
    story = a_match().stones("I01 I03 I07").executes("blue", "plank2")
    story = story.plays("blue", ChoosePlank(size=1)).plays("blue", LayPlank(a="I01", b="I07"))
    story = story.plays("blue", ChoosePlank(size=2))
    assert "lay_plank(a=I01, b=I07)" not in story.legal("blue")


def test_with_an_empty_reserve_both_planks_are_lost(a_match) -> None:
    story = a_match().stones("I01 I03").reserve("blue", "").executes("blue", "plank2")
    lost = [event for event in story.events if isinstance(event, PartLost)]
    assert [(each.part, each.reason) for each in lost] == [
        (1, LossReason.RESERVE_EMPTY),
        (2, LossReason.RESERVE_EMPTY),
    ]


def test_of_several_reasons_the_first_is_named(a_match) -> None:
    """[F12] The pair is joined already, one end is full, and plank 1 is too short; then full and too short; then too short."""
    full = (
        a_match()
        .stones("I18 I22 I25 I27 I01 I07")
        .planks("red-6 I22-V-yellow", "green-6 I25-V-yellow", "red-5 I27-V-yellow", "red-1 I22-I25")
    )
    story = chosen(full, "blue", 1)
    story.refuses("blue", LayPlank(a="I27", b="V-yellow"), Code.ALREADY_JOINED, "7.2")
    story.refuses("blue", LayPlank(a="I18", b="V-yellow"), Code.SUPPORT_FULL, "7.2")
    story.refuses("blue", LayPlank(a="I18", b="I27"), Code.PLANK_TOO_SHORT, "7.2")
