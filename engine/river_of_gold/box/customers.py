"""The 30 customer cards and what they order. Their effect depends on their type, for some types also on their number."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.river_of_gold.box.components import CustomerType, Goods, Region
from engine.river_of_gold.box.ids import CustomerId


class Ongoing(StrEnum):
    """What a delivered customer does from now on (§10)."""

    BUILD_DISCOUNT = "build_discount"
    """An artisan: the player builds in its region for 2 koku less."""
    JOURNEY_INFLUENCE = "journey_influence"
    """`merchant_1`: a journey brings 1 influence in each region with an own building."""
    JOURNEY_VP = "journey_vp"
    """`merchant_2`: a journey brings 1 VP for each delivered customer."""
    JOURNEY_GOOD = "journey_good"
    """`merchant_3`: a journey brings a good of choice."""
    JOURNEY_SALE = "journey_sale"
    """`merchant_4`: after a journey the player may sell any number of goods for 5 koku each."""
    JOURNEY_FAVOR = "journey_favor"
    """`merchant_5`: a journey brings 1 favor."""
    JOURNEY_KOKU = "journey_koku"
    """`merchant_6`: a journey brings 3 koku."""
    MARKED_BUILDING = "marked_building"
    """A monk: its second marker doubles the owner reward of a building, or shares it."""
    ROYAL_MARKET_GOODS = "royal_market_goods"
    """`noble_1`: each good gained as visitor of a market may be another one."""
    ROYAL_EMPTY_SPACES = "royal_empty_spaces"
    """`noble_2`: each empty space brings 1 koku more."""
    ROYAL_INFLUENCE = "royal_influence"
    """`noble_3`: a sail brings 1 influence in each region at the river space."""
    ROYAL_OPPONENT_VP = "royal_opponent_vp"
    """`noble_4`: a sail brings 1 VP if an opponent building was visited."""
    ROYAL_DIE = "royal_die"
    """`noble_5`: the royal ship may sail one face more or less than the die shows."""
    ROYAL_OWN_VP = "royal_own_vp"
    """`noble_6`: a sail brings 1 VP if an own building was visited."""


class Customer(msgspec.Struct, frozen=True, kw_only=True):
    """A customer card."""

    id: CustomerId
    type: CustomerType
    region: Region
    order: Goods
    """§6.2 What is paid to deliver to it."""
    ongoing: Ongoing | None = None
    """Elders have none."""


CUSTOMERS: Final = (
    Customer(
        id=CustomerId.ARTISAN_1,
        type=CustomerType.ARTISAN,
        region=1,
        order=Goods(porcelain=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ARTISAN_2,
        type=CustomerType.ARTISAN,
        region=2,
        order=Goods(porcelain=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ARTISAN_3,
        type=CustomerType.ARTISAN,
        region=3,
        order=Goods(silk=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ARTISAN_4,
        type=CustomerType.ARTISAN,
        region=4,
        order=Goods(silk=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ARTISAN_5,
        type=CustomerType.ARTISAN,
        region=5,
        order=Goods(rice=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ARTISAN_6,
        type=CustomerType.ARTISAN,
        region=6,
        order=Goods(rice=2),
        ongoing=Ongoing.BUILD_DISCOUNT,
    ),
    Customer(
        id=CustomerId.ELDER_1, type=CustomerType.ELDER, region=1, order=Goods(silk=2, rice=1, porcelain=2)
    ),
    Customer(
        id=CustomerId.ELDER_2, type=CustomerType.ELDER, region=2, order=Goods(silk=2, rice=2, porcelain=1)
    ),
    Customer(
        id=CustomerId.ELDER_3, type=CustomerType.ELDER, region=3, order=Goods(silk=2, rice=1, porcelain=2)
    ),
    Customer(
        id=CustomerId.ELDER_4, type=CustomerType.ELDER, region=4, order=Goods(silk=2, rice=2, porcelain=1)
    ),
    Customer(
        id=CustomerId.ELDER_5, type=CustomerType.ELDER, region=5, order=Goods(silk=2, rice=1, porcelain=2)
    ),
    Customer(
        id=CustomerId.ELDER_6, type=CustomerType.ELDER, region=6, order=Goods(silk=2, rice=1, porcelain=2)
    ),
    Customer(
        id=CustomerId.MERCHANT_1,
        type=CustomerType.MERCHANT,
        region=1,
        order=Goods(porcelain=3),
        ongoing=Ongoing.JOURNEY_INFLUENCE,
    ),
    Customer(
        id=CustomerId.MERCHANT_2,
        type=CustomerType.MERCHANT,
        region=2,
        order=Goods(rice=3),
        ongoing=Ongoing.JOURNEY_VP,
    ),
    Customer(
        id=CustomerId.MERCHANT_3,
        type=CustomerType.MERCHANT,
        region=3,
        order=Goods(silk=3),
        ongoing=Ongoing.JOURNEY_GOOD,
    ),
    Customer(
        id=CustomerId.MERCHANT_4,
        type=CustomerType.MERCHANT,
        region=4,
        order=Goods(silk=2, rice=1),
        ongoing=Ongoing.JOURNEY_SALE,
    ),
    Customer(
        id=CustomerId.MERCHANT_5,
        type=CustomerType.MERCHANT,
        region=5,
        order=Goods(rice=2, porcelain=1),
        ongoing=Ongoing.JOURNEY_FAVOR,
    ),
    Customer(
        id=CustomerId.MERCHANT_6,
        type=CustomerType.MERCHANT,
        region=6,
        order=Goods(silk=1, rice=2),
        ongoing=Ongoing.JOURNEY_KOKU,
    ),
    Customer(
        id=CustomerId.MONK_1,
        type=CustomerType.MONK,
        region=1,
        order=Goods(silk=1, rice=2, porcelain=1),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.MONK_2,
        type=CustomerType.MONK,
        region=2,
        order=Goods(silk=3, rice=2),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.MONK_3,
        type=CustomerType.MONK,
        region=3,
        order=Goods(silk=2, rice=1, porcelain=1),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.MONK_4,
        type=CustomerType.MONK,
        region=4,
        order=Goods(silk=1, rice=1, porcelain=3),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.MONK_5,
        type=CustomerType.MONK,
        region=5,
        order=Goods(silk=1, rice=2, porcelain=1),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.MONK_6,
        type=CustomerType.MONK,
        region=6,
        order=Goods(silk=1, rice=2, porcelain=2),
        ongoing=Ongoing.MARKED_BUILDING,
    ),
    Customer(
        id=CustomerId.NOBLE_1,
        type=CustomerType.NOBLE,
        region=1,
        order=Goods(silk=1, rice=1, porcelain=2),
        ongoing=Ongoing.ROYAL_MARKET_GOODS,
    ),
    Customer(
        id=CustomerId.NOBLE_2,
        type=CustomerType.NOBLE,
        region=2,
        order=Goods(silk=2, porcelain=2),
        ongoing=Ongoing.ROYAL_EMPTY_SPACES,
    ),
    Customer(
        id=CustomerId.NOBLE_3,
        type=CustomerType.NOBLE,
        region=3,
        order=Goods(silk=2, rice=1, porcelain=1),
        ongoing=Ongoing.ROYAL_INFLUENCE,
    ),
    Customer(
        id=CustomerId.NOBLE_4,
        type=CustomerType.NOBLE,
        region=4,
        order=Goods(silk=2, rice=2),
        ongoing=Ongoing.ROYAL_OPPONENT_VP,
    ),
    Customer(
        id=CustomerId.NOBLE_5,
        type=CustomerType.NOBLE,
        region=5,
        order=Goods(rice=2, porcelain=2),
        ongoing=Ongoing.ROYAL_DIE,
    ),
    Customer(
        id=CustomerId.NOBLE_6,
        type=CustomerType.NOBLE,
        region=6,
        order=Goods(silk=1, rice=2, porcelain=1),
        ongoing=Ongoing.ROYAL_OWN_VP,
    ),
)
CUSTOMER: Final = {customer.id: customer for customer in CUSTOMERS}
