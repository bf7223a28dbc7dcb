"""Apply the events of what players do and gain to states."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import RIVERS, SHORE_INDEX
from engine.river_of_gold.box.components import SHIP_INDEX, bag_of
from engine.river_of_gold.changes import (
    after_step,
    with_gains,
    with_good,
    with_item,
    with_vp,
    without,
)
from engine.river_of_gold.event_parts import Gains, JourneyBonus, Step, VpSource
from engine.river_of_gold.gain_events import (
    BonusesLapsed,
    BuildingBuilt,
    CustomerDelivered,
    FavorSpent,
    GoodChosen,
    GoodsExchanged,
    InfluenceGained,
    JourneyCompleted,
    JourneyRewarded,
    KokuExchanged,
    MarkerPlaced,
    MasteryClaimed,
    MerchantUsed,
    MonkRewarded,
    NobleRewarded,
    OwnerRewarded,
    PatronRewarded,
    RoyalShipLaunched,
    ShipSailed,
    TrackRewarded,
    VisitorRewarded,
)
from engine.river_of_gold.state import MasteryCard, Player, Site, State, Voyage

_BUILD_STEPS: Final = (Step.REFILL, Step.MASTERIES, Step.CLOSING)
_SAIL_STEPS: Final = (
    Step.VISITOR_REWARDS,
    Step.OWNER_REWARDS,
    Step.AFTER_SAIL,
    Step.MASTERIES,
    Step.CLOSING,
)
_JOURNEY_STEPS: Final = (
    Step.VISITOR_REWARDS,
    Step.OWNER_REWARDS,
    Step.JOURNEY,
    Step.END_TILE,
    Step.REFILL,
    Step.AFTER_SAIL,
    Step.MASTERIES,
    Step.CLOSING,
)
_VISITS: Final = VpSource.VISITOR_REWARDS
_OWNERS: Final = VpSource.OWNER_REWARDS
_TRACKS: Final = VpSource.TRACKS
"""Python 3.11 looks up the member of an enum slowly, so those of most moves have names of their own."""
_DELIVERY_STEPS: Final = (Step.ABILITY, Step.DRAW, Step.MASTERIES, Step.CLOSING)


def _changed(state: State, seat: Seat, player: Player) -> State:
    return replace(state, clock=state.clock + 1, players=with_item(state.players, seat, player))


def _gained(state: State, seat: Seat, gains: Gains, source: VpSource) -> State:
    return _changed(state, seat, with_gains(state.players[seat], gains, source))


def _scored(state: State, seat: Seat, vp: int, source: VpSource) -> State:
    player = state.players[seat]
    return _changed(state, seat, replace(player, tally=with_vp(player.tally, vp, source)))


def favor_spent(state: State, event: FavorSpent) -> State:
    player = state.players[event.seat]
    return _changed(state, event.seat, replace(player, favor=player.favor - event.favor, die=event.face))


def goods_exchanged(state: State, event: GoodsExchanged) -> State:
    player = state.players[event.seat]
    goods = with_good(with_good(player.goods, event.given, -event.number), event.taken, 1)
    return _changed(state, event.seat, replace(player, goods=goods))


def koku_exchanged(state: State, event: KokuExchanged) -> State:
    player = state.players[event.seat]
    player = replace(player, koku=player.koku - event.koku, favor=player.favor + event.favor)
    return _changed(state, event.seat, player)


def building_built(state: State, event: BuildingBuilt) -> State:
    player = state.players[event.seat]
    player = replace(player, koku=player.koku - event.koku, favor=player.favor + event.favor)
    at = SHORE_INDEX[event.shore]
    if state.sites[at] is not None or state.row[event.slot - 1] is not event.building:
        raise ValueError("the space is not empty, or the tile lies elsewhere")
    return replace(
        state,
        clock=state.clock + 1,
        steps=_BUILD_STEPS,
        players=with_item(state.players, event.seat, player),
        sites=with_item(state.sites, at, Site(event.building, (event.seat,))),
        row=with_item(state.row, event.slot - 1, None),
    )


def ship_sailed(state: State, event: ShipSailed) -> State:
    player = state.players[event.seat]
    ship, river = SHIP_INDEX[event.ship], RIVERS.index(event.to_space)
    player = replace(player, ships=with_item(player.ships, ship, river))
    return replace(
        state,
        clock=state.clock + 1,
        steps=_JOURNEY_STEPS if event.completed else _SAIL_STEPS,
        voyage=Voyage(ship, river, event.royal),
        players=with_item(state.players, event.seat, player),
    )


def customer_delivered(state: State, event: CustomerDelivered) -> State:
    player = state.players[event.seat]
    silk, rice, porcelain = player.goods
    paid = bag_of(event.paid)
    player = replace(
        player,
        goods=(silk - paid[0], rice - paid[1], porcelain - paid[2]),
        hand=without(player.hand, event.customer),
        delivered=(*player.delivered, event.customer),
    )
    return replace(
        state,
        clock=state.clock + 1,
        steps=_DELIVERY_STEPS,
        delivering=event.customer,
        players=with_item(state.players, event.seat, player),
    )


def influence_gained(state: State, event: InfluenceGained) -> State:
    player = state.players[event.seat]
    tracks = with_item(player.tracks, event.region - 1, event.to_space)
    return _changed(state, event.seat, replace(player, tracks=tracks))


def track_rewarded(state: State, event: TrackRewarded) -> State:
    return _gained(state, event.seat, event.gains, _TRACKS)


def visitor_rewarded(state: State, event: VisitorRewarded) -> State:
    return _gained(state, event.seat, event.gains, _VISITS)


def owner_rewarded(state: State, event: OwnerRewarded) -> State:
    return _gained(state, event.seat, event.gains, _OWNERS)


def good_chosen(state: State, event: GoodChosen) -> State:
    if not state.choices or state.choices[0].seat != event.seat:
        raise ValueError("another choice is open")
    player = state.players[event.seat]
    state = replace(state, choices=state.choices[1:])
    return _changed(state, event.seat, replace(player, goods=with_good(player.goods, event.good, 1)))


def journey_completed(state: State, event: JourneyCompleted) -> State:
    voyage = _voyage(state)
    return replace(
        state,
        clock=state.clock + 1,
        steps=after_step(state, Step.JOURNEY),
        voyage=replace(voyage, bonuses=event.bonuses),
    )


def journey_rewarded(state: State, event: JourneyRewarded) -> State:
    state = _without_bonuses(state, (JourneyBonus.KOKU_OR_GOOD,))
    return _gained(state, event.seat, event.gains, VpSource.MERCHANTS)


def merchant_used(state: State, event: MerchantUsed) -> State:
    player = state.players[event.seat]
    silk, rice, porcelain = player.goods
    sold = bag_of(event.sold)
    player = replace(player, goods=(silk - sold[0], rice - sold[1], porcelain - sold[2]))
    state = _without_bonuses(state, (JourneyBonus(event.customer.value),))
    return _changed(state, event.seat, with_gains(player, event.gains, VpSource.MERCHANTS))


def bonuses_lapsed(state: State, event: BonusesLapsed) -> State:
    return replace(_without_bonuses(state, event.bonuses), clock=state.clock + 1)


def _without_bonuses(state: State, done: tuple[JourneyBonus, ...]) -> State:
    voyage = _voyage(state)
    bonuses = voyage.bonuses
    for bonus in done:
        bonuses = without(bonuses, bonus)
    return replace(state, voyage=replace(voyage, bonuses=bonuses))


def _voyage(state: State) -> Voyage:
    if state.voyage is None:
        raise ValueError("no ship has sailed in this turn")
    return state.voyage


def noble_rewarded(state: State, event: NobleRewarded) -> State:
    return _scored(state, event.seat, event.vp, VpSource.NOBLES)


def patron_rewarded(state: State, event: PatronRewarded) -> State:
    return _scored(state, event.seat, event.vp, VpSource.PATRON)


def monk_rewarded(state: State, event: MonkRewarded) -> State:
    player = state.players[event.seat]
    player = replace(player, limit=event.favor_limit, favor=player.favor + event.favor)
    return _changed(state, event.seat, player)


def royal_ship_launched(state: State, event: RoyalShipLaunched) -> State:
    player = replace(state.players[event.seat], royal=SHIP_INDEX[event.ship])
    return _changed(replace(state, choices=state.choices[1:]), event.seat, player)


def marker_placed(state: State, event: MarkerPlaced) -> State:
    at = SHORE_INDEX[event.shore]
    site = state.sites[at]
    if site is None:
        raise ValueError("no building stands there")
    marked = Site(site.building, (*site.markers, event.seat))
    return replace(
        state,
        clock=state.clock + 1,
        choices=state.choices[1:],
        sites=with_item(state.sites, at, marked),
    )


def mastery_claimed(state: State, event: MasteryClaimed) -> State:
    masteries = tuple(
        MasteryCard(card.mastery, (*card.claims, event.seat)) if card.mastery is event.mastery else card
        for card in state.masteries
    )
    state = replace(state, masteries=masteries)
    return _scored(state, event.seat, event.vp, VpSource.MASTERIES)
