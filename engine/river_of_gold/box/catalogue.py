"""The box and the board for front ends: static, public, the same for every match."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.river_of_gold.box.board import (
    FLOWER_SPACE,
    REGION_SPACES,
    RIVER_SPACES,
    RIVERS,
    SHORE_SPACES,
    START_RIVERS,
    TRACK_END,
    TRACK_SPACES,
    RegionSpace,
    RiverSpace,
    ShoreSpace,
    TrackSpace,
)
from engine.river_of_gold.box.buildings import BUILDINGS, Building
from engine.river_of_gold.box.components import (
    ARTISAN_DISCOUNT,
    ARTISAN_INFLUENCE,
    CUSTOMER_VP,
    DRAWN_PER_DELIVERY,
    EMPTY_SPACE_KOKU,
    END_SLOT_FAVOR,
    ERA_1_COUNTS,
    ERA_2_COUNTS,
    EXCHANGE_GOODS,
    EXCHANGE_KOKU,
    FAVOR_LIMIT_MAX,
    FAVOR_LIMIT_START,
    GOOD_CAP,
    GOODS_PER_VP,
    HAND_SIZE,
    JOURNEY_KOKU,
    KOKU_CAP,
    KOKU_PER_VP,
    MARKERS_PER_BUILDING,
    MASTERIES_IN_PLAY,
    MERCHANT_INFLUENCE,
    MERCHANT_KOKU,
    MONK_FAVOR,
    NOBLE_INFLUENCE,
    ROW_SLOTS,
    SALE_KOKU,
    SEAT_COUNTS,
    START_FAVOR,
    START_GOODS,
    START_KOKU,
    STARTING_COUNTS,
    TRIGGER_VP,
    TWO_PLAYER_GAP,
    Goods,
    goods_of,
)
from engine.river_of_gold.box.customers import CUSTOMERS, Customer
from engine.river_of_gold.box.ids import RiverId
from engine.river_of_gold.box.masteries import MASTERIES, MASTERY_SLOTS, REGION_TILES, Mastery, RegionTile
from engine.river_of_gold.box.patrons import (
    HYOBU_VP,
    KAIU_KOKU,
    KUDAKA_VP,
    PATRONS,
    RYOKU_FAVOR,
    TAKA_VP,
    UJI_VP,
    YORITOMO_CARDS,
    Patron,
)


class TableSetup(msgspec.Struct, frozen=True, kw_only=True):
    """§2.1 What depends on the number of players."""

    seats: int
    starting_tiles: int
    era_1_stack: int
    """Tiles left once the row is filled."""
    era_2_stack: int
    mastery_slots: tuple[int, ...]
    start_koku: tuple[int, ...]
    """By place in the turn order."""


class PatronNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """§9 What the patrons' effects give or cost."""

    kaiu_koku: int
    """More at the start."""
    taka_vp: int
    """For each river space that touches the shore space."""
    yoritomo_cards: int
    """More in hand."""
    kudaka_vp: int
    uji_vp: int
    ryoku_favor: int
    """Paid to set the die."""
    hyobu_vp: int


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers a player has to know."""

    koku: int
    each_good: int
    favor_limit_start: int
    favor_limit_max: int
    markers_per_building: int
    row_slots: int
    end_slot_favor: int
    masteries_in_play: int
    hand_size: int
    start_favor: int
    start_goods: Goods
    exchange_goods: int
    """§3.4 Goods of one kind for 1 of another."""
    exchange_koku: int
    """§3.4 Koku for 1 favor."""
    empty_space_koku: int
    """§5.2"""
    drawn_per_delivery: int
    """§6.4"""
    artisan_discount: int
    artisan_influence: int
    """§10 By delivering, like the next three."""
    merchant_influence: int
    noble_influence: int
    monk_favor: int
    journey_koku: int
    merchant_koku: int
    """§10.3 `merchant_6`"""
    sale_koku: int
    """§10.3 `merchant_4`, for each good."""
    track_end: int
    flower_space: int
    trigger_vp: int
    two_player_gap: int
    goods_per_vp: int
    koku_per_vp: int
    customer_vp: tuple[int, ...]
    """§8.5 By number of delivered customers, from none on; more than six count as six."""


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """§1, §2, §7, §9, §10"""

    regions: tuple[RegionSpace, ...]
    shores: tuple[ShoreSpace, ...]
    river: tuple[RiverSpace, ...]
    """In the order of a journey; the first follows the last."""
    starting_spaces: tuple[RiverId, ...]
    """Upstream, midstream."""
    track: tuple[TrackSpace, ...]
    """§4.6 The same for every region."""
    buildings: tuple[Building, ...]
    customers: tuple[Customer, ...]
    masteries: tuple[Mastery, ...]
    region_tiles: tuple[RegionTile, ...]
    patrons: tuple[Patron, ...]
    patron_numbers: PatronNumbers
    setups: tuple[TableSetup, ...]
    limits: Limits


COMPONENTS: Final = Components(
    regions=REGION_SPACES,
    shores=SHORE_SPACES,
    river=RIVER_SPACES,
    starting_spaces=tuple(RIVERS[river] for river in START_RIVERS),
    track=TRACK_SPACES,
    buildings=BUILDINGS,
    customers=CUSTOMERS,
    masteries=MASTERIES,
    region_tiles=REGION_TILES,
    patrons=PATRONS,
    patron_numbers=PatronNumbers(
        kaiu_koku=KAIU_KOKU,
        taka_vp=TAKA_VP,
        yoritomo_cards=YORITOMO_CARDS,
        kudaka_vp=KUDAKA_VP,
        uji_vp=UJI_VP,
        ryoku_favor=RYOKU_FAVOR,
        hyobu_vp=HYOBU_VP,
    ),
    setups=tuple(
        TableSetup(
            seats=seats,
            starting_tiles=STARTING_COUNTS[seats],
            era_1_stack=ERA_1_COUNTS[seats] - ROW_SLOTS,
            era_2_stack=ERA_2_COUNTS[seats],
            mastery_slots=MASTERY_SLOTS[seats],
            start_koku=START_KOKU[:seats],
        )
        for seats in SEAT_COUNTS
    ),
    limits=Limits(
        koku=KOKU_CAP,
        each_good=GOOD_CAP,
        favor_limit_start=FAVOR_LIMIT_START,
        favor_limit_max=FAVOR_LIMIT_MAX,
        markers_per_building=MARKERS_PER_BUILDING,
        row_slots=ROW_SLOTS,
        end_slot_favor=END_SLOT_FAVOR,
        masteries_in_play=MASTERIES_IN_PLAY,
        hand_size=HAND_SIZE,
        start_favor=START_FAVOR,
        start_goods=goods_of(START_GOODS),
        exchange_goods=EXCHANGE_GOODS,
        exchange_koku=EXCHANGE_KOKU,
        empty_space_koku=EMPTY_SPACE_KOKU,
        drawn_per_delivery=DRAWN_PER_DELIVERY,
        artisan_discount=ARTISAN_DISCOUNT,
        artisan_influence=ARTISAN_INFLUENCE,
        merchant_influence=MERCHANT_INFLUENCE,
        noble_influence=NOBLE_INFLUENCE,
        monk_favor=MONK_FAVOR,
        journey_koku=JOURNEY_KOKU,
        merchant_koku=MERCHANT_KOKU,
        sale_koku=SALE_KOKU,
        track_end=TRACK_END,
        flower_space=FLOWER_SPACE,
        trigger_vp=TRIGGER_VP,
        two_player_gap=TWO_PLAYER_GAP,
        goods_per_vp=GOODS_PER_VP,
        koku_per_vp=KOKU_PER_VP,
        customer_vp=CUSTOMER_VP,
    ),
)
