"""Checks an action and carries it out: which rule handles which action."""

from __future__ import annotations

from typing import assert_never

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
from engine.al_rashid.events import AlRashidEvent, OwnTurnEnded
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

TurnAction = ResolveArea | EndTurn | UseSmuggler | UseTrader | UseImporter | UseRecruiter | UseNegotiator
VisitAction = (
    DeclareVisit
    | DeclareAudience
    | Pay
    | ChooseFavors
    | GiveGood
    | SwapGood
    | NameColours
    | TakeGoods
    | ConvertSage
)


def decide(  # noqa: C901 - one case per action
    state: State, seat: Seat, action: AlRashidAction, chance: Chance
) -> tuple[AlRashidEvent, ...]:
    """Check an action and carry it out, with everything that follows automatically, up to the next decision."""
    decision = check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    match action:
        case PlacePiece():
            held = decision is Decision.PLACE_HELD
            placement.place_piece(turn, seat, action, held=held)
        case (
            ResolveArea()
            | EndTurn()
            | UseSmuggler()
            | UseTrader()
            | UseImporter()
            | UseRecruiter()
            | UseNegotiator()
        ):
            _in_own_turn(turn, seat, action, chance)
        case Flee():
            battle.flee(turn, seat)
        case Fight():
            battle.fight(turn, seat, action)
        case TakeSpoil():
            battle.take_spoil(turn, seat, action)
        case TakeAll():
            trade.take_all(turn, seat, action)
        case TakeItems():
            trade.take_items(turn, seat, action)
        case Peek():
            spying.spy_peek(turn, seat, action)
        case MovePiece() if decision is Decision.SPY_MOVE:
            spying.spy_move(turn, seat, action)
        case MovePiece():
            manoeuvres.manoeuvre(turn, seat, action)
        case ChooseStack():
            choose_stack(turn, seat, action, chance)
        case HoldBack():
            placement.hold_back(turn, seat, action)
        case RemoveMercenary():
            activation.remove_mercenary(turn, seat, action)
        case Decline():
            _decline(turn, seat, decision)
        case _:
            _in_visit(turn, seat, action)
    settle(turn, chance)
    return turn.events


def _in_own_turn(turn: Turn, seat: Seat, action: TurnAction, chance: Chance) -> None:
    """§5.3"""
    match action:
        case ResolveArea():
            own_turn.resolve_area(turn, seat, action)
        case EndTurn():
            own_turn.check_end(turn.state)
            turn.record(OwnTurnEnded(seat=seat))
        case UseSmuggler():
            activation.use_smuggler(turn, seat, action)
        case UseTrader():
            activation.use_trader(turn, seat, action)
        case UseImporter():
            activation.use_importer(turn, seat, action)
        case UseRecruiter():
            activation.use_recruiter(turn, seat, action, chance)
        case UseNegotiator():
            activation.use_negotiator(turn, seat, action)
        case _:
            assert_never(action)


def _in_visit(turn: Turn, seat: Seat, action: VisitAction) -> None:
    """§7, §8"""
    match action:
        case DeclareVisit():
            declare_visit(turn, seat, action)
        case DeclareAudience():
            declare_audience(turn, seat, action)
        case Pay():
            pay(turn, seat, action)
        case ChooseFavors():
            visiting.choose_favors(turn, seat, action)
        case GiveGood():
            visiting.give_good(turn, seat, action)
        case SwapGood():
            visiting.swap_good(turn, seat, action)
        case NameColours():
            visiting.name_colours(turn, seat, action)
        case TakeGoods():
            visiting.take_goods(turn, seat, action)
        case ConvertSage():
            visiting.convert_sage(turn, seat, action)
        case _:
            assert_never(action)


def _decline(turn: Turn, seat: Seat, decision: Decision) -> None:
    """§13.6"""
    match decision:
        case Decision.HOLD_BACK:
            placement.decline_holding(turn, seat)
        case Decision.MANOEUVRE:
            manoeuvres.end_manoeuvres(turn, seat)
        case Decision.NEGOTIATE:
            activation.end_negotiation(turn, seat)
        case Decision.SPY_MOVE:
            spying.waive(turn, seat)
        case Decision.ALCHEMIST:
            visiting.decline_conversion(turn, seat)
        case _:
            raise TypeError(f"{decision} cannot be declined")
