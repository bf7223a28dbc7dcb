"""Who is asked for what: derived from the state, never stored in addition to it.

The state says what is still to come (`steps`, `choices`, a voyage's `bonuses`); the open decision follows from that.
Nothing is asked while something still happens automatically: see rules/course.py.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.box.patrons import RYOKU
from engine.river_of_gold.event_parts import Choice, ChoiceKind, JourneyBonus, Step
from engine.river_of_gold.rules.exchanging import can_buy_favor, can_exchange, with_koku_exchanged
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
    LAPSING = "lapsing"
    LAST_EXCHANGES = "last_exchanges"


class Question(msgspec.Struct, frozen=True):
    """An open decision and the seat that has to make it."""

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
"""§10.3 The bonuses that are gained without a choice."""


def question(state: State) -> Question | None:
    """§11 Return the open decision; None while something happens automatically, and after the end."""
    match state.stage:
        case Stage.TURNS:
            return _in_turn(state)
        case Stage.PATRONS:
            return Question(state.queue[0], Decision.PATRON) if state.queue else None
        case Stage.FIRST_DICE:
            return _die(state, state.queue[0]) if state.queue else None
        case Stage.LAST_EXCHANGES:
            return _last_exchanges(state)
        case Stage.ENDED:
            return None


def _last_exchanges(state: State) -> Question | None:
    """[F11] A seat that can exchange nothing more is not asked again."""
    if state.queue and can_exchange(state.players[state.queue[0]]):
        return Question(state.queue[0], Decision.LAST_EXCHANGES)
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
    """§5.4 [F4] A last bonus without a choice of its own is not asked for.

    Before the remaining bonuses lapse, the seat is asked if an exchange would make room for one [F12].
    """
    bonuses = voyage.bonuses
    if len(bonuses) == 1 and bonuses[0] in FIXED_BONUSES and bonus_gains(state, seat, bonuses[0]):
        return None
    if any(bonus_gains(state, seat, bonus) for bonus in bonuses):
        return Question(seat, Decision.JOURNEY)
    return Question(seat, Decision.LAPSING) if _room_can_be_made(state, seat, bonuses) else None


def _room_can_be_made(state: State, seat: Seat, bonuses: tuple[JourneyBonus, ...]) -> bool:
    """[F12] Return whether an exchange would let one of the bonuses gain something. In rules 1.0.0 nobody was asked.

    Only an exchange of koku makes room: goods are exchanged only for a kind below its cap, and a bonus can give that kind already.
    """
    if not state.rulings.room_before_lapsing or not can_buy_favor(state.players[seat]):
        return False
    after = with_koku_exchanged(state, seat)
    return any(bonus_gains(after, seat, bonus) for bonus in bonuses)


def _die(state: State, seat: Seat) -> Question | None:
    """[A23] Kakita Ryoku is asked if she can pay, or could after an exchange [F6]."""
    player = state.players[seat]
    if player.patron is RYOKU and (player.favor or can_buy_favor(player)):
        return Question(seat, Decision.DIE)
    return None
