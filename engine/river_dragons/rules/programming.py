"""§5 Programming: five different cards of the hand in slots 1 to 5, at most one dragon."""

from __future__ import annotations

from functools import cache
from math import perm

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.components import (
    ACTION_CARDS,
    DRAGON_TARGET,
    MAX_DRAGONS,
    PROGRAM_SLOTS,
    Card,
    Colour,
    hand_of,
)
from engine.river_dragons.errors import Code
from engine.river_dragons.events import ProgramSubmitted
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State
from engine.river_dragons.templates import ProgramTemplate


def submit_program(turn: Turn, seat: Seat, action: SubmitProgram) -> None:
    """§5"""
    cards = action.cards
    if len(cards) != PROGRAM_SLOTS:
        raise RuleViolation(
            Code.WRONG_NUMBER_OF_CARDS, rule="5", field="cards", cards=len(cards), expected=PROGRAM_SLOTS
        )
    held = hand(turn.state, seat)
    dragons = 0
    for slot, card in enumerate(cards, start=1):
        field = f"cards[{slot - 1}]"
        if card not in held:
            raise RuleViolation(Code.CARD_NOT_IN_HAND, rule="3", field=field, card=card, slot=slot)
        if card in cards[: slot - 1]:
            raise RuleViolation(Code.CARD_TWICE, rule="5", field=field, card=card, slot=slot)
        dragons += card in DRAGON_TARGET
        if dragons > MAX_DRAGONS:
            raise RuleViolation(
                Code.SECOND_DRAGON, rule="5", field=field, card=card, slot=slot, limit=MAX_DRAGONS
            )
    turn.record(ProgramSubmitted(seat=seat, cards=cards))


def hand(state: State, seat: Seat) -> tuple[Card, ...]:
    """§5 Give a seat's hand: the same cards every round."""
    return _hand(state.colours[seat], state.colours)


@cache
def _hand(own: Colour, in_play: tuple[Colour, ...]) -> tuple[Card, ...]:
    return hand_of(own, in_play)


def program_template(state: State, seat: Seat) -> ProgramTemplate:
    """Give all legal programs as a domain: with six players there are 48 720."""
    return ProgramTemplate(cards=hand(state, seat), slots=PROGRAM_SLOTS, max_dragons=MAX_DRAGONS)


def sample_program(state: State, seat: Seat, chance: Chance) -> SubmitProgram:
    """Give any legal program, each equally likely, with one draw."""
    hand_cards = hand(state, seat)
    return SubmitProgram(cards=nth_program(hand_cards, chance.below(programs(hand_cards))))


def programs(hand_cards: tuple[Card, ...]) -> int:
    """§5 Count the legal programs: without a dragon, or with one in any slot.

    >>> programs(hand_of(Colour.PINK, (Colour.PINK, Colour.BLACK)))
    15120
    """
    actions = len(ACTION_CARDS)
    dragons = len(hand_cards) - actions
    return perm(actions, PROGRAM_SLOTS) + dragons * PROGRAM_SLOTS * perm(actions, PROGRAM_SLOTS - 1)


def nth_program(hand_cards: tuple[Card, ...], number: int) -> tuple[Card, ...]:
    """Give the program of a number below `programs(hand_cards)`; every program has exactly one number."""
    plain = perm(len(ACTION_CARDS), PROGRAM_SLOTS)
    if number < plain:
        return _nth_arrangement(number, PROGRAM_SLOTS)
    number, place = divmod(number - plain, PROGRAM_SLOTS)
    number, dragon = divmod(number, len(hand_cards) - len(ACTION_CARDS))
    cards = _nth_arrangement(number, PROGRAM_SLOTS - 1)
    return (*cards[:place], hand_cards[len(ACTION_CARDS) + dragon], *cards[place:])


def _nth_arrangement(number: int, length: int) -> tuple[Card, ...]:
    """Give the arrangement of so many different action cards that has this number."""
    left = list(ACTION_CARDS)
    chosen: list[Card] = []
    for _ in range(length):
        number, at = divmod(number, len(left))
        chosen.append(left.pop(at))
    return tuple(chosen)
