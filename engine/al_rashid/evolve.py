"""Applies events to the state, with one function per event. It checks no rules and draws nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.al_rashid import evolve_areas, evolve_course, evolve_owners
from engine.al_rashid.events import (
    AlRashidEvent,
    AreaClosed,
    AreaOpened,
    BattleWon,
    CrisisDrawn,
    Fought,
    HoldingDeclined,
    ManoeuvresEnded,
    MatchEnded,
    MatchStarted,
    MercenaryRemoved,
    NegotiationEnded,
    OfficesRefreshed,
    OrderChanged,
    OwnTurnEnded,
    OwnTurnStarted,
    PieceHeld,
    PieceMoved,
    PiecePlaced,
    PiecesTakenBack,
    ResolutionStarted,
    RoundStarted,
    SeatLeft,
    SpyMovesStarted,
    SpyMoveWaived,
    StackRebuilt,
    TerritoriesRefilled,
    TerritoryPeeked,
    TilesRevealed,
    Traded,
    TradeStarted,
    TurnStarted,
)
from engine.al_rashid.owner_events import (
    ColoursNamed,
    ConversionDeclined,
    DishonorTaken,
    FavorsChosen,
    GoodGiven,
    GoodsGained,
    GoodsPaid,
    GoodsSwapped,
    InfluenceGained,
    MercenariesDrawn,
    NotesGained,
    OfficeAcquired,
    OfficeUsed,
    PieceGained,
    SageConverted,
    VisitDeclared,
)
from engine.al_rashid.state import State

Fold = Callable[[State, Any], State]


def _started_again(_state: State, _event: MatchStarted) -> State:
    raise ValueError("a match starts once")


FOLDS: Final[dict[type[AlRashidEvent], Fold]] = {
    MatchStarted: _started_again,
    CrisisDrawn: evolve_areas.crisis_drawn,
    StackRebuilt: evolve_areas.stack_rebuilt,
    MercenariesDrawn: evolve_owners.mercenaries_drawn,
    TurnStarted: evolve_course.turn_started,
    PieceHeld: evolve_course.piece_held,
    HoldingDeclined: evolve_course.holding_declined,
    PiecePlaced: evolve_course.piece_placed,
    ResolutionStarted: evolve_course.resolution_started,
    PieceMoved: evolve_course.piece_moved,
    ManoeuvresEnded: evolve_course.manoeuvres_ended,
    RoundStarted: evolve_course.round_started,
    OwnTurnStarted: evolve_course.own_turn_started,
    OfficeUsed: evolve_owners.office_used,
    GoodsSwapped: evolve_owners.goods_swapped,
    GoodsGained: evolve_owners.goods_gained,
    NotesGained: evolve_owners.notes_gained,
    InfluenceGained: evolve_owners.influence_gained,
    DishonorTaken: evolve_owners.dishonor_taken,
    TerritoryPeeked: evolve_areas.territory_peeked,
    MercenaryRemoved: evolve_areas.mercenary_removed,
    NegotiationEnded: evolve_areas.negotiation_ended,
    AreaOpened: evolve_areas.area_opened,
    PiecesTakenBack: evolve_areas.pieces_taken_back,
    VisitDeclared: evolve_owners.visit_declared,
    GoodsPaid: evolve_owners.goods_paid,
    OfficeAcquired: evolve_owners.office_acquired,
    PieceGained: evolve_owners.piece_gained,
    FavorsChosen: evolve_owners.favors_chosen,
    GoodGiven: evolve_owners.good_given,
    ColoursNamed: evolve_owners.colours_named,
    SageConverted: evolve_owners.sage_converted,
    ConversionDeclined: evolve_owners.conversion_declined,
    SpyMovesStarted: evolve_areas.spy_moves_started,
    SpyMoveWaived: evolve_areas.spy_move_waived,
    OrderChanged: evolve_areas.order_changed,
    TilesRevealed: evolve_areas.tiles_revealed,
    Fought: evolve_areas.fought,
    BattleWon: evolve_areas.battle_won,
    TradeStarted: evolve_areas.trade_started,
    Traded: evolve_areas.traded,
    AreaClosed: evolve_areas.area_closed,
    OwnTurnEnded: evolve_course.own_turn_ended,
    TerritoriesRefilled: evolve_course.territories_refilled,
    OfficesRefreshed: evolve_course.offices_refreshed,
    SeatLeft: evolve_course.seat_left,
    MatchEnded: evolve_course.match_ended,
}


def evolve(state: State | None, event: AlRashidEvent) -> State:
    """Return the state after the event; `state` is None only for the first event."""
    if state is None:
        if isinstance(event, MatchStarted):
            return evolve_course.match_started(event)
        raise ValueError("a match begins with match_started")
    return FOLDS[type(event)](state, event)
