"""The kinds, counts and limits of the game, each with its paragraph; spaces, tiles and cards have files of their own.

§1 What the game consists of. River of Gold is for 2 to 4 players, who sail a river through six regions, build on its
shores and deliver goods to customers. Whoever has most victory points (VP) at the end wins.

§1.3 Goods, koku and favor. The goods are silk, rice and porcelain; koku are the money. A player holds divine favor up
to a limit of the player's own.

§1.4 Caps. A player holds at most 25 koku, 6 goods of each kind, and favor up to the own limit. The limit begins at 3,
rises by 1 with every delivered monk, and ends at 6 [A30]. Whatever would go beyond a cap is lost.

§1.8 Supply. Goods, koku and markers never run out [A28] [A29].
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import msgspec

Region = int
"""§1.1 A region's number, 1 to 6: the face of the die that names it."""
RegionNumber = Annotated[int, msgspec.Meta(ge=1, le=6)]
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
"""A face of the die."""


class Good(StrEnum):
    """The kinds of goods (§1.3)."""

    SILK = "silk"
    """Silk, which regions 3 and 6 give on their tracks (§4.6)."""
    RICE = "rice"
    """Rice, which regions 2 and 5 give on their tracks (§4.6)."""
    PORCELAIN = "porcelain"
    """Porcelain, which regions 1 and 4 give on their tracks (§4.6)."""


class BuildingType(StrEnum):
    """§1.5"""

    PORT = "port"
    SHRINE = "shrine"
    MANOR = "manor"
    MARKET = "market"


class BuildingSet(StrEnum):
    """Where a building comes from (§2.1)."""

    ERA_1 = "era_1"
    """The tile is of the first era."""
    ERA_2 = "era_2"
    """The tile is of the second era."""
    STARTING = "starting"
    """The tile lies on the board from the start, with 2 or 3 players."""
    IMPERIAL_MARKET = "imperial_market"
    """The tile is one of the three imperial markets, which lie on the board from the start."""


class CustomerType(StrEnum):
    """§10"""

    ARTISAN = "artisan"
    ELDER = "elder"
    MERCHANT = "merchant"
    MONK = "monk"
    NOBLE = "noble"


class Clan(StrEnum):
    """The clans (§2.5)."""

    CRAB = "crab"
    """The Crab, blue."""
    MANTIS = "mantis"
    """The Mantis, green."""
    CRANE = "crane"
    """The Crane, white."""
    SCORPION = "scorpion"
    """The Scorpion, red."""


class ShipId(StrEnum):
    """The two ships of a player, named after the spaces where they began (§2.5)."""

    UPSTREAM = "upstream"
    """The ship that began on `river_01`."""
    MIDSTREAM = "midstream"
    """The ship that began on `river_08`."""


class PatronMode(StrEnum):
    """How clan patrons are given out (§9)."""

    NONE = "none"
    """The match is played without patrons."""
    DRAFT = "draft"
    """One patron of each clan lies open, and the last player in turn order takes one first (§9.1)."""
    CHOICE_OF_TWO = "choice_of_two"
    """Everybody has a clan and takes one of its two patrons (§9.2)."""


class Goods(msgspec.Struct, frozen=True, kw_only=True):
    """How many goods of each kind there are. A kind that is left out is 0."""

    silk: int = 0
    """How many silk there are."""
    rice: int = 0
    """How many rice there are."""
    porcelain: int = 0
    """How many porcelain there are."""


Bag = tuple[int, int, int]
"""How many of each good, in the order of `GOODS`."""

SEAT_COUNTS: Final = (2, 3, 4)
MAX_SEATS: Final = 4
REGIONS: Final = (1, 2, 3, 4, 5, 6)
FACES: Final = (1, 2, 3, 4, 5, 6)
GOODS: Final = tuple(Good)
GOOD_INDEX: Final[dict[str, int]] = {good.value: index for index, good in enumerate(GOODS)}
BUILDING_TYPES: Final = tuple(BuildingType)
CLANS: Final = tuple(Clan)
SHIPS: Final = tuple(ShipId)
SHIP_INDEX: Final[dict[str, int]] = {ship.value: index for index, ship in enumerate(SHIPS)}

# §1.4, §1.6 Limits
KOKU_CAP: Final = 25
GOOD_CAP: Final = 6
FAVOR_LIMIT_START: Final = 3
FAVOR_LIMIT_MAX: Final = 6
"""[A30]"""
MARKERS_PER_BUILDING: Final = 2

# §2 Setup
MARKET_COUNT: Final = 3
STARTING_COUNTS: Final = {2: 6, 3: 3, 4: 0}
ERA_1_COUNTS: Final = {2: 12, 3: 14, 4: 16}
"""§2.1 Before the row is filled."""
ERA_2_COUNTS: Final = {2: 9, 3: 11, 4: 13}
ROW_SLOTS: Final = 4
"""§2.3 Slot 1 is the start, slot 4 the end."""
MASTERIES_IN_PLAY: Final = 3
START_KOKU: Final = (7, 8, 9, 10)
"""§2.6 By place in the turn order."""
START_GOODS: Final[Bag] = (1, 1, 1)
START_FAVOR: Final = 2
HAND_SIZE: Final = 2

# §3 Turn
EXCHANGE_GOODS: Final = 2
"""Goods of one kind for 1 of another kind."""
EXCHANGE_KOKU: Final = 5
"""Koku for 1 favor."""

# §4, §5, §6
END_SLOT_FAVOR: Final = 1
"""§4.3"""
ARTISAN_DISCOUNT: Final = 2
"""§4.2, §10.1"""
EMPTY_SPACE_KOKU: Final = 1
"""§5.2"""
JOURNEY_KOKU: Final = 3
"""§5.4"""
DRAWN_PER_DELIVERY: Final = 2
"""§6.4"""

# §8 The end
TRIGGER_VP: Final = 5
"""[A9]"""
TWO_PLAYER_GAP: Final = 5
"""§8.5 How many spaces the second of two players may be behind."""
CUSTOMER_VP: Final = (0, 2, 5, 9, 14, 20, 27)
"""§8.5 By number of delivered customers; more than six count as six."""
GOODS_PER_VP: Final = 3
"""§10.1"""
KOKU_PER_VP: Final = 5
"""§10.3"""

# §10 Customers
ARTISAN_INFLUENCE: Final = 2
MERCHANT_INFLUENCE: Final = 3
NOBLE_INFLUENCE: Final = 2
MONK_FAVOR: Final = 2
MERCHANT_KOKU: Final = 3
"""`merchant_6`"""
SALE_KOKU: Final = 5
"""`merchant_4`, for each good."""


def goods_of(bag: Bag) -> Goods:
    """Return a bag as `Goods`, the form in which it is sent."""
    return Goods(silk=bag[0], rice=bag[1], porcelain=bag[2])


def bag_of(goods: Goods) -> Bag:
    """Return `Goods`, the form in which they are sent, as a bag."""
    return (goods.silk, goods.rice, goods.porcelain)
