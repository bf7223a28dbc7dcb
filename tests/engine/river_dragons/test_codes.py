"""Every code of this game's refusals is provoked here once; the chapters' tests say more about each."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.match.requests import check_seat_count
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
from engine.river_dragons.box.components import Variant
from engine.river_dragons.errors import Code
from engine.river_dragons.events import EndReason, MatchEnded
from engine.river_dragons.game import GAME


def program(text: str) -> SubmitProgram:
    return SubmitProgram(cards=tuple(text.split()))


def laying(story, size: int = 6):
    return story.executes("blue", "plank1").plays("blue", ChoosePlank(size=size))


def removing(story):
    return story.executes("blue", "remove")


def stepping(a_match):
    """Blue and red on neighbouring planks, a third beyond."""
    return (
        a_match()
        .stones("I12 I14 I09")
        .planks("red-1 I12-V-pink", "red-6 I12-I14", "red-5 I09-I14")
        .pawn("blue", "I12-I14")
        .pawn("red", "I12-V-pink")
    )


def expert(a_match):
    return (
        a_match(variant=Variant.EXPERT)
        .stone_at("S1", -500, 0)
        .stone_at("S2", 500, 0)
        .planks("red-3 S1-S2")
        .executes("blue", "stone1")
    )


FULL = ("red-6 I22-V-yellow", "green-6 I25-V-yellow", "red-5 I27-V-yellow")

PROVOKED = {
    Code.WRONG_NUMBER_OF_CARDS: lambda m: (m(), program("jump")),
    Code.CARD_NOT_IN_HAND: lambda m: (m(), program("jump move1 move2 stone1 dragon:blue")),
    Code.CARD_TWICE: lambda m: (m(), program("jump move1 move2 stone1 jump")),
    Code.SECOND_DRAGON: lambda m: (m(), program("jump move1 move2 dragon:red dragon:pink")),
    Code.ALREADY_SUBMITTED: lambda m: (
        m().plays("blue", program("jump move1 move2 stone1 plank1")),
        program("jump move1 move2 stone1 plank1"),
    ),
    Code.ISLAND_UNKNOWN: lambda m: (m().executes("blue", "stone1"), PlaceStone(island="I28")),
    Code.ISLAND_HAS_STONE: lambda m: (
        m().stones("I01").executes("blue", "stone1"),
        PlaceStone(island="I01"),
    ),
    Code.STONE_UNDER_PLANK: lambda m: (
        m().stones("I07").planks("green-4 I07-V-green").executes("blue", "stone1"),
        PlaceStone(island="I03"),
    ),
    Code.PLANK_NOT_IN_RESERVE: lambda m: (
        m().reserve("blue", "blue-1").executes("blue", "plank1"),
        ChoosePlank(size=2),
    ),
    Code.SUPPORT_UNKNOWN: lambda m: (laying(m().stones("I01 I03")), LayPlank(a="I01", b="I99")),
    Code.SUPPORT_HAS_NO_STONE: lambda m: (laying(m().stones("I01 I03")), LayPlank(a="I01", b="I02")),
    Code.SAME_SUPPORT_TWICE: lambda m: (laying(m().stones("I01 I03")), LayPlank(a="I01", b="I01")),
    Code.TWO_VILLAGES: lambda m: (laying(m().stones("I01 I03")), LayPlank(a="V-red", b="V-pink")),
    Code.ALREADY_JOINED: lambda m: (
        laying(m().stones("I01 I03 I07").planks("red-1 I01-I03")),
        LayPlank(a="I01", b="I03"),
    ),
    Code.SUPPORT_FULL: lambda m: (
        laying(m().stones("I18 I22 I25 I27").planks(*FULL)),
        LayPlank(a="I18", b="V-yellow"),
    ),
    Code.PLANK_TOO_SHORT: lambda m: (laying(m().stones("I01 I07 I09"), 1), LayPlank(a="I01", b="I09")),
    Code.CROSSES_PLANK: lambda m: (
        laying(m().stones("I01 I08 I02 I07").planks("red-6 I01-I08")),
        LayPlank(a="I02", b="I07"),
    ),
    Code.PASSES_OVER_SUPPORT: lambda m: (laying(m().stones("I03 I07")), LayPlank(a="I07", b="V-green")),
    Code.PLANK_UNKNOWN: lambda m: (removing(m().stones("I01")), RemovePlank(plank="I01~I03")),
    Code.PLANK_OCCUPIED: lambda m: (
        removing(m().stones("I27 I01 I03").planks("red-3 I01-I03").pawn("red", "I01-I03")),
        RemovePlank(plank="I01~I03"),
    ),
    Code.SIZE_IN_RESERVE: lambda m: (
        removing(m().stones("I27 I01 I03").planks("red-3 I01-I03")),
        RemovePlank(plank="I01~I03"),
    ),
    Code.THIRD_COLOUR: lambda m: (
        removing(m().stones("I27 I01 I03").planks("red-3 I01-I03").reserve("blue", "blue-1 pink-2")),
        RemovePlank(plank="I01~I03"),
    ),
    Code.NOT_A_STONE: lambda m: (removing(m().stones("I01")), RemoveStone(support="V-blue")),
    Code.STONE_CARRIES_PLANK: lambda m: (
        removing(m().stones("I27 I01 I03").planks("red-3 I01-I03")),
        RemoveStone(support="I01"),
    ),
    Code.PLACE_UNKNOWN: lambda m: (stepping(m).executes("blue", "move1"), Step(to="V-white")),
    Code.NOT_ADJACENT: lambda m: (stepping(m).executes("blue", "move1"), Step(to="V-blue")),
    Code.PLACE_TAKEN: lambda m: (stepping(m).executes("blue", "move1"), Step(to="I12~V-pink")),
    Code.NOBODY_TO_JUMP: lambda m: (stepping(m).executes("blue", "jump"), Jump(over=3, to="V-pink")),
    Code.LANDING_TAKEN: lambda m: (
        stepping(m).stones("I18").planks("pink-6 I12-I18").pawn("green", "I12-I18").executes("blue", "jump"),
        Jump(over=2, to="I12~I18"),
    ),
    Code.LANDING_AT_START: lambda m: (
        stepping(m).executes("blue", "jump"),
        Jump(over=2, to="I12~I14"),
    ),
    Code.NOT_IN_WATER: lambda m: (expert(m), PlaceStoneAt(x=0, y=9000)),
    Code.TOO_NEAR_VILLAGE: lambda m: (expert(m), PlaceStoneAt(x=-2300, y=0)),
    Code.TOO_NEAR_STONE: lambda m: (expert(m), PlaceStoneAt(x=-500, y=299)),
    Code.ALREADY_LEFT: lambda m: (m().leaves("blue"), None),
}
"""Blue does the second in the story of the first; no action means that blue leaves."""


def tries(state, seat, action) -> None:
    if action is None:
        GAME.leave(state, seat, ScriptedChance())
    else:
        GAME.decide(state, seat, action, ScriptedChance())


WHOLE_ACTION = {Code.ALREADY_SUBMITTED, Code.ALREADY_LEFT}
"""Refusals that are about no part of the action."""


OF_OPTIONS = {Code.ROUND_LIMIT_FIXED}
"""Refused before there is a table; test_r23_round_limit.py provokes them."""


def test_every_code_is_here() -> None:
    assert set(PROVOKED) | OF_OPTIONS == set(Code)


@pytest.mark.parametrize("code", list(PROVOKED))
def test_the_code_is_provoked(a_match, code) -> None:
    story, action = PROVOKED[code](a_match)
    seat = story.seat("blue")
    with pytest.raises(RuleViolation) as refused:
        tries(story.state, seat, action)
    assert refused.value.code is code
    assert refused.value.rule
    assert (refused.value.field is None) == (code in WHOLE_ACTION)
    assert all(isinstance(fact, str | int | tuple) for fact in refused.value.facts.values())


def test_the_codes_of_every_game_are_used_where_they_fit(a_match) -> None:
    over = a_match().told(MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
    story = a_match().executes("blue", "stone1")
    for state, seat, code in (
        (over.state, 0, TableCode.MATCH_OVER),
        (story.state, 1, TableCode.NOT_YOUR_TURN),
        (story.state, 6, TableCode.SEAT_UNKNOWN),
        (story.state, 0, TableCode.WRONG_DECISION),
    ):
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(state, seat, Step(to="V-red"), ScriptedChance())
        assert refused.value.code is code


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_the_game_is_for_two_to_six(seats) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_seat_count(GAME, seats)
    assert refused.value.code is TableCode.SEAT_COUNT
