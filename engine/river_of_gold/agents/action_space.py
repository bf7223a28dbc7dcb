"""Actions as numbers: every action of River of Gold has one index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import permutations, product
from typing import Any, Final

from engine.kernel.action_space import Listed, Word, name_of
from engine.kernel.legal import LegalActions
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
from engine.river_of_gold.box.board import COSTS, SHORES
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import (
    FACES,
    GOODS,
    KOKU_CAP,
    SALE_KOKU,
    SHIPS,
    BuildingSet,
    bag_of,
)
from engine.river_of_gold.box.ids import BuildingId, CustomerId, PatronId
from engine.river_of_gold.event_parts import Direction, JourneyBonus
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.rules.journeys import sales
from engine.river_of_gold.templates import SellGoodsTemplate
from engine.river_of_gold.view import RiverOfGoldView

_MAX_SOLD: Final = KOKU_CAP // SALE_KOKU
"""[F5] The most goods that can earn something in one sale."""
_ROW_BUILDINGS: Final = tuple(
    tile for tile in BuildingId if BUILDING[tile].set in {BuildingSet.ERA_1, BuildingSet.ERA_2}
)
"""§2.3 The tiles that can enter the row."""


class RiverOfGoldActionSpace:
    """The same for every number of seats and all options."""

    def __init__(self) -> None:
        self._all = tuple(_every_action())
        self._index: dict[RiverOfGoldAction, Word] = {
            action: (index,) for index, action in enumerate(self._all)
        }

    @cached_property
    def names(self) -> Sequence[str]:
        return [name_of(action) for action in self._all]

    @property
    def parts(self) -> Sequence[int]:
        return ()

    def choices(self, legal: LegalActions[RiverOfGoldAction, Any], _view: RiverOfGoldView, /) -> Listed:
        """Return the listed actions and every sale of the template by index; there are few enough sales for one index each."""
        index = self._index
        sold = (
            sale
            for template in legal.templates
            if isinstance(template, SellGoodsTemplate)
            for sale in sales(bag_of(template.owned), template.most)
        )
        return Listed({index[action]: action for action in (*legal.actions, *sold)})

    def word(self, action: RiverOfGoldAction, _view: RiverOfGoldView, /) -> Word:
        return self._index[action]


@cache
def action_space(_options: RiverOfGoldOptions, _seats: int) -> RiverOfGoldActionSpace:
    """Return the numbering of a match's actions."""
    return RiverOfGoldActionSpace()


def _every_action() -> Iterator[RiverOfGoldAction]:
    """§11 Yield every action that can ever be legal, in an order that is never changed."""
    yield from (ChoosePatron(patron=patron) for patron in PatronId)
    yield from (SpendFavor(direction=direction) for direction in Direction)
    yield from (ExchangeGoods(give=give, take=take) for give, take in permutations(GOODS, 2))
    yield ExchangeKoku()
    buildable = (shore for shore, cost in zip(SHORES, COSTS, strict=True) if cost is not None)
    yield from (Build(shore=shore, building=tile) for shore, tile in product(buildable, _ROW_BUILDINGS))
    yield from (Sail(ship=ship, distance=distance) for ship, distance in product(SHIPS, FACES))
    yield from (Deliver(customer=customer) for customer in CustomerId)
    yield from (ChooseGood(good=good) for good in GOODS)
    yield from (DiscardCustomer(customer=customer) for customer in CustomerId)
    yield from (ChooseRoyalShip(ship=ship) for ship in SHIPS)
    yield from (PlaceMarker(shore=shore) for shore in SHORES)
    yield from _journey_actions()
    yield EndTurn()
    yield RollDie()
    yield from (SetDie(face=face) for face in FACES)
    yield DeclineExchange()


def _journey_actions() -> Iterator[RiverOfGoldAction]:
    """§5.4, §10.3"""
    yield from (TakeJourneyBonus(good=good) for good in (None, *GOODS))
    for bonus in JourneyBonus:
        if bonus is JourneyBonus.MERCHANT_3:
            yield from (UseMerchant(customer=CustomerId.MERCHANT_3, good=good) for good in GOODS)
        elif bonus not in {JourneyBonus.KOKU_OR_GOOD, JourneyBonus.MERCHANT_4}:
            yield UseMerchant(customer=CustomerId(bonus.value))
    for silk, rice, porcelain in product(range(_MAX_SOLD + 1), repeat=len(GOODS)):
        if silk + rice + porcelain <= _MAX_SOLD:
            yield SellGoods(silk=silk, rice=rice, porcelain=porcelain)
