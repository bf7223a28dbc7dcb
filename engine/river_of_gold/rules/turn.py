"""§11 Which actions answer which decision, and checks of who may answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import (
    Build,
    ChooseGood,
    ChoosePatron,
    ChooseRoyalShip,
    DeclineExchange,
    Deliver,
    DiscardCustomer,
    EndTurn,
    ExchangeGoods,
    ExchangeKoku,
    PlaceMarker,
    RiverOfGoldAction,
    RollDie,
    Sail,
    SellGoods,
    SetDie,
    SpendFavor,
    TakeJourneyBonus,
    UseMerchant,
)
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.event_parts import ChoiceSource
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.phases import Decision, question
from engine.river_of_gold.state import Stage, State

Turn = Recorder[State, RiverOfGoldEvent]
"""A move in progress: the state so far and the events so far."""

_ENDED: Final = Stage.ENDED
_EXCHANGES: Final = (ExchangeGoods, ExchangeKoku)
ANSWERS: Final[dict[Decision, tuple[type[RiverOfGoldAction], ...]]] = {
    Decision.PATRON: (ChoosePatron,),
    Decision.TURN: (SpendFavor, Build, Sail, Deliver, *_EXCHANGES),
    Decision.GOOD: (ChooseGood, *_EXCHANGES),
    Decision.DISCARD: (DiscardCustomer, *_EXCHANGES),
    Decision.ROYAL_SHIP: (ChooseRoyalShip, *_EXCHANGES),
    Decision.MARKER: (PlaceMarker, *_EXCHANGES),
    Decision.JOURNEY: (TakeJourneyBonus, UseMerchant, SellGoods, *_EXCHANGES),
    Decision.CLOSING: (EndTurn, *_EXCHANGES),
    Decision.DIE: (RollDie, SetDie, *_EXCHANGES),
    Decision.LAPSING: (DeclineExchange, *_EXCHANGES),
    Decision.LAST_EXCHANGES: (DeclineExchange, *_EXCHANGES),
}
"""[A7] Which actions answer a decision: exchanges answer all but the choice of a patron, when there is nothing to exchange yet."""
PARAGRAPH: Final[dict[Decision, str]] = {
    Decision.PATRON: "9.1",
    Decision.TURN: "3.2",
    Decision.GOOD: "11.2",
    Decision.DISCARD: "6.4",
    Decision.ROYAL_SHIP: "10.5",
    Decision.MARKER: "10.4",
    Decision.JOURNEY: "5.4",
    Decision.CLOSING: "3.4",
    Decision.DIE: "9",
    Decision.LAPSING: "F12",
    Decision.LAST_EXCHANGES: "F11",
}
"""The paragraph that asks for a decision; for patrons and goods it can be another one, see `paragraph`."""
_GOOD_PARAGRAPH: Final[dict[ChoiceSource, str]] = {
    ChoiceSource.VISITOR: "5.2",
    ChoiceSource.OWNER: "5.3",
    ChoiceSource.TRACK: "4.6",
    ChoiceSource.DELIVERY: "6.3",
}


def paragraph(state: State, decision: Decision) -> str:
    """Return the paragraph that asks for the open decision."""
    return _PARAGRAPH_BY_STATE[decision](state) if decision in _PARAGRAPH_BY_STATE else PARAGRAPH[decision]


def _good_paragraph(state: State) -> str:
    return _GOOD_PARAGRAPH[state.choices[0].source]


def _patron_paragraph(state: State) -> str:
    return "9.2" if state.patrons is PatronMode.CHOICE_OF_TWO else PARAGRAPH[Decision.PATRON]


_PARAGRAPH_BY_STATE: Final[dict[Decision, Callable[[State], str]]] = {
    Decision.GOOD: _good_paragraph,
    Decision.PATRON: _patron_paragraph,
}


def check_seat(state: State, seat: Seat) -> None:
    """Raises RuleViolation if the match has no such seat, or if it is over."""
    if not 0 <= seat < len(state.players):
        raise RuleViolation(TableCode.SEAT_UNKNOWN, rule="2", seat=seat, seats=state.seats)
    if state.stage is _ENDED:
        raise RuleViolation(TableCode.MATCH_OVER, rule="8.6")


def check_turn(state: State, seat: Seat, action: RiverOfGoldAction) -> None:
    """§11.3 Raises RuleViolation if the seat is not asked or the action is no answer."""
    check_seat(state, seat)
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="11.3", seat=seat)
    if type(action) not in ANSWERS[asked.decision]:
        raise RuleViolation(
            TableCode.WRONG_DECISION, rule=paragraph(state, asked.decision), expected=asked.decision.value
        )
