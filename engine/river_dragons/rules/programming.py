"""§5 Programming: five different cards of the hand in slots 1 to 5, at most one dragon.

§5 Programming. Every player chooses exactly five different cards of the hand and puts them in slots 1 to 5. At most
one of them is a dragon; none is fine. A submitted program is final, and nobody sees the others' cards until their
slot is revealed. Only cards and their order are fixed: islands, planks and steps are chosen when the card is carried
out.
"""

from __future__ import annotations

from functools import lru_cache
from math import perm

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.box.components import (
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
        if card not in held:
            raise RuleViolation(Code.CARD_NOT_IN_HAND, rule="3", field=_field(slot), card=card, slot=slot)
        if card in cards[: slot - 1]:
            raise RuleViolation(Code.CARD_TWICE, rule="5", field=_field(slot), card=card, slot=slot)
        dragons += card in DRAGON_TARGET
        if dragons > MAX_DRAGONS:
            raise RuleViolation(
                Code.SECOND_DRAGON, rule="5", field=_field(slot), card=card, slot=slot, limit=MAX_DRAGONS
            )
    turn.record(ProgramSubmitted(seat=seat, cards=cards))


def _field(slot: int) -> str:
    return f"cards[{slot - 1}]"


def hand(state: State, seat: Seat) -> tuple[Card, ...]:
    """§5 Return a seat's hand: the same cards every round."""
    return _hand(state.colours[seat], state.colours)


@lru_cache(maxsize=256)
def _hand(own: Colour, in_play: tuple[Colour, ...]) -> tuple[Card, ...]:
    return hand_of(own, in_play)


def program_template(state: State, seat: Seat) -> ProgramTemplate:
    """Return all legal programs as a domain: with six players there are 48 720."""
    return ProgramTemplate(cards=hand(state, seat), slots=PROGRAM_SLOTS, max_dragons=MAX_DRAGONS)


def sample_program(state: State, seat: Seat, chance: Chance) -> SubmitProgram:
    """Return any legal program, each equally likely, with one draw."""
    hand_cards = hand(state, seat)
    return SubmitProgram(cards=nth_program(hand_cards, chance.below(programs(hand_cards))))


def programs(hand_cards: tuple[Card, ...], shown: tuple[Card, ...] = ()) -> int:
    """§5 Return the number of legal programs that begin with the shown cards: without a dragon, or with one in any later slot.

    >>> programs(hand_of(Colour.PINK, (Colour.PINK, Colour.BLACK)))
    15120
    >>> programs(hand_of(Colour.PINK, (Colour.PINK, Colour.BLACK)), ACTION_CARDS[:4])
    5
    """
    actions, dragons = _still_possible(hand_cards, shown)
    slots = PROGRAM_SLOTS - len(shown)
    if not slots:
        return 1
    return perm(len(actions), slots) + len(dragons) * slots * perm(len(actions), slots - 1)


def nth_program(hand_cards: tuple[Card, ...], number: int, shown: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """Return the program with a number below `programs(hand_cards, shown)`; every such program has exactly one number."""
    actions, dragons = _still_possible(hand_cards, shown)
    slots = PROGRAM_SLOTS - len(shown)
    plain = perm(len(actions), slots)
    if number < plain:
        return (*shown, *_nth_arrangement(actions, number, slots))
    number, place = divmod(number - plain, slots)
    number, dragon = divmod(number, len(dragons))
    cards = _nth_arrangement(actions, number, slots - 1)
    return (*shown, *cards[:place], dragons[dragon], *cards[place:])


def _still_possible(
    hand_cards: tuple[Card, ...], shown: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """§5 Return the action cards and the dragons that may still follow: every card once, one dragon at most."""
    if not shown:
        return ACTION_CARDS, hand_cards[len(ACTION_CARDS) :]
    actions = tuple([card for card in ACTION_CARDS if card not in shown])
    if any(card in DRAGON_TARGET for card in shown):
        return actions, ()
    return actions, hand_cards[len(ACTION_CARDS) :]


def _nth_arrangement(cards: tuple[Card, ...], number: int, length: int) -> tuple[Card, ...]:
    """Return the arrangement of `length` different cards that has this number."""
    left = list(cards)
    chosen: list[Card] = []
    for _ in range(length):
        number, at = divmod(number, len(left))
        chosen.append(left.pop(at))
    return tuple(chosen)
