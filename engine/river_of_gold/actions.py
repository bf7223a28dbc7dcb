"""The actions a seat can send."""

from __future__ import annotations

from typing import Annotated

import msgspec

from engine.kernel.records import Action
from engine.river_of_gold.box.components import GOOD_CAP, Face, Good, ShipId
from engine.river_of_gold.box.ids import BuildingId, CustomerId, PatronId, ShoreId
from engine.river_of_gold.event_parts import Direction

_Count = Annotated[int, msgspec.Meta(ge=0, le=GOOD_CAP)]


class ChoosePatron(Action, frozen=True, kw_only=True, tag="choose_patron"):
    """§9.1, §9.2 Take one of the patrons that are offered; in the draft its clan comes with it."""

    patron: PatronId


class SpendFavor(Action, frozen=True, kw_only=True, tag="spend_favor"):
    """§3.1 Pay 1 favor to turn the die by one; 6 and 1 are neighbours."""

    direction: Direction


class ExchangeGoods(Action, frozen=True, kw_only=True, tag="exchange_goods"):
    """§3.4 Give 2 goods of one kind for 1 of another."""

    give: Good
    take: Good


class ExchangeKoku(Action, frozen=True, kw_only=True, tag="exchange_koku"):
    """§3.4 Give 5 koku for 1 favor."""


class Build(Action, frozen=True, kw_only=True, tag="build"):
    """§4 Put a tile of the row on an empty shore space."""

    shore: ShoreId
    building: BuildingId


class Sail(Action, frozen=True, kw_only=True, tag="sail"):
    """§5.1 Move a ship downstream."""

    ship: ShipId
    distance: Face
    """The face of the die; with `noble_5` the royal ship may use the face above or below [A18]."""


class Deliver(Action, frozen=True, kw_only=True, tag="deliver"):
    """§6 Deliver to a customer in hand."""

    customer: CustomerId


class ChooseGood(Action, frozen=True, kw_only=True, tag="choose_good"):
    """§11.1, §11.2 Answer the open choice of a good."""

    good: Good


class DiscardCustomer(Action, frozen=True, kw_only=True, tag="discard_customer"):
    """§6.4 Discard a card from the hand, face up."""

    customer: CustomerId


class ChooseRoyalShip(Action, frozen=True, kw_only=True, tag="choose_royal_ship"):
    """§10.5 Replace this ship by the royal ship, in place."""

    ship: ShipId


class PlaceMarker(Action, frozen=True, kw_only=True, tag="place_marker"):
    """§10.4 Put the second marker on the building of this shore space."""

    shore: ShoreId


class TakeJourneyBonus(Action, frozen=True, kw_only=True, tag="take_journey_bonus"):
    """§5.4 The bonus of a completed journey: 3 koku or 1 good."""

    good: Good | None = None
    """Absent: 3 koku."""


class UseMerchant(Action, frozen=True, kw_only=True, tag="use_merchant"):
    """§5.4, §10.3 Resolve a merchant of a completed journey now; `merchant_4` is resolved by `sell_goods`."""

    customer: CustomerId
    good: Good | None = None
    """The good of choice of `merchant_3`; absent for the others."""


class SellGoods(Action, frozen=True, kw_only=True, tag="sell_goods"):
    """§10.3 Resolve `merchant_4`: sell these goods for 5 koku each; none at all is allowed."""

    silk: _Count = 0
    rice: _Count = 0
    porcelain: _Count = 0


class EndTurn(Action, frozen=True, kw_only=True, tag="end_turn"):
    """§3.4 Exchange nothing more in this turn."""


class DeclineExchange(Action, frozen=True, kw_only=True, tag="decline_exchange"):
    """[F11] [F12] Exchange nothing more before the final scoring, or let a journey's bonuses lapse."""


class RollDie(Action, frozen=True, kw_only=True, tag="roll_die"):
    """§3.4 Kakita Ryoku: roll the die as everybody else does."""


class SetDie(Action, frozen=True, kw_only=True, tag="set_die"):
    """§9 Kakita Ryoku: pay 1 favor to set the die instead of rolling it [A23]."""

    face: Face


RiverOfGoldAction = (
    ChoosePatron
    | SpendFavor
    | ExchangeGoods
    | ExchangeKoku
    | Build
    | Sail
    | Deliver
    | ChooseGood
    | DiscardCustomer
    | ChooseRoyalShip
    | PlaceMarker
    | TakeJourneyBonus
    | UseMerchant
    | SellGoods
    | EndTurn
    | RollDie
    | SetDie
    | DeclineExchange
)
