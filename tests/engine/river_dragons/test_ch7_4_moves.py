"""§7.4 Moves."""

from __future__ import annotations

from engine.river_dragons.actions import Step
from engine.river_dragons.errors import Code
from engine.river_dragons.events import FallReason, PawnFell, PawnStepped


def around_pinks_village(a_match):
    """Two planks end at the village, a third goes on from one of them."""
    return (
        a_match().stones("I12 I14 I18 I16").planks("red-1 I12-V-pink", "red-6 I18-V-pink", "green-6 I14-I18")
    )


def test_from_a_village_a_pawn_steps_onto_a_plank_that_ends_there(a_match) -> None:
    story = around_pinks_village(a_match).executes("pink", "move1")
    assert story.legal("pink") == {"step(to=I12~V-pink)", "step(to=I18~V-pink)"}
    after = story.plays("pink", Step(to="I18~V-pink"))
    assert after.events[0] == PawnStepped(seat=story.seat("pink"), from_place="V-pink", to_place="I18~V-pink")


def test_planks_that_share_only_a_village_are_not_adjacent(a_match) -> None:
    """[R1] The village between them costs a step."""
    story = around_pinks_village(a_match).pawn("pink", "I12-V-pink").executes("pink", "move2")
    assert story.legal("pink") == {"step(to=V-pink)"}
    story.refuses("pink", Step(to="I18~V-pink"), Code.NOT_ADJACENT, "7.4")
    after = story.plays("pink", Step(to="V-pink"))
    assert "step(to=I18~V-pink)" in after.legal("pink")


def test_a_plank_holds_one_pawn(a_match) -> None:
    story = around_pinks_village(a_match).pawn("red", "I12-V-pink").executes("pink", "move1")
    story.refuses("pink", Step(to="I12~V-pink"), Code.PLACE_TAKEN, "7.4", seat=story.seat("red"))
    assert story.legal("pink") == {"step(to=I18~V-pink)"}


def test_a_village_holds_any_number_and_anyone_may_enter(a_match) -> None:
    """[R19]"""
    story = (
        around_pinks_village(a_match)
        .pawn("red", "I12-V-pink")
        .pawn("green", "V-pink")
        .executes("red", "move1")
        .plays("red", Step(to="V-pink"))
    )
    assert story.place("red") == story.place("pink") == story.place("green") == "V-pink"
    assert story.waiting != []


def test_any_village_may_be_passed_through(a_match) -> None:
    """[R19]"""
    story = around_pinks_village(a_match).pawn("red", "I12-V-pink").executes("red", "move2")
    story = story.plays("red", Step(to="V-pink")).plays("red", Step(to="I18~V-pink"))
    assert story.place("red") == "I18~V-pink"


def test_occupied_planks_cannot_be_walked_through(a_match) -> None:
    story = (
        around_pinks_village(a_match)
        .pawn("red", "I14-I18")
        .pawn("green", "I18-V-pink")
        .executes("red", "move2")
    )
    fell = next(event for event in story.events if isinstance(event, PawnFell))
    assert (fell.from_place, fell.to_place, fell.reason) == ("I14~I18", "V-red", FallReason.NO_STEP)


def test_two_steps_may_end_where_they_began(a_match) -> None:
    story = around_pinks_village(a_match).executes("pink", "move2")
    story = story.plays("pink", Step(to="I12~V-pink"))
    assert story.legal("pink") == {"step(to=V-pink)"}
    assert story.plays("pink", Step(to="V-pink")).place("pink") == "V-pink"


def test_a_second_step_is_always_possible(a_match) -> None:
    """[R8] At the end of a blind alley it leads back."""
    story = a_match().stones("I12").planks("red-1 I12-V-pink").executes("pink", "move2")
    story = story.plays("pink", Step(to="I12~V-pink"))
    assert story.waiting == ["pink step"]


def test_move1_cannot_stay(a_match) -> None:
    story = around_pinks_village(a_match).executes("pink", "move1")
    story.refuses("pink", Step(to="V-pink"), Code.NOT_ADJACENT, "7.4", from_place="V-pink")


def test_a_place_must_exist(a_match) -> None:
    story = around_pinks_village(a_match).executes("pink", "move1")
    for place in ("I12", "V-white", "I01~I02", "V-pink~I12", ""):
        story.refuses("pink", Step(to=place), Code.PLACE_UNKNOWN, "7.4", place=place)


def test_who_cannot_step_falls_to_the_start_village(a_match) -> None:
    """[R9]"""
    story = a_match().stones("I01 I03").planks("red-3 I01-I03").pawn("pink", "I01-I03")
    story = story.executes("pink", "move1")
    assert story.place("pink") == "V-pink"
    assert story.waiting == ["blue plank_size"]


def test_a_fall_leads_home_from_a_foreign_village_too(a_match) -> None:
    """[R9]"""
    story = a_match().pawn("pink", "V-blue").executes("pink", "move2")
    assert story.place("pink") == "V-pink"


def test_a_fall_has_no_effect_on_later_slots(a_match) -> None:
    """[R9]"""
    story = (
        a_match(players=2, order="pink black")
        .stones("I12")
        .planks("black-1 I12-V-pink")
        .pawn("pink", "V-blue")
        .programs(black="jump", pink="move1 move2")
    )
    assert story.place("pink") == "V-pink"
    assert (story.state.slot, story.waiting) == (2, ["pink step"])


def test_the_steps_are_chosen_one_after_the_other(a_match) -> None:
    """§11"""
    story = around_pinks_village(a_match).executes("pink", "move2")
    first = story.waiting
    after = story.plays("pink", Step(to="I18~V-pink"))
    assert (first, after.waiting) == (["pink step"], ["pink step"])
    assert after.legal("pink") == {"step(to=V-pink)", "step(to=I14~I18)"}
