"""How actions are presented to the seat that chooses."""

from __future__ import annotations

from typing import Final, assert_never

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
from engine.al_rashid.layout import targets
from engine.al_rashid.layout.costs import audience_cost, goods_cost, one_of, tiles_cost, visit_cost
from engine.al_rashid.layout.groups import ActionGroup
from engine.al_rashid.layout.ids import STACK
from engine.al_rashid.layout.targets import chooser
from engine.al_rashid.view import AlRashidView
from engine.kernel.hints import Cost, Hint

_GROUP: Final[dict[type[AlRashidAction], ActionGroup]] = {
    HoldBack: ActionGroup.PLACE,
    PlacePiece: ActionGroup.PLACE,
    MovePiece: ActionGroup.MOVE,
    Peek: ActionGroup.SPY,
    ChooseStack: ActionGroup.RECRUIT,
    NameColours: ActionGroup.RECRUIT,
    UseSmuggler: ActionGroup.OFFICE,
    UseTrader: ActionGroup.OFFICE,
    UseImporter: ActionGroup.OFFICE,
    UseRecruiter: ActionGroup.OFFICE,
    UseNegotiator: ActionGroup.OFFICE,
    RemoveMercenary: ActionGroup.OFFICE,
    ConvertSage: ActionGroup.OFFICE,
    ResolveArea: ActionGroup.RESOLVE,
    DeclareVisit: ActionGroup.VISIT,
    DeclareAudience: ActionGroup.VISIT,
    Pay: ActionGroup.PAY,
    ChooseFavors: ActionGroup.FAVOR,
    GiveGood: ActionGroup.FAVOR,
    SwapGood: ActionGroup.FAVOR,
    Flee: ActionGroup.BATTLE,
    Fight: ActionGroup.BATTLE,
    TakeSpoil: ActionGroup.TAKE,
    TakeAll: ActionGroup.TAKE,
    TakeItems: ActionGroup.TAKE,
    TakeGoods: ActionGroup.TAKE,
    Decline: ActionGroup.END,
    EndTurn: ActionGroup.END,
}


def hint(view: AlRashidView, action: AlRashidAction) -> Hint:
    """Return how a legal action is presented to the seat whose view it is."""
    return Hint(group=_GROUP[type(action)], targets=_targets(view, action), cost=_cost(view, action))


def _targets(view: AlRashidView, action: AlRashidAction) -> tuple[str, ...]:  # noqa: C901 - one case per action
    match action:
        case PlacePiece():
            return targets.placing(view, action)
        case MovePiece():
            return targets.moving(view, action)
        case ResolveArea():
            return (action.area,)
        case Peek():
            return (action.territory,)
        case DeclareVisit():
            return targets.visiting(view, action)
        case DeclareAudience():
            return targets.audience(view, action)
        case HoldBack():
            return (targets.in_reserve(view, action.piece),)
        case ChooseStack():
            return (STACK[action.colour],)
        case NameColours():
            return targets.stacks(action)
        case ChooseFavors():
            return (action.first, action.second)
        case ConvertSage():
            return (targets.sage(view, action.area),)
        case Flee():
            return () if view.scene is None else (view.scene.area,)
        case Decline() | EndTurn():
            return ()
        case UseSmuggler() | UseTrader() | UseImporter() | UseRecruiter() | UseNegotiator():
            return targets.activating(view, action)
        case _:
            return _things(view, action)


def _things(
    view: AlRashidView,
    action: Pay | GiveGood | SwapGood | Fight | RemoveMercenary | TakeGoods | TakeSpoil | TakeAll | TakeItems,
) -> tuple[str, ...]:
    """Return the goods and tiles that an action gives and takes: first what it gives."""
    match action:
        case Pay():
            return targets.own_goods(view, action.goods)
        case GiveGood():
            return (targets.own(view, action.give), STACK[action.colour])
        case SwapGood():
            return (targets.own(view, action.give), action.take)
        case Fight():
            return targets.own_tiles(view, action.tiles)
        case RemoveMercenary():
            return targets.removing(view, action)
        case TakeGoods():
            return targets.supply(action.goods)
        case TakeSpoil():
            return (action.good,)
        case TakeAll():
            return (targets.lying(view, action.good),)
        case TakeItems():
            return targets.items(view, action)
        case _:
            assert_never(action)


def _cost(view: AlRashidView, action: AlRashidAction) -> tuple[Cost, ...]:
    match action:
        case Pay():
            return goods_cost(action.goods)
        case Fight():
            return tiles_cost(action.tiles)
        case GiveGood() | SwapGood() | UseSmuggler() | UseTrader():
            return one_of(action.give)
        case RemoveMercenary():
            return one_of(targets.matching_tile(view, action))
        case DeclareVisit():
            return visit_cost(view, chooser(view), action)
        case DeclareAudience():
            return audience_cost(view, chooser(view), action)
        case _:
            return ()
