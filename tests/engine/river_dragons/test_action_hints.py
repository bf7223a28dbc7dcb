"""What to touch for an action, and under which heading it stands; how programs and stones are filled in."""

from __future__ import annotations

from engine.kernel.hints import ChooseStep, Hint, Limit, PointStep, TemplateHint
from engine.kernel.seats import seat_audience
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.components import Card, Variant
from engine.river_dragons.game import GAME


def hint(story, colour: str, action) -> Hint:
    seat = story.seat(colour)
    return GAME.hint(GAME.view(story.state, seat_audience(seat)), action)


def template_hint(story, colour: str) -> TemplateHint:
    seat = story.seat(colour)
    (template,) = GAME.legal_actions(story.state, seat).templates
    return GAME.template_hint(GAME.view(story.state, seat_audience(seat)), template)


def test_a_step_is_the_pawn_and_then_the_plank_or_the_village(a_match) -> None:
    """§7.4 The plank is the piece that lies there."""
    story = a_match().stones("I11 I16 I24").planks("blue-3 I11-I16", "red-5 I16-I24", "red-4 I24-V-red")
    story = story.pawn("green", "I16-I24").executes("green", "move2")
    assert hint(story, "green", Step(to="I11~I16")).targets == ("pawn:1", "plank:blue:3")
    story = story.plays("green", Step(to="I24~V-red"))
    assert hint(story, "green", Step(to="V-red")) == Hint(group="move", targets=("pawn:1", "V-red"))


def test_a_jump_is_the_own_pawn_then_the_pawn_below_and_then_where_it_lands(a_match) -> None:
    """§7.5, as in example 3 of the rulebook."""
    story = (
        a_match()
        .stones("I11 I14 I16 I20")
        .planks("yellow-3 I11-I16", "green-1 I16-I20", "red-2 I14-I20")
        .pawn("yellow", "I11-I16")
        .pawn("green", "I16-I20")
        .executes("yellow", "jump")
    )
    shown = hint(story, "yellow", Jump(over=story.seat("green"), to="I14~I20"))
    assert shown == Hint(group="jump", targets=("pawn:3", "pawn:1", "plank:red:2"))


def test_a_stone_comes_from_the_supply_and_goes_to_the_island(a_match) -> None:
    """§7.1"""
    story = a_match().executes("blue", "stone1")
    assert hint(story, "blue", PlaceStone(island="I07")) == Hint(group="stones", targets=("stones", "I07"))


def test_a_plank_is_chosen_in_the_rack_whatever_its_colour(a_match) -> None:
    """§7.2 A reserve holds at most one plank of a size, so the size says which."""
    story = a_match().stones("I01 I02").reserve("blue", "blue-1 red-3").executes("blue", "plank1")
    assert hint(story, "blue", ChoosePlank(size=3)) == Hint(group="planks", targets=("plank:red:3",))


def test_a_plank_is_laid_from_the_rack_between_two_supports(a_match) -> None:
    """§7.2"""
    story = a_match().stones("I12").executes("pink", "plank1").plays("pink", ChoosePlank(size=6))
    shown = hint(story, "pink", LayPlank(a="I12", b="V-pink"))
    assert shown == Hint(group="planks", targets=("plank:pink:6", "stone:I12", "V-pink"))


def test_what_is_removed_is_touched_and_planks_and_stones_have_headings_of_their_own(a_match) -> None:
    """§7.3"""
    story = a_match().stones("I01 I07 I16").planks("red-5 I07-I16").reserve("blue", "blue-1")
    story = story.executes("blue", "remove")
    assert hint(story, "blue", RemovePlank(plank="I07~I16")) == Hint(
        group="take_plank", targets=("plank:red:5",)
    )
    assert hint(story, "blue", RemoveStone(support="I01")) == Hint(group="take_stone", targets=("stone:I01",))


def test_a_program_is_five_different_cards_of_the_hand_with_at_most_one_dragon(a_match) -> None:
    """§5"""
    story = a_match(2)
    shown = template_hint(story, "black")
    assert shown.group == "program"
    assert shown.limits == (Limit(name="dragons", most=1),)
    assert [step.field for step in shown.steps if isinstance(step, ChooseStep)] == [
        f"/cards/{slot}" for slot in range(5)
    ]
    for step in shown.steps:
        assert isinstance(step, ChooseStep)
        assert step.different
        assert [one.target for one in step.choices] == [f"card:1:{one.value}" for one in step.choices]
        assert {one.value for one in step.choices if one.limit} == {"dragon:pink"}


def test_a_stone_of_the_expert_side_is_a_point_of_its_board(a_match) -> None:
    """§9"""
    story = a_match(variant=Variant.EXPERT).executes("blue", "stone1")
    shown = template_hint(story, "blue")
    assert shown == TemplateHint(
        group="stones", steps=(PointStep(field_x="/x", field_y="/y", board="expert"),)
    )
    assert hint(story, "blue", PlaceStoneAt(x=0, y=0)).targets == ("stones", "water")


def test_a_program_that_was_filled_in_stands_under_the_heading_of_its_template(a_match) -> None:
    story = a_match(2)
    program = SubmitProgram(cards=(Card.STONE1, Card.STONE2, Card.PLANK1, Card.PLANK2, Card.MOVE1))
    assert hint(story, "pink", program).group == template_hint(story, "pink").group


def test_nothing_is_paid_for(play) -> None:
    for step in play(3, Variant.ISLANDS, 1):
        for seat in GAME.to_act(step.state):
            view = GAME.view(step.state, seat_audience(seat))
            assert not any(
                GAME.hint(view, action).cost for action in GAME.legal_actions(step.state, seat).actions
            )
