"""Who is asked for what: derived from the state, never stored in addition to it.

The state says what is still to come (`steps`, `choices`, a voyage's `bonuses`); the open decision follows from that.
Nothing is asked while something still happens automatically: see rules/course.py.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import MAX_SEATS
from engine.river_of_gold.box.patrons import RYOKU
from engine.river_of_gold.event_parts import Choice, ChoiceKind, JourneyBonus, Step
from engine.river_of_gold.rules.exchanging import can_buy_favor, can_exchange, with_koku_exchanged
from engine.river_of_gold.rules.holdings import any_bonus_gains, bonus_gains, marker_targets, wanted_goods
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


def _by_seat(decision: Decision) -> tuple[Question, ...]:
    """Return the question to every seat, made once because they are asked all the time."""
    return tuple(Question(Seat(seat), decision) for seat in range(MAX_SEATS))


_PATRON: Final = _by_seat(Decision.PATRON)
_TURN: Final = _by_seat(Decision.TURN)
_GOOD: Final = _by_seat(Decision.GOOD)
_DISCARD: Final = _by_seat(Decision.DISCARD)
_ROYAL_SHIP: Final = _by_seat(Decision.ROYAL_SHIP)
_MARKER: Final = _by_seat(Decision.MARKER)
_JOURNEY: Final = _by_seat(Decision.JOURNEY)
_CLOSING: Final = _by_seat(Decision.CLOSING)
_DIE: Final = _by_seat(Decision.DIE)
_LAPSING: Final = _by_seat(Decision.LAPSING)
_LAST_EXCHANGES: Final = _by_seat(Decision.LAST_EXCHANGES)
FIXED_BONUSES: Final = frozenset(
    {JourneyBonus.MERCHANT_1, JourneyBonus.MERCHANT_2, JourneyBonus.MERCHANT_5, JourneyBonus.MERCHANT_6}
)
"""§10.3 The bonuses that are gained without a choice."""


def question(state: State) -> Question | None:
    """§11 Return the open decision; None while something happens automatically, and after the end."""
    return IN_STAGE[state.stage](state)


def _patron(state: State) -> Question | None:
    return _PATRON[state.queue[0]] if state.queue else None


def _first_die(state: State) -> Question | None:
    return _die(state, state.queue[0]) if state.queue else None


def _in_turn(state: State) -> Question | None:
    if state.choices:
        choice = state.choices[0]
        return TO_CHOOSE[choice.kind](state, choice)
    seat = state.active
    if seat is None:
        return None
    voyage, steps = state.voyage, state.steps
    if voyage is not None and voyage.bonuses:
        return _journey(state, seat, voyage)
    if not steps:
        return _TURN[seat]
    asks = AT_STEP.get(steps[0])
    return None if asks is None else asks(state, seat)


def _last_exchanges(state: State) -> Question | None:
    """[F11] A seat that can exchange nothing more is not asked again."""
    if state.queue and can_exchange(state.players[state.queue[0]]):
        return _LAST_EXCHANGES[state.queue[0]]
    return None


def _nothing(_state: State) -> Question | None:
    """§8.6 After the end nobody is asked."""
    return None


def _good(state: State, choice: Choice) -> Question | None:
    """§11.3 A choice in which every option gains nothing is not asked, and neither is one without an option."""
    return _GOOD[choice.seat] if wanted_goods(state.players[choice.seat]) else None


def _discard(_state: State, choice: Choice) -> Question | None:
    return _DISCARD[choice.seat]


def _royal_ship(_state: State, choice: Choice) -> Question | None:
    return _ROYAL_SHIP[choice.seat]


def _marker(state: State, choice: Choice) -> Question | None:
    return _MARKER[choice.seat] if marker_targets(state, choice) else None


def _closing(state: State, seat: Seat) -> Question | None:
    """[A7] A player who can exchange nothing is not asked."""
    return _CLOSING[seat] if can_exchange(state.players[seat]) else None


def _journey(state: State, seat: Seat, voyage: Voyage) -> Question | None:
    """§5.4 [F4] A last bonus without a choice of its own is not asked for.

    Before the remaining bonuses lapse, the seat is asked if an exchange would make room for one [F12].
    """
    bonuses = voyage.bonuses
    if len(bonuses) == 1 and bonuses[0] in FIXED_BONUSES and bonus_gains(state, seat, bonuses[0]):
        return None
    if any_bonus_gains(state, seat, bonuses):
        return _JOURNEY[seat]
    return _LAPSING[seat] if _room_can_be_made(state, seat, bonuses) else None


def _room_can_be_made(state: State, seat: Seat, bonuses: tuple[JourneyBonus, ...]) -> bool:
    """[F12] Return whether an exchange would let one of the bonuses gain something. In rules 1.0.0 nobody was asked.

    Only an exchange of koku makes room: goods are exchanged only for a kind below its cap, and a bonus can give that kind already.
    """
    if not state.rulings.room_before_lapsing or not can_buy_favor(state.players[seat]):
        return False
    after = with_koku_exchanged(state, seat)
    return any_bonus_gains(after, seat, bonuses)


def _die(state: State, seat: Seat) -> Question | None:
    """[A23] Kakita Ryoku is asked if she can pay, or could after an exchange [F6]."""
    player = state.players[seat]
    if player.patron is RYOKU and (player.favor or can_buy_favor(player)):
        return _DIE[seat]
    return None


IN_STAGE: Final[dict[Stage, Callable[[State], Question | None]]] = {
    Stage.PATRONS: _patron,
    Stage.FIRST_DICE: _first_die,
    Stage.TURNS: _in_turn,
    Stage.LAST_EXCHANGES: _last_exchanges,
    Stage.ENDED: _nothing,
}
TO_CHOOSE: Final[dict[ChoiceKind, Callable[[State, Choice], Question | None]]] = {
    ChoiceKind.GOOD: _good,
    ChoiceKind.DISCARD: _discard,
    ChoiceKind.ROYAL_SHIP: _royal_ship,
    ChoiceKind.MARKER: _marker,
}
AT_STEP: Final[dict[Step, Callable[[State, Seat], Question | None]]] = {
    Step.CLOSING: _closing,
    Step.ROLL: _die,
}
"""The steps in which the player may be asked; the others happen automatically."""
