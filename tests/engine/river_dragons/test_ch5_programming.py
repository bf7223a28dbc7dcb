"""§5 Programming."""

from __future__ import annotations

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.river_dragons.actions import PlaceStone, SubmitProgram
from engine.river_dragons.box.components import Card, Colour, hand_of
from engine.river_dragons.errors import Code
from engine.river_dragons.events import ProgramSubmitted
from engine.river_dragons.game import GAME
from engine.river_dragons.rules.programming import nth_program, programs
from engine.river_dragons.templates import ProgramTemplate


@pytest.fixture
def programming(a_match):
    return a_match(players=4)


def program(text: str) -> SubmitProgram:
    return SubmitProgram(cards=tuple(Card(name) for name in text.split()))


def test_five_different_cards_in_order_are_accepted(programming) -> None:
    action = program("jump stone2 move1 dragon:red plank1")
    after = programming.plays("blue", action)
    assert after.events == (ProgramSubmitted(seat=0, cards=action.cards),)


def test_no_dragon_at_all_is_fine(programming) -> None:
    assert programming.plays("blue", program("jump stone2 move1 move2 plank1")).events


@pytest.mark.parametrize("cards", ["jump stone2 move1 move2", "jump stone1 stone2 move1 move2 plank1", ""])
def test_a_program_has_exactly_five_cards(programming, cards) -> None:
    action = program(cards)
    programming.refuses("blue", action, Code.WRONG_NUMBER_OF_CARDS, "5", cards=len(action.cards), expected=5)


def test_no_card_twice(programming) -> None:
    refusal = programming.refusal("blue", program("jump stone1 jump move1 move2"))
    assert (refusal.code, refusal.field, refusal.facts["slot"]) == (Code.CARD_TWICE, "cards[2]", 3)


def test_no_second_dragon(programming) -> None:
    refusal = programming.refusal("blue", program("dragon:red stone1 dragon:green move1 move2"))
    assert (refusal.code, refusal.field, refusal.facts["limit"]) == (Code.SECOND_DRAGON, "cards[2]", 1)


@pytest.mark.parametrize("dragon", ["dragon:blue", "dragon:pink"], ids=["own colour", "colour not in play"])
def test_only_cards_of_the_hand(programming, dragon) -> None:
    programming.refuses(
        "blue", program(f"jump stone1 {dragon} move1 move2"), Code.CARD_NOT_IN_HAND, "3", card=dragon
    )


def test_once_submitted_a_program_is_final(programming) -> None:
    action = program("jump stone2 move1 move2 plank1")
    programming.plays("blue", action).refuses("blue", action, Code.ALREADY_SUBMITTED, "5", round=1)


def test_who_has_submitted_waits_for_the_others(programming) -> None:
    after = programming.plays("blue", program("jump stone2 move1 move2 plank1"))
    after.refuses("blue", PlaceStone(island="I01"), TableCode.NOT_YOUR_TURN, "5", waited_for=(1, 2, 3))


def test_while_programming_nothing_else_is_answered(programming) -> None:
    programming.refuses("blue", PlaceStone(island="I01"), TableCode.WRONG_DECISION, "11", expected="program")


def test_programs_are_listed_as_a_template_with_the_whole_domain(programming) -> None:
    listed = GAME.legal_actions(programming.state, programming.seat("blue"))
    hand = hand_of(Colour.BLUE, (Colour.BLUE, Colour.GREEN, Colour.RED, Colour.YELLOW))
    assert listed.actions == ()
    assert listed.templates == (ProgramTemplate(cards=hand, slots=5, max_dragons=1),)


@pytest.mark.parametrize(("players", "count"), [(2, 15_120), (4, 31_920), (6, 48_720)])
def test_every_program_has_exactly_one_number(players: int, count: int) -> None:
    """8·7·6·5·4 without a dragon, and 5·8·7·6·5 for each dragon."""
    colours = tuple(Colour)[:players]
    hand = hand_of(colours[0], colours)
    assert programs(hand) == count
    if players == 2:
        every = {nth_program(hand, number) for number in range(count)}
        assert len(every) == count
        assert all(len(set(cards)) == 5 and set(cards) <= set(hand) for cards in every)


def test_sampled_programs_are_accepted_and_of_all_kinds(programming) -> None:
    chance = SeededChance(bytes(32), 7)
    sampled = [GAME.sample(programming.state, programming.seat("blue"), chance) for _ in range(200)]
    for action in sampled:
        programming.plays("blue", action)
    used = {card for action in sampled for card in action.cards}
    assert used == set(hand_of(Colour.BLUE, (Colour.BLUE, Colour.GREEN, Colour.RED, Colour.YELLOW)))


def test_a_seat_without_an_open_decision_has_nothing_to_sample(programming) -> None:
    after = programming.plays("blue", program("jump stone2 move1 move2 plank1"))
    assert not GAME.legal_actions(after.state, after.seat("blue"))
    with pytest.raises(LookupError):
        GAME.sample(after.state, after.seat("blue"), SeededChance(bytes(32), 1))


def test_a_program_hides_itself_from_logs(programming) -> None:
    """§10 Neither the action nor the event nor the state shows it when printed."""
    action = program("jump stone2 move1 move2 plank1")
    after = programming.plays("blue", action)
    assert "stone2" not in f"{action!r} {after.events!r} {after.state!r}"


def test_a_refusal_is_a_rule_violation(programming) -> None:
    with pytest.raises(RuleViolation, match="WRONG_NUMBER_OF_CARDS"):
        GAME.decide(programming.state, programming.seat("blue"), program("jump"), SeededChance(b"", 1))
