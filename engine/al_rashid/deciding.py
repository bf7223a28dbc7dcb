"""Checks an action and carries it out: which rule handles which action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

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
from engine.al_rashid.evolve import evolve
from engine.al_rashid.phases import Decision
from engine.al_rashid.rules import (
    activation,
    battle,
    manoeuvres,
    own_turn,
    placement,
    spying,
    trade,
    visiting,
)
from engine.al_rashid.rules.course import settle
from engine.al_rashid.rules.declaring import declare_audience, declare_visit
from engine.al_rashid.rules.paying import pay
from engine.al_rashid.rules.setup import choose_stack
from engine.al_rashid.rules.turn import Turn, check_turn
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat

Rule = Callable[[Turn, Seat, Any], None]

_RULES: Final[dict[type[AlRashidAction], Rule]] = {
    ResolveArea: own_turn.resolve_area,
    UseSmuggler: activation.use_smuggler,
    UseTrader: activation.use_trader,
    UseImporter: activation.use_importer,
    UseNegotiator: activation.use_negotiator,
    RemoveMercenary: activation.remove_mercenary,
    DeclareVisit: declare_visit,
    DeclareAudience: declare_audience,
    Pay: pay,
    ChooseFavors: visiting.choose_favors,
    GiveGood: visiting.give_good,
    SwapGood: visiting.swap_good,
    NameColours: visiting.name_colours,
    TakeGoods: visiting.take_goods,
    ConvertSage: visiting.convert_sage,
    Fight: battle.fight,
    TakeSpoil: battle.take_spoil,
    TakeAll: trade.take_all,
    TakeItems: trade.take_items,
    Peek: spying.spy_peek,
    HoldBack: placement.hold_back,
}
"""What carries out the actions that need neither chance nor the decision that they answer."""
_DECLINED: Final[dict[Decision, Callable[[Turn, Seat], None]]] = {
    Decision.HOLD_BACK: placement.decline_holding,
    Decision.MANOEUVRE: manoeuvres.end_manoeuvres,
    Decision.NEGOTIATE: activation.end_negotiation,
    Decision.SPY_MOVE: spying.waive,
    Decision.ALCHEMIST: visiting.decline_conversion,
}
"""§13.6 What follows when an optional effect is declined."""


def decide(state: State, seat: Seat, action: AlRashidAction, chance: Chance) -> tuple[AlRashidEvent, ...]:
    """Check an action and carry it out, with everything that follows automatically, up to the next decision."""
    decision = check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    rule = _RULES.get(type(action))
    if rule is not None:
        rule(turn, seat, action)
    elif isinstance(action, PlacePiece):
        placement.place_piece(turn, seat, action, held=decision is Decision.PLACE_HELD)
    else:
        _carry_out(turn, seat, action, decision, chance)
    settle(turn, chance)
    return turn.events


def _carry_out(turn: Turn, seat: Seat, action: AlRashidAction, decision: Decision, chance: Chance) -> None:
    """Carry out an action that draws, has no content, or answers several decisions."""
    match action:
        case Flee():
            battle.flee(turn, seat)
        case EndTurn():
            own_turn.end_turn(turn, seat)
        case UseRecruiter():
            activation.use_recruiter(turn, seat, action, chance)
        case ChooseStack():
            choose_stack(turn, seat, action, chance)
        case MovePiece() if decision is Decision.SPY_MOVE:
            spying.spy_move(turn, seat, action)
        case MovePiece():
            manoeuvres.manoeuvre(turn, seat, action)
        case Decline():
            _DECLINED[decision](turn, seat)
        case _:
            raise TypeError(f"no rule carries out {type(action).__name__}")
