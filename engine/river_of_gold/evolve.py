"""Applies events to states: one function per event. It checks no rule and draws nothing at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.river_of_gold import events, evolve_course, evolve_gains, gain_events
from engine.river_of_gold.events import MatchStarted, RiverOfGoldEvent
from engine.river_of_gold.state import State

Fold = Callable[[State, Any], State]

FOLDS: Final[dict[type[RiverOfGoldEvent], Fold]] = {
    events.PatronChosen: evolve_course.patron_chosen,
    events.SeatSetUp: evolve_course.seat_set_up,
    events.CustomerDrawn: evolve_course.customer_drawn,
    events.DeckReshuffled: evolve_course.deck_reshuffled,
    events.CustomerDiscarded: evolve_course.customer_discarded,
    events.DieRolled: evolve_course.die_rolled,
    events.DieSet: evolve_course.die_set,
    events.TurnStarted: evolve_course.turn_started,
    events.StepStarted: evolve_course.step_started,
    events.ChoiceOpened: evolve_course.choice_opened,
    events.ChoiceLapsed: evolve_course.choice_lapsed,
    events.TileDiscarded: evolve_course.tile_discarded,
    events.RowRefilled: evolve_course.row_refilled,
    events.TurnClosed: evolve_course.turn_closed,
    events.EmperorVisited: evolve_course.emperor_visited,
    events.EndTriggered: evolve_course.end_triggered,
    events.LastExchangesOpened: evolve_course.last_exchanges_opened,
    events.LastExchangesClosed: evolve_course.last_exchanges_closed,
    events.SeatLeft: evolve_course.seat_left,
    events.MatchEnded: evolve_course.match_ended,
    gain_events.FavorSpent: evolve_gains.favor_spent,
    gain_events.GoodsExchanged: evolve_gains.goods_exchanged,
    gain_events.KokuExchanged: evolve_gains.koku_exchanged,
    gain_events.BuildingBuilt: evolve_gains.building_built,
    gain_events.ShipSailed: evolve_gains.ship_sailed,
    gain_events.CustomerDelivered: evolve_gains.customer_delivered,
    gain_events.InfluenceGained: evolve_gains.influence_gained,
    gain_events.TrackRewarded: evolve_gains.track_rewarded,
    gain_events.VisitorRewarded: evolve_gains.visitor_rewarded,
    gain_events.OwnerRewarded: evolve_gains.owner_rewarded,
    gain_events.GoodChosen: evolve_gains.good_chosen,
    gain_events.JourneyCompleted: evolve_gains.journey_completed,
    gain_events.JourneyRewarded: evolve_gains.journey_rewarded,
    gain_events.MerchantUsed: evolve_gains.merchant_used,
    gain_events.BonusesLapsed: evolve_gains.bonuses_lapsed,
    gain_events.NobleRewarded: evolve_gains.noble_rewarded,
    gain_events.PatronRewarded: evolve_gains.patron_rewarded,
    gain_events.MonkRewarded: evolve_gains.monk_rewarded,
    gain_events.RoyalShipLaunched: evolve_gains.royal_ship_launched,
    gain_events.MarkerPlaced: evolve_gains.marker_placed,
    gain_events.MasteryClaimed: evolve_gains.mastery_claimed,
}


def evolve(state: State | None, event: RiverOfGoldEvent) -> State:
    """Return the state after the event; only the first event has no state before it."""
    if state is None:
        if isinstance(event, MatchStarted):
            return evolve_course.match_started(event)
        raise ValueError("a match begins with match_started")
    try:
        fold = FOLDS[type(event)]
    except KeyError:
        raise ValueError("a match starts once") from None
    return fold(state, event)
