"""Who is asked for what: worked out from the state, never kept beside it.

The state says what is still to come (`steps`, `choices`, a voyage's `bonuses`); from that follows the open decision.
Nothing is asked while something still happens by itself: see rules/course.py.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.event_parts import Choice, ChoiceKind, JourneyBonus, Step
from engine.river_of_gold.patrons import RYOKU
from engine.river_of_gold.rules.exchanging import can_buy_favor, can_exchange
from engine.river_of_gold.rules.holdings import bonus_gains, marker_targets, wanted_goods
from engine.river_of_gold.state import Stage, State, Voyage


class Decision(StrEnum):
    """§11.1, §11.2 The kinds of decision."""

    PATRON = "patron"
    TURN = "turn"
    GOOD = "good"
    DISCARD = "discard"
    ROYAL_SHIP = "royal_ship"
    MARKER = "marker"
    JOURNEY = "journey"
    CLOSING = "closing"
    DIE = "die"


class Question(msgspec.Struct, frozen=True):
    """An open decision and who has it."""

    seat: Seat
    decision: Decision


_CHOICE_DECISIONS: Final[dict[ChoiceKind, Decision]] = {
    ChoiceKind.GOOD: Decision.GOOD,
    ChoiceKind.DISCARD: Decision.DISCARD,
    ChoiceKind.ROYAL_SHIP: Decision.ROYAL_SHIP,
    ChoiceKind.MARKER: Decision.MARKER,
}
FIXED_BONUSES: Final = frozenset(
    {JourneyBonus.MERCHANT_1, JourneyBonus.MERCHANT_2, JourneyBonus.MERCHANT_5, JourneyBonus.MERCHANT_6}
)
"""§10.3 What is gained without a choice."""


def question(state: State) -> Question | None:
    """§11 Give the open decision; None while something happens by itself, and after the end."""
    match state.stage:
        case Stage.TURNS:
            return _in_turn(state)
        case Stage.PATRONS:
            return Question(state.queue[0], Decision.PATRON) if state.queue else None
        case Stage.FIRST_DICE:
            return _die(state, state.queue[0]) if state.queue else None
        case Stage.ENDED:
            return None


def _in_turn(state: State) -> Question | None:
    if state.choices:
        return _choice(state, state.choices[0])
    seat = state.active
    if seat is None:
        return None
    if state.voyage is not None and state.voyage.bonuses:
        return _journey(state, seat, state.voyage)
    if not state.steps:
        return Question(seat, Decision.TURN)
    step = state.steps[0]
    if step is Step.CLOSING and can_exchange(state.players[seat]):
        return Question(seat, Decision.CLOSING)
    if step is Step.ROLL:
        return _die(state, seat)
    return None


def _choice(state: State, choice: Choice) -> Question | None:
    """§11.3 A choice in which every option gains nothing is not asked."""
    if choice.kind is ChoiceKind.GOOD and not wanted_goods(state.players[choice.seat]):
        return None
    if choice.kind is ChoiceKind.MARKER and not marker_targets(state, choice):
        return None
    return Question(choice.seat, _CHOICE_DECISIONS[choice.kind])


def _journey(state: State, seat: Seat, voyage: Voyage) -> Question | None:
    """§5.4 [F4] One bonus that brings no choice has no order either."""
    bonuses = voyage.bonuses
    if len(bonuses) == 1 and bonuses[0] in FIXED_BONUSES:
        return None
    if not any(bonus_gains(state, seat, bonus) for bonus in bonuses):
        return None
    return Question(seat, Decision.JOURNEY)


def _die(state: State, seat: Seat) -> Question | None:
    """[A23] Kakita Ryoku is asked if she can pay, or could after an exchange [F6]."""
    player = state.players[seat]
    if player.patron is RYOKU and (player.favor or can_buy_favor(player)):
        return Question(seat, Decision.DIE)
    return None
