"""What is in the box: goods, pieces, tiles, palaces and favors, and every count and limit with its paragraph.

§1 What the game consists of. Al-Rashid is for 2 to 5 players. Each leads a family of pashas, merchants and sages who
visit six palaces in the city and trade on seven territories. The match lasts five turns; whoever has most points at
the end wins.

§1.2 Family and reserve. A player's family is every pasha, merchant and sage that belongs to the player, on the board
or off it. The reserve is the part of the family that is off the board. A family has at most 3 pashas, 4 merchants and
6 sages.

§1.3 Box and supply. Pieces that belong to nobody yet lie in the box. Goods, credit notes, influence and dishonor
markers come from the supply and go back to it; it never runs out [R27].

§1.4 Goods. There are five kinds of goods. Hardwood, pottery and metals are common, spices and silk are rare. A credit
note is not a good [R17].

§2.3 Mercenary tiles. There are 32 red tiles, for fights on land, and 32 blue ones, for fights at sea. Each colour has
8 tiles of value 2, 16 of value 3 and 8 of value 4. Each colour has a stack of its own, face down, whose order nobody
knows.
"""

from __future__ import annotations

from enum import StrEnum
from operator import add, sub
from typing import Annotated, Final, NewType

import msgspec

AreaId = NewType("AreaId", str)
"""One of the 13 places (§1.1): a palace or a territory."""
OfficeId = NewType("OfficeId", str)
"""One of the 32 offices (§10)."""

MAX_NAME: Final = 40
"""The greatest length of an id in a request."""
MAX_COUNT: Final = 1000
"""The greatest number of a kind in a bag of a request."""


Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]


class Good(StrEnum):
    """The kinds of goods (§1.4). A credit note is not a good [R17]."""

    HARDWOOD = "hardwood"
    """Hardwood is a common good."""
    POTTERY = "pottery"
    """Pottery is a common good."""
    METALS = "metals"
    """Metals are a common good."""
    SPICES = "spices"
    """Spices are a rare good."""
    SILK = "silk"
    """Silk is a rare good."""


class Piece(StrEnum):
    """The kinds of pieces of a family (§1.2)."""

    PASHA = "pasha"
    """A pasha counts 5 for dominance; a family has at most 3."""
    MERCHANT = "merchant"
    """A merchant counts 3 for dominance; a family has at most 4."""
    SAGE = "sage"
    """A sage counts 1 for dominance; a family has at most 6."""


class Colour(StrEnum):
    """The colour of a mercenary tile: red fights on land, blue at sea (§2.3)."""

    RED = "red"
    """Red tiles fight on land; there are 32."""
    BLUE = "blue"
    """Blue tiles fight at sea; there are 32."""


class Favor(StrEnum):
    """What the heads of the guild palaces do for a visitor (§7.7)."""

    FAVORITE = "favorite"
    """The Favorite of the Spies costs 1 and does another favor, which then costs nothing more [R18]."""
    GENERAL = "general"
    """The General of the Military costs 0: the visitor gives a good and draws a mercenary of a colour of choice [R19]."""
    COURT_SCHOLAR = "court_scholar"
    """The Court Scholar of the Culture guild costs 2 and gives a credit note."""
    VIZIER = "vizier"
    """The Vizier of the Mercantile guild costs 0 and swaps a good for one of another kind."""
    QADI = "qadi"
    """The Qadi of the Political guild costs 1 and gives an influence marker."""


class Service(StrEnum):
    """What a guild does for a visitor (§7.5)."""

    SPY_MOVES = "spy_moves"
    """The Spies give 3, 2 or 1 moves, by rank (§7.6)."""
    RECRUIT_MERCENARIES = "recruit_mercenaries"
    """The Military lets the visitor draw 3, 2 or 1 tiles, by rank [R14]."""
    TRAIN_SAGE = "train_sage"
    """The Culture guild gives a sage for 5, 7 or 9, by rank."""
    TRAIN_MERCHANT = "train_merchant"
    """The Mercantile guild gives a merchant for 8, 10 or 12, by rank."""
    TRAIN_PASHA = "train_pasha"
    """The Political guild gives a pasha for 11, 13 or 15, by rank."""


class Goods(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many goods of each kind there are. A kind that is left out is 0."""

    hardwood: Count = 0
    """How many hardwood there are (a common good)."""
    pottery: Count = 0
    """How many pottery there are (a common good)."""
    metals: Count = 0
    """How many metals there are (a common good)."""
    spices: Count = 0
    """How many spices there are (a rare good)."""
    silk: Count = 0
    """How many silk there are (a rare good)."""


class Squad(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many mercenary tiles there are of each colour and value. A kind that is left out is 0."""

    red_2: Count = 0
    """How many red tiles of value 2 there are."""
    red_3: Count = 0
    """How many red tiles of value 3 there are."""
    red_4: Count = 0
    """How many red tiles of value 4 there are."""
    blue_2: Count = 0
    """How many blue tiles of value 2 there are."""
    blue_3: Count = 0
    """How many blue tiles of value 3 there are."""
    blue_4: Count = 0
    """How many blue tiles of value 4 there are."""


Bag = tuple[int, ...]
"""How many of each good, in the order of `GOODS`."""
Tiles = tuple[int, ...]
"""How many of each kind of mercenary tile: red 2, 3, 4, blue 2, 3, 4."""

GOODS: Final = tuple(Good)
GOOD_INDEX: Final[dict[str, int]] = {good.value: index for index, good in enumerate(GOODS)}
ONE_GOOD: Final[dict[Good, Bag]] = {good: tuple([int(each is good) for each in GOODS]) for good in GOODS}
"""A bag with one good of the kind."""
COMMON: Final = (Good.HARDWOOD, Good.POTTERY, Good.METALS)
"""§1.4"""
COMMON_COUNT: Final = len(COMMON)
NO_GOODS: Final[Bag] = (0,) * len(GOODS)
SET_VALUES: Final = (0, 1, 3, 6, 10, 15)
"""§6.3 The worth of a set by its number of different goods."""

PIECES: Final = tuple(Piece)
PASHA: Final = 0
MERCHANT: Final = 1
SAGE: Final = 2
PIECE_INDEX: Final[dict[str, int]] = {piece.value: index for index, piece in enumerate(PIECES)}
DOMINANCE: Final = (5, 3, 1)
"""§1.6 By piece, as are the next four constants."""
NO_PIECES: Final = (0, 0, 0)
START_FAMILY: Final = (1, 1, 1)
"""§2.5"""
FAMILY_LIMITS: Final = (3, 4, 6)
"""§7.5"""
FAMILY_POINTS: Final = (3, 2, 1)
"""§12.1"""

COLOURS: Final = tuple(Colour)
TILE_VALUES: Final = (2, 3, 4)
TILE_COUNTS: Final[Tiles] = (8, 16, 8, 8, 16, 8)
"""§2.3 32 tiles of each colour."""
NO_TILES: Final[Tiles] = (0,) * len(TILE_COUNTS)
FIRST_KIND: Final[dict[str, int]] = {Colour.RED.value: 0, Colour.BLUE.value: len(TILE_VALUES)}
"""Where a colour's kinds begin in `Tiles`."""

SEAT_COUNTS: Final = (2, 3, 4, 5)
TURNS: Final = 5
SLOTS: Final = 5
ACTING_RANKS: Final = 3
"""§5.7"""
START_GOODS: Final[tuple[Bag, ...]] = (
    (1, 1, 1, 0, 0),
    (2, 1, 1, 0, 0),
    (3, 1, 1, 0, 0),
    (2, 2, 1, 0, 0),
    (1, 1, 1, 1, 0),
)
"""§2.7 By place in the turn order."""

# §6 Payment
NOTE_DISCOUNT: Final = 3
BANKER_DISCOUNT: Final = 5
LOREMASTER_DISCOUNT: Final = 3

# §7.5 Services, by rank
SERVICE_COSTS: Final[dict[Service, tuple[int, int, int]]] = {
    Service.SPY_MOVES: (0, 0, 0),
    Service.RECRUIT_MERCENARIES: (0, 0, 0),
    Service.TRAIN_SAGE: (5, 7, 9),
    Service.TRAIN_MERCHANT: (8, 10, 12),
    Service.TRAIN_PASHA: (11, 13, 15),
}
SERVICE_PIECE: Final[dict[Service, Piece]] = {
    Service.TRAIN_SAGE: Piece.SAGE,
    Service.TRAIN_MERCHANT: Piece.MERCHANT,
    Service.TRAIN_PASHA: Piece.PASHA,
}
DISCOUNTED_SERVICES: Final = (Service.TRAIN_MERCHANT, Service.TRAIN_PASHA)
"""§6.7 [R11]"""
RECRUITS: Final = (3, 2, 1)
SPY_SEQUENCE: Final = (1, 2, 3, 1, 2, 1)
"""§7.6 The ranks in the order of their moves."""

# §7.7 Favors
FAVOR_COSTS: Final[dict[Favor, int]] = {
    Favor.FAVORITE: 1,
    Favor.GENERAL: 0,
    Favor.COURT_SCHOLAR: 2,
    Favor.VIZIER: 0,
    Favor.QADI: 1,
}
COPIED_FAVORS: Final = (Favor.GENERAL, Favor.COURT_SCHOLAR, Favor.VIZIER, Favor.QADI)
"""What the Favorite and the Impostor can do."""
FAVORS_NEEDING_A_GOOD: Final = (Favor.GENERAL, Favor.VIZIER)
MAX_ACTIONS: Final = 2
"""§7.2 In one visit."""

# §9 Territories
TRADE_LIMITS: Final = (3, 2, 1)
"""§9.7 Items by rank."""

# §12.4 and where dishonor comes from
DISHONOR_POINTS: Final = -2
INFLUENCE_LIMIT: Final = 5
DISHONOR_FLED: Final = 2
DISHONOR_NO_PASHA: Final = 2
DISHONOR_ENCHANTER: Final = 1
DISHONOR_NO_PRIMARY: Final = 1


def goods_of(bag: Bag) -> Goods:
    """Convert a bag to its form in messages."""
    hardwood, pottery, metals, spices, silk = bag
    return Goods(hardwood=hardwood, pottery=pottery, metals=metals, spices=spices, silk=silk)


def bag_of(goods: Goods) -> Bag:
    """Convert a bag from its form in messages."""
    return (goods.hardwood, goods.pottery, goods.metals, goods.spices, goods.silk)


def squad_of(tiles: Tiles) -> Squad:
    """Convert tiles to their form in messages."""
    red_2, red_3, red_4, blue_2, blue_3, blue_4 = tiles
    return Squad(red_2=red_2, red_3=red_3, red_4=red_4, blue_2=blue_2, blue_3=blue_3, blue_4=blue_4)


def tiles_of(squad: Squad) -> Tiles:
    """Convert tiles from their form in messages."""
    return (squad.red_2, squad.red_3, squad.red_4, squad.blue_2, squad.blue_3, squad.blue_4)


def tile_kind(colour: Colour, value: int) -> int:
    """Return a tile's place in `Tiles`."""
    return FIRST_KIND[colour] + value - TILE_VALUES[0]


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Add kind by kind."""
    return tuple(map(add, one, other))


def minus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Take away kind by kind."""
    return tuple(map(sub, one, other))
