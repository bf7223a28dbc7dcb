"""How actions are presented to the seat that chooses.

Everything to touch is a place or a piece by the ids of `places.py`: first what is used, then where it goes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.kernel.hints import Cost, Hint
from engine.kernel.layout import on_mat
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
from engine.river_of_gold.box.board import RIVERS, SHORE_INDEX, downstream
from engine.river_of_gold.box.components import EXCHANGE_GOODS, EXCHANGE_KOKU, GOODS, Face
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.box.patrons import RYOKU_FAVOR
from engine.river_of_gold.event_parts import Direction
from engine.river_of_gold.layout.groups import ActionGroup
from engine.river_of_gold.layout.places import FAVOR, KOKU, die_face, ship_piece
from engine.river_of_gold.rules.favor import turned
from engine.river_of_gold.view import RiverOfGoldView

_STEPS: Final = {Direction.UP: 1, Direction.DOWN: -1}
_END: Final = Hint(group=ActionGroup.END)
_ROLL: Final = Hint(group=ActionGroup.DIE)


def hint(view: RiverOfGoldView, action: RiverOfGoldAction) -> Hint:
    """Return how a legal action is presented to the seat whose view it is."""
    seat = view.pending[0].seat
    match action:
        case Build():
            cost = view.shores[SHORE_INDEX[action.shore]].your_cost or 0
            return Hint(
                group=ActionGroup.BUILD, targets=(action.building, action.shore), cost=_paid((KOKU, cost))
            )
        case Sail():
            return _sail(view, seat, action)
        case Deliver():
            return _deliver(action.customer)
        case ChoosePatron():
            return _choose(action.patron)
        case DiscardCustomer():
            return _choose(action.customer)
        case PlaceMarker():
            return _choose(action.shore)
        case ChooseRoyalShip():
            return _choose(ship_piece(seat, action.ship, royal=False))
        case ChooseGood():
            return _choose(on_mat(action.good, seat))
        case _:
            return _between_actions(view, seat, action)


def _between_actions(
    view: RiverOfGoldView,
    seat: Seat,
    action: SpendFavor
    | SetDie
    | RollDie
    | ExchangeGoods
    | ExchangeKoku
    | TakeJourneyBonus
    | UseMerchant
    | SellGoods
    | EndTurn
    | DeclineExchange,
) -> Hint:
    match action:
        case SpendFavor():
            return _die(seat, turned(view.seats[seat].die or 1, _STEPS[action.direction]), 1)
        case SetDie():
            return _die(seat, action.face, RYOKU_FAVOR)
        case RollDie():
            return _ROLL
        case ExchangeGoods():
            return _exchange(seat, action.give, EXCHANGE_GOODS, action.take)
        case ExchangeKoku():
            return _exchange(seat, KOKU, EXCHANGE_KOKU, FAVOR)
        case TakeJourneyBonus():
            return _journey(seat, None, KOKU if action.good is None else action.good)
        case UseMerchant():
            return _journey(seat, action.customer, action.good)
        case SellGoods():
            sold = tuple((good.value, int(getattr(action, good))) for good in GOODS)
            targets = (CustomerId.MERCHANT_4, *(on_mat(good, seat) for good, number in sold if number))
            return Hint(group=ActionGroup.JOURNEY, targets=targets, cost=_paid(*sold))
        case EndTurn() | DeclineExchange():
            return _END


@lru_cache(maxsize=1024)
def _cost(resource: str, amount: int) -> Cost:
    return Cost(resource=resource, amount=amount)


def _paid(*amounts: tuple[str, int]) -> tuple[Cost, ...]:
    """Return what is paid; resources of which nothing is paid are left out."""
    return tuple([_cost(resource, amount) for resource, amount in amounts if amount])


def _sail(view: RiverOfGoldView, seat: Seat, action: Sail) -> Hint:
    """§5.1 Return the hint: the ship, then the river space where it arrives."""
    for river, space in enumerate(view.river):
        for ship in space.ships:
            if ship.seat == seat and ship.ship is action.ship:
                end, _ = downstream(river, action.distance)
                piece = ship_piece(seat, ship.ship, royal=ship.royal)
                return Hint(group=ActionGroup.SAIL, targets=(piece, RIVERS[end]))
    raise LookupError(f"seat {seat} has no {action.ship} ship in this view")


@lru_cache(maxsize=1024)
def _deliver(customer: CustomerId) -> Hint:
    """§6.2 Return the hint: the card, and its order as the cost."""
    order = CUSTOMER[customer].order
    cost = _paid(*((good.value, getattr(order, good)) for good in GOODS))
    return Hint(group=ActionGroup.DELIVER, targets=(customer.value,), cost=cost)


@lru_cache(maxsize=1024)
def _choose(target: str) -> Hint:
    return Hint(group=ActionGroup.CHOOSE, targets=(target,))


@lru_cache(maxsize=1024)
def _die(seat: Seat, face: Face, favor: int) -> Hint:
    """§3.1 Return the hint: the place of the face that the die shows then."""
    return Hint(group=ActionGroup.DIE, targets=(on_mat(die_face(face), seat),), cost=_paid((FAVOR, favor)))


@lru_cache(maxsize=1024)
def _exchange(seat: Seat, give: str, number: int, take: str) -> Hint:
    """§3.4 Return the hint: what is given, then what is taken."""
    targets = (on_mat(give, seat), on_mat(take, seat))
    return Hint(group=ActionGroup.EXCHANGE, targets=targets, cost=_paid((give, number)))


@lru_cache(maxsize=1024)
def _journey(seat: Seat, customer: CustomerId | None, gained: str | None) -> Hint:
    """§5.4 Return the hint: the merchant, if it is one, then what the player chooses to gain, if it is chosen."""
    targets = () if customer is None else (customer.value,)
    return Hint(
        group=ActionGroup.JOURNEY,
        targets=targets if gained is None else (*targets, on_mat(gained, seat)),
    )
