"""§13.5 Which actions answer which decision, and who may answer.

§13.5 Who decides. At any time at most one seat has an open decision; it need not be the seat whose own turn it is.
Only that seat can act, and only with an action that answers its decision.

§13.6 Optional effects. An effect that a player may use is always offered, and using it or declining it is a decision
of its own. Nothing is lost because it was forgotten.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.actions import (
    AlRashidAction,
    ChooseFavors,
    ChooseStack,
    ConvertSage,
    DeclareAudience,
    DeclareVisit,
    Decline,
    EndTurn,
    Fight,
    Flee,
    GiveGood,
    HoldBack,
    MovePiece,
    NameColours,
    Pay,
    Peek,
    PlacePiece,
    RemoveMercenary,
    ResolveArea,
    SwapGood,
    TakeAll,
    TakeGoods,
    TakeItems,
    TakeSpoil,
    UseImporter,
    UseNegotiator,
    UseRecruiter,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.events import AlRashidEvent
from engine.al_rashid.phases import Decision, question
from engine.al_rashid.state import Stage, State
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat

Turn = Recorder[State, AlRashidEvent]
"""A move that is being carried out: the state so far and the events so far."""

ANSWERS: Final[dict[Decision, tuple[type[AlRashidAction], ...]]] = {
    Decision.STACK: (ChooseStack,),
    Decision.HOLD_BACK: (HoldBack, Decline),
    Decision.PLACE: (PlacePiece,),
    Decision.PLACE_HELD: (PlacePiece,),
    Decision.MANOEUVRE: (MovePiece, Decline),
    Decision.OWN_TURN: (
        ResolveArea,
        EndTurn,
        UseSmuggler,
        UseTrader,
        UseImporter,
        UseRecruiter,
        UseNegotiator,
    ),
    Decision.NEGOTIATE: (RemoveMercenary, Decline),
    Decision.VISIT: (DeclareVisit,),
    Decision.AUDIENCE: (DeclareAudience,),
    Decision.PAYMENT: (Pay,),
    Decision.IMPOSTOR: (ChooseFavors,),
    Decision.GENERAL: (GiveGood,),
    Decision.VIZIER: (SwapGood,),
    Decision.RECRUITS: (NameColours,),
    Decision.AGHA: (NameColours,),
    Decision.QUARTERMASTER: (TakeGoods,),
    Decision.ALCHEMIST: (ConvertSage, Decline),
    Decision.SPY_MOVE: (Peek, MovePiece, Decline),
    Decision.BATTLE: (Flee, Fight),
    Decision.SPOIL: (TakeSpoil,),
    Decision.TRADE: (TakeAll, TakeItems),
}
"""Which actions answer a decision."""
PARAGRAPH: Final[dict[Decision, str]] = {
    Decision.STACK: "2.9",
    Decision.HOLD_BACK: "4.1",
    Decision.PLACE: "4.2",
    Decision.PLACE_HELD: "4.3",
    Decision.MANOEUVRE: "5.1",
    Decision.OWN_TURN: "5.3",
    Decision.NEGOTIATE: "10.2",
    Decision.VISIT: "7.2",
    Decision.AUDIENCE: "8.2",
    Decision.PAYMENT: "6.4",
    Decision.IMPOSTOR: "10.2",
    Decision.GENERAL: "7.7",
    Decision.VIZIER: "7.7",
    Decision.RECRUITS: "7.5",
    Decision.AGHA: "10.2",
    Decision.QUARTERMASTER: "10.2",
    Decision.ALCHEMIST: "10.2",
    Decision.SPY_MOVE: "7.6",
    Decision.BATTLE: "9.2",
    Decision.SPOIL: "9.5",
    Decision.TRADE: "9.7",
}
"""The paragraph of each decision."""


_ENDED: Final = Stage.ENDED


def check_seat(state: State, seat: Seat) -> None:
    """Refuse a seat that is not in this match, and every seat once the match is over."""
    if not 0 <= seat < len(state.players):
        raise RuleViolation(TableCode.SEAT_UNKNOWN, rule="2", seat=seat, seats=state.seats)
    if state.stage is _ENDED:
        raise RuleViolation(TableCode.MATCH_OVER, rule="12")


def check_turn(state: State, seat: Seat, action: AlRashidAction) -> Decision:
    """§13.5 Return the decision that is answered. Refuse a seat that has no open decision, and an action that does not answer it."""
    check_seat(state, seat)
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="13.5", seat=seat)
    if type(action) not in ANSWERS[asked.decision]:
        raise RuleViolation(
            TableCode.WRONG_DECISION, rule=PARAGRAPH[asked.decision], expected=asked.decision.value
        )
    return asked.decision
