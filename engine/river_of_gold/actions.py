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
    """The player takes one of the patrons that are offered; in the draft its clan comes with it (§9.1, §9.2)."""

    patron: PatronId
    """The patron, one of those in `offers` of the view."""


class SpendFavor(Action, frozen=True, kw_only=True, tag="spend_favor"):
    """The player pays 1 favor to turn the die by one face; 6 and 1 are neighbours (§3.1)."""

    direction: Direction
    """Which way the die is turned."""


class ExchangeGoods(Action, frozen=True, kw_only=True, tag="exchange_goods"):
    """The player gives 2 goods of one kind and takes 1 of another (§3.4)."""

    give: Good
    """The kind of the 2 goods that the player gives."""
    take: Good
    """The kind of the good that the player takes; another one, and not one that is at its cap (§1.4)."""


class ExchangeKoku(Action, frozen=True, kw_only=True, tag="exchange_koku"):
    """The player gives 5 koku and takes 1 favor (§3.4)."""


class Build(Action, frozen=True, kw_only=True, tag="build"):
    """The player puts a tile of the row on an empty shore space (§4)."""

    shore: ShoreId
    """The id of the shore space, in the region of the die (§4.1)."""
    building: BuildingId
    """The id of the tile, one of those in the building row (§4.3)."""


class Sail(Action, frozen=True, kw_only=True, tag="sail"):
    """The player moves one of the own ships downstream (§5.1)."""

    ship: ShipId
    """The ship that sails."""
    distance: Face
    """How many spaces the ship moves: the face of the die. With `noble_5` the royal ship may use the face above or below [A18]."""


class Deliver(Action, frozen=True, kw_only=True, tag="deliver"):
    """The player delivers to a customer of the hand (§6)."""

    customer: CustomerId
    """The customer card, in the region of the die (§6.1)."""


class ChooseGood(Action, frozen=True, kw_only=True, tag="choose_good"):
    """The player answers the open choice of a good (§11.1, §11.2)."""

    good: Good
    """The kind of good that the player gains; not one that is at its cap (§1.4)."""


class DiscardCustomer(Action, frozen=True, kw_only=True, tag="discard_customer"):
    """The player discards a card of the hand, face up (§6.4)."""

    customer: CustomerId
    """The customer card that is discarded."""


class ChooseRoyalShip(Action, frozen=True, kw_only=True, tag="choose_royal_ship"):
    """The player replaces one of the own ships by the royal ship, which stays on its space (§10.5)."""

    ship: ShipId
    """The ship that becomes the royal ship."""


class PlaceMarker(Action, frozen=True, kw_only=True, tag="place_marker"):
    """The player puts the second marker on a building, for a monk (§10.4)."""

    shore: ShoreId
    """The id of the shore space where the building stands."""


class TakeJourneyBonus(Action, frozen=True, kw_only=True, tag="take_journey_bonus"):
    """The player takes the bonus of a completed journey: 3 koku or 1 good (§5.4)."""

    good: Good | None = None
    """The kind of good that the player takes; absent for 3 koku."""


class UseMerchant(Action, frozen=True, kw_only=True, tag="use_merchant"):
    """The player uses a merchant for a completed journey now; `merchant_4` is used by `sell_goods` (§5.4, §10.3)."""

    customer: CustomerId
    """The merchant's card."""
    good: Good | None = None
    """The good of choice of `merchant_3`; absent for the others."""


class SellGoods(Action, frozen=True, kw_only=True, tag="sell_goods"):
    """The player uses `merchant_4` for a completed journey and sells goods for 5 koku each; selling none is allowed (§10.3)."""

    silk: _Count = 0
    """How many silk the player sells."""
    rice: _Count = 0
    """How many rice the player sells."""
    porcelain: _Count = 0
    """How many porcelain the player sells."""


class EndTurn(Action, frozen=True, kw_only=True, tag="end_turn"):
    """The player exchanges nothing more in this turn and ends it (§3.4)."""


class DeclineExchange(Action, frozen=True, kw_only=True, tag="decline_exchange"):
    """The player exchanges nothing more before the final scoring [F11], or lets the remaining bonuses of a journey lapse [F12]."""


class RollDie(Action, frozen=True, kw_only=True, tag="roll_die"):
    """The player of Kakita Ryoku rolls the die as everybody else does (§3.4)."""


class SetDie(Action, frozen=True, kw_only=True, tag="set_die"):
    """The player of Kakita Ryoku pays 1 favor and sets the die instead of rolling it (§9) [A23]."""

    face: Face
    """The face that the die shows then, 1 to 6."""


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
