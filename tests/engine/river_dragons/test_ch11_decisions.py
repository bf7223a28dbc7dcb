"""§11 Who is asked for what, and when something happens without asking."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance
from engine.kernel.errors import RuleViolation, TableCode
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
from engine.river_dragons.game import GAME

ANY_ACTION = {
    "submit_program": SubmitProgram(cards=()),
    "place_stone": PlaceStone(island="I01"),
    "place_stone_at": PlaceStoneAt(x=0, y=0),
    "choose_plank": ChoosePlank(size=1),
    "lay_plank": LayPlank(a="I01", b="I03"),
    "remove_plank": RemovePlank(plank="I01~I03"),
    "remove_stone": RemoveStone(support="I01"),
    "step": Step(to="V-red"),
    "jump": Jump(over=0, to="V-red"),
}


def crowded(a_match):
    """Something to choose for every card."""
    return (
        a_match(players=3)
        .stones("I12 I14 I18 I27")
        .planks("red-1 I12-V-pink", "red-6 I14-I18", "red-2 I14-I12", "blue-6 I18-V-pink")
        .pawn("red", "I12-V-pink")
        .reserve("pink", "pink-3")
    )


CARDS = {
    "stone1": ("stone", {"place_stone"}),
    "plank1": ("plank_size", {"choose_plank"}),
    "remove": ("remove", {"remove_plank", "remove_stone"}),
    "move1": ("step", {"step"}),
    "jump": ("jump", {"jump"}),
}


@pytest.mark.parametrize("card", CARDS)
def test_every_other_kind_of_action_is_refused(a_match, card) -> None:
    decision, tags = CARDS[card]
    story = crowded(a_match).executes("pink", card)
    assert story.waiting == [f"pink {decision}"]
    for tag in ANY_ACTION.keys() - tags:
        story.refuses(
            "pink",
            ANY_ACTION[tag],
            TableCode.WRONG_DECISION,
            "11",
            expected=decision,
            actions=tuple(sorted(tags)),
        )


def test_only_the_acting_seat_is_heard(a_match) -> None:
    story = crowded(a_match).executes("pink", "stone1")
    for action in ANY_ACTION.values():
        story.refuses("blue", action, TableCode.NOT_YOUR_TURN, "4", waited_for=(story.seat("pink"),))


@pytest.mark.parametrize("seat", [-1, 3, 17])
def test_a_seat_that_is_not_at_the_table_is_unknown(a_match, seat) -> None:
    story = crowded(a_match).executes("pink", "stone1")
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(story.state, seat, ANY_ACTION["step"], ScriptedChance())
    assert (refused.value.code, refused.value.facts["seats"]) == (TableCode.SEAT_UNKNOWN, 3)


def test_a_single_legal_answer_is_asked_for_all_the_same(a_match) -> None:
    """[F10]"""
    story = a_match().stones("I12").planks("red-1 I12-V-pink").executes("pink", "move1")
    assert story.legal("pink") == {"step(to=I12~V-pink)"}
    assert story.waiting == ["pink step"]


def test_programs_are_decided_by_all_at_once(a_match) -> None:
    waiting = GAME.pending(a_match(players=3).state)
    assert [each.seat for each in waiting] == [0, 1, 2]
    assert all(each.simultaneous for each in waiting)
    assert len({each.id for each in waiting}) == 3


def test_every_decision_has_its_own_name(a_match) -> None:
    story = a_match(players=2, order="pink black").programs(pink="stone2", black="stone2")
    names = [GAME.pending(story.state)[0].id]
    for colour, island in (("pink", "I01"), ("pink", "I02"), ("black", "I03")):
        story = story.plays(colour, PlaceStone(island=island))
        names.append(GAME.pending(story.state)[0].id)
    assert names == [
        "r1:s1:seat0:stone:1",
        "r1:s1:seat0:stone:2",
        "r1:s1:seat1:stone:1",
        "r1:s1:seat1:stone:2",
    ]


def test_answers_are_listed_in_the_order_of_their_ids(a_match) -> None:
    """The first of the list is what a platform plays for a player whose time is up."""
    story = crowded(a_match).executes("pink", "plank1").plays("pink", ChoosePlank(size=3))
    listed = GAME.legal_actions(story.state, story.seat("pink")).actions
    names = [(action.a, action.b) for action in listed]
    assert names == sorted(names)
    assert len(names) > 1


def test_who_is_not_asked_has_no_legal_actions(a_match) -> None:
    story = crowded(a_match).executes("pink", "stone1")
    assert not GAME.legal_actions(story.state, story.seat("blue"))
    with pytest.raises(LookupError):
        GAME.sample(story.state, story.seat("blue"), ScriptedChance())
