"""§6, §10 Deliver to a customer: pay the order, resolve the ability, draw and discard.

§6 Deliver. The player gives goods to a customer from the hand, who brings an ability, and draws new customers.

§6.1 Which customer. The customer is a card of the hand whose region the die shows.

§6.2 Paying the order. The player pays exactly the goods that the customer orders. Without all of them the customer
cannot be chosen.

§6.3 Ability. The card is put face up before the player and its ability for the delivery is resolved (§10). From now
on its lasting ability works, and it counts at the end.

§10 Customers. There are five types of customers: artisans, elders, merchants, monks and nobles, with one card of each
type for every region. Each has an ability for the delivery; most have one that lasts, one for the end, or both.

§10.1 Artisans. Delivering brings 2 influence in the region and a marker there: from now on the player builds in it
for 2 koku less. At the end each artisan scores 1 VP for every 3 goods held.

§10.2 Elders. Delivering puts a marker on the elder space of the region. At the end it doubles what the region's
scoring tile brings the player (§8.5).

§10.4 Monks. Delivering raises the favor limit by 1, then brings 2 favor [A6]. Then a second marker must go on a
building with exactly one, in any region: `monk_1`, `monk_3` and `monk_5` on an own building, the others on an
opponent building. If there is none, nothing is placed [A14]. From now on the owner rewards of an own building with
both markers come twice; an opponent's building rewards both owners.

§10.5 Nobles. Delivering brings 2 influence in the region; the first noble also replaces one own ship by the royal
ship. Whenever the royal ship sails, all delivered nobles work: goods of choice from markets (`noble_1`), 1 more koku
from empty spaces (`noble_2`), 1 influence in each region at the river space (`noble_3`), 1 VP for visiting an
opponent building (`noble_4`) or an own one (`noble_6`), one face more or less on the die (`noble_5`). At the end each
noble scores own markets, ports, manors, shrines, types of buildings, or regions with a building: 1 VP for each.
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ChooseRoyalShip, Deliver, PlaceMarker
from engine.river_of_gold.box.board import SHORE_INDEX
from engine.river_of_gold.box.components import (
    ARTISAN_INFLUENCE,
    DRAWN_PER_DELIVERY,
    FAVOR_LIMIT_MAX,
    GOODS,
    MERCHANT_INFLUENCE,
    MONK_FAVOR,
    NOBLE_INFLUENCE,
    CustomerType,
    bag_of,
)
from engine.river_of_gold.box.customers import CUSTOMER, Customer
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.box.patrons import KUDAKA, KUDAKA_VP, YORITOMO
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import Choice, ChoiceKind, ChoiceSource, InfluenceSource
from engine.river_of_gold.events import ChoiceOpened
from engine.river_of_gold.gain_events import (
    CustomerDelivered,
    MarkerPlaced,
    MonkRewarded,
    PatronRewarded,
    RoyalShipLaunched,
)
from engine.river_of_gold.rules.cards import draw_cards
from engine.river_of_gold.rules.choices import open_choices
from engine.river_of_gold.rules.holdings import OWN_BUILDING_MONKS, marker_targets
from engine.river_of_gold.rules.influence import advance
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Player, State

_INFLUENCE = {
    CustomerType.ARTISAN: ARTISAN_INFLUENCE,
    CustomerType.MERCHANT: MERCHANT_INFLUENCE,
    CustomerType.NOBLE: NOBLE_INFLUENCE,
}


def deliver(turn: Turn, seat: Seat, action: Deliver) -> None:
    """§6.1 to §6.3"""
    player = turn.state.players[seat]
    customer = CUSTOMER[action.customer]
    _check(player, customer)
    turn.record(CustomerDelivered(seat=seat, customer=action.customer, paid=customer.order))
    if player.patron is KUDAKA and _is_first_here(player, customer):
        turn.record(PatronRewarded(seat=seat, patron=KUDAKA, vp=KUDAKA_VP))
    if customer.type is CustomerType.NOBLE and player.royal is None:
        turn.record(ChoiceOpened(choice=_choice(seat, ChoiceKind.ROYAL_SHIP, customer)))


def _is_first_here(player: Player, customer: Customer) -> bool:
    """[A24] Return whether the player had delivered to nobody of this customer's region."""
    return all(CUSTOMER[card].region != customer.region for card in player.delivered)


def _check(player: Player, customer: Customer) -> None:
    name = customer.id.value
    if customer.id not in player.hand:
        raise RuleViolation(Code.CUSTOMER_NOT_IN_HAND, rule="6.1", field="customer", customer=name)
    if customer.region != player.die and player.patron is not YORITOMO:
        raise RuleViolation(
            Code.CUSTOMER_OF_OTHER_REGION,
            rule="6.1",
            field="customer",
            customer=name,
            region=customer.region,
            die=player.die,
        )
    if not can_pay(player, customer):
        missing = missing_goods(player, customer)
        raise RuleViolation(
            Code.ORDER_NOT_PAYABLE, rule="6.2", field="customer", customer=name, goods=missing
        )


def can_pay(player: Player, customer: Customer) -> bool:
    """§6.2 Return whether there are enough goods of every kind."""
    silk, rice, porcelain = player.goods
    order = customer.order
    return silk >= order.silk and rice >= order.rice and porcelain >= order.porcelain


def missing_goods(player: Player, customer: Customer) -> tuple[str, ...]:
    """§6.2 Return the kinds of goods there are not enough of."""
    return tuple(
        [
            good.value
            for good, wanted, there in zip(GOODS, bag_of(customer.order), player.goods, strict=True)
            if wanted > there
        ]
    )


def deliveries(player: Player) -> list[Deliver]:
    """§6.1, §6.2 Return the customers in hand that can be delivered to now."""
    return [
        Deliver(customer=card)
        for card in player.hand
        if (player.patron is YORITOMO or CUSTOMER[card].region == player.die)
        and can_pay(player, CUSTOMER[card])
    ]


def resolve_ability(turn: Turn, seat: Seat) -> None:
    """§6.3, §10 Resolve the ability. Markers of artisans, elders and merchants follow from the delivered card itself."""
    customer = CUSTOMER[delivering(turn.state)]
    if customer.type is CustomerType.MONK:
        _bless(turn, seat, customer)
        return
    influence = _INFLUENCE.get(customer.type)
    if influence is not None:
        opened = advance(
            turn, seat, customer.region, influence, InfluenceSource.DELIVERY, customer=customer.id
        )
        open_choices(turn, opened)


def _bless(turn: Turn, seat: Seat, monk: Customer) -> None:
    """§10.4 [A6] Raise the limit, then gain favor, then open the choice of the marker's building, if there is one [A14]."""
    player = turn.state.players[seat]
    limit = min(player.limit + 1, FAVOR_LIMIT_MAX)
    favor = min(MONK_FAVOR, limit - player.favor)
    turn.record(MonkRewarded(seat=seat, customer=monk.id, favor_limit=limit, favor=favor))
    choice = _choice(seat, ChoiceKind.MARKER, monk)
    if marker_targets(turn.state, choice):
        turn.record(ChoiceOpened(choice=choice))


def choose_royal_ship(turn: Turn, seat: Seat, action: ChooseRoyalShip) -> None:
    """§10.5 Make either ship the royal ship, in place."""
    turn.record(RoyalShipLaunched(seat=seat, ship=action.ship))


def place_marker(turn: Turn, seat: Seat, action: PlaceMarker) -> None:
    """§10.4 Put a second marker on a building with exactly one, in any region; it brings no influence."""
    state, shore = turn.state, action.shore.value
    choice = state.choices[0]
    site = state.sites[SHORE_INDEX[action.shore]]
    if site is None:
        raise RuleViolation(Code.NO_BUILDING_THERE, rule="10.4", field="shore", shore=shore)
    if len(site.markers) != 1:
        raise RuleViolation(
            Code.BUILDING_NOT_SINGLY_MARKED,
            rule="10.4",
            field="shore",
            shore=shore,
            markers=len(site.markers),
        )
    if (site.markers[0] == seat) != (choice.customer in OWN_BUILDING_MONKS):
        own = choice.customer in OWN_BUILDING_MONKS
        code = Code.BUILDING_NOT_OWN if own else Code.BUILDING_NOT_OPPONENTS
        raise RuleViolation(code, rule="10.4", field="shore", shore=shore)
    turn.record(
        MarkerPlaced(seat=seat, shore=action.shore, building=site.building, customer=delivering(state))
    )


def draw_for_delivery(turn: Turn, seat: Seat, chance: Chance) -> None:
    """§6.4 Draw two cards; then one card of the hand must be discarded, if there were two to draw [A11]."""
    if draw_cards(turn, seat, DRAWN_PER_DELIVERY, chance):
        customer = CUSTOMER[delivering(turn.state)]
        turn.record(ChoiceOpened(choice=_choice(seat, ChoiceKind.DISCARD, customer)))


def delivering(state: State) -> CustomerId:
    """Return the customer of this turn's delivery."""
    if state.delivering is None:
        raise TypeError("nothing was delivered in this turn")
    return state.delivering


def _choice(seat: Seat, kind: ChoiceKind, customer: Customer) -> Choice:
    return Choice(seat=seat, kind=kind, source=ChoiceSource.DELIVERY, customer=customer.id)
