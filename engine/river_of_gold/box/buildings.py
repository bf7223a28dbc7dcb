"""The 49 tiles: what each gives to the player who builds it, visits it or owns it.

§1.5 Buildings. A building is a port, a shrine, a manor or a market; an imperial market is a market too. Starting
tiles and imperial markets belong to no player and reward only visitors: they are neutral.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from engine.river_of_gold.box.components import BuildingSet, BuildingType
from engine.river_of_gold.box.ids import BuildingId
from engine.river_of_gold.box.rewards import KokuPer, Reward


class Building(msgspec.Struct, frozen=True, kw_only=True):
    """A tile, or an imperial market."""

    id: BuildingId
    set: BuildingSet
    type: BuildingType
    bonus: int = 0
    """§4.4 Influence for the player who builds it."""
    visitor: Reward
    """§5.2"""
    owner: Reward = Reward()
    """§5.3 Nothing for neutral buildings (§1.5)."""


BUILDINGS: Final = (
    Building(
        id=BuildingId.ERA1_PORT_1,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        bonus=1,
        visitor=Reward(koku=3),
        owner=Reward(rice=1),
    ),
    Building(
        id=BuildingId.ERA1_PORT_2,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        visitor=Reward(koku=3),
        owner=Reward(koku=1, porcelain=1),
    ),
    Building(
        id=BuildingId.ERA1_PORT_3,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        bonus=4,
        visitor=Reward(koku=3),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.ERA1_PORT_4,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        bonus=3,
        visitor=Reward(koku=3),
        owner=Reward(koku_per=KokuPer.PORT),
    ),
    Building(
        id=BuildingId.ERA1_PORT_5,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        bonus=3,
        visitor=Reward(koku=3),
        owner=Reward(vp=1),
    ),
    Building(
        id=BuildingId.ERA1_PORT_6,
        set=BuildingSet.ERA_1,
        type=BuildingType.PORT,
        bonus=1,
        visitor=Reward(koku=3),
        owner=Reward(favor=1, vp=1),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_1,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=4,
        visitor=Reward(silk=1),
        owner=Reward(koku=2),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_2,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=1,
        visitor=Reward(rice=1),
        owner=Reward(favor=1, vp=1),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_3,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=2,
        visitor=Reward(porcelain=1),
        owner=Reward(koku=1, vp=1),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_4,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=3,
        visitor=Reward(silk=1),
        owner=Reward(vp=1),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_5,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=4,
        visitor=Reward(rice=1),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.ERA1_MARKET_6,
        set=BuildingSet.ERA_1,
        type=BuildingType.MARKET,
        bonus=3,
        visitor=Reward(porcelain=1),
        owner=Reward(koku_per=KokuPer.MARKET),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_1,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        bonus=1,
        visitor=Reward(influence=2),
        owner=Reward(silk=1),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_2,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        visitor=Reward(influence=2),
        owner=Reward(koku=1, rice=1),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_3,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        bonus=4,
        visitor=Reward(influence=2),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_4,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        bonus=3,
        visitor=Reward(influence=2),
        owner=Reward(koku_per=KokuPer.MANOR),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_5,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        bonus=4,
        visitor=Reward(influence=2),
        owner=Reward(koku_per=KokuPer.DELIVERED_CUSTOMER),
    ),
    Building(
        id=BuildingId.ERA1_MANOR_6,
        set=BuildingSet.ERA_1,
        type=BuildingType.MANOR,
        bonus=3,
        visitor=Reward(influence=2),
        owner=Reward(vp=1),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_1,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        bonus=1,
        visitor=Reward(vp=2),
        owner=Reward(porcelain=1),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_2,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        visitor=Reward(vp=2),
        owner=Reward(koku=1, silk=1),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_3,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        bonus=4,
        visitor=Reward(vp=2),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_4,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        bonus=3,
        visitor=Reward(vp=2),
        owner=Reward(koku_per=KokuPer.SHRINE),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_5,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        bonus=2,
        visitor=Reward(vp=2),
        owner=Reward(koku=1, vp=1),
    ),
    Building(
        id=BuildingId.ERA1_SHRINE_6,
        set=BuildingSet.ERA_1,
        type=BuildingType.SHRINE,
        bonus=3,
        visitor=Reward(vp=2),
        owner=Reward(vp=1),
    ),
    Building(
        id=BuildingId.ERA2_PORT_1,
        set=BuildingSet.ERA_2,
        type=BuildingType.PORT,
        bonus=3,
        visitor=Reward(koku=5),
        owner=Reward(vp=2),
    ),
    Building(
        id=BuildingId.ERA2_PORT_2,
        set=BuildingSet.ERA_2,
        type=BuildingType.PORT,
        bonus=4,
        visitor=Reward(koku=5),
        owner=Reward(any_good=1),
    ),
    Building(
        id=BuildingId.ERA2_PORT_3,
        set=BuildingSet.ERA_2,
        type=BuildingType.PORT,
        bonus=4,
        visitor=Reward(koku=5),
        owner=Reward(rice=1, favor=1),
    ),
    Building(
        id=BuildingId.ERA2_PORT_4,
        set=BuildingSet.ERA_2,
        type=BuildingType.PORT,
        bonus=2,
        visitor=Reward(koku=5),
        owner=Reward(vp=3),
    ),
    Building(
        id=BuildingId.ERA2_MARKET_1,
        set=BuildingSet.ERA_2,
        type=BuildingType.MARKET,
        bonus=5,
        visitor=Reward(any_good=1),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.ERA2_MARKET_2,
        set=BuildingSet.ERA_2,
        type=BuildingType.MARKET,
        bonus=5,
        visitor=Reward(any_good=1),
        owner=Reward(influence=1),
    ),
    Building(
        id=BuildingId.ERA2_MARKET_3,
        set=BuildingSet.ERA_2,
        type=BuildingType.MARKET,
        bonus=2,
        visitor=Reward(any_good=1),
        owner=Reward(vp=3),
    ),
    Building(
        id=BuildingId.ERA2_MARKET_4,
        set=BuildingSet.ERA_2,
        type=BuildingType.MARKET,
        bonus=3,
        visitor=Reward(any_good=1),
        owner=Reward(vp=2),
    ),
    Building(
        id=BuildingId.ERA2_MANOR_1,
        set=BuildingSet.ERA_2,
        type=BuildingType.MANOR,
        bonus=5,
        visitor=Reward(influence=3),
        owner=Reward(influence=1),
    ),
    Building(
        id=BuildingId.ERA2_MANOR_2,
        set=BuildingSet.ERA_2,
        type=BuildingType.MANOR,
        bonus=4,
        visitor=Reward(influence=3),
        owner=Reward(porcelain=1, favor=1),
    ),
    Building(
        id=BuildingId.ERA2_MANOR_3,
        set=BuildingSet.ERA_2,
        type=BuildingType.MANOR,
        bonus=3,
        visitor=Reward(influence=3),
        owner=Reward(vp=2),
    ),
    Building(
        id=BuildingId.ERA2_MANOR_4,
        set=BuildingSet.ERA_2,
        type=BuildingType.MANOR,
        bonus=2,
        visitor=Reward(influence=3),
        owner=Reward(vp=3),
    ),
    Building(
        id=BuildingId.ERA2_SHRINE_1,
        set=BuildingSet.ERA_2,
        type=BuildingType.SHRINE,
        bonus=5,
        visitor=Reward(vp=3),
        owner=Reward(influence=1),
    ),
    Building(
        id=BuildingId.ERA2_SHRINE_2,
        set=BuildingSet.ERA_2,
        type=BuildingType.SHRINE,
        bonus=5,
        visitor=Reward(vp=3),
        owner=Reward(silk=1),
    ),
    Building(
        id=BuildingId.ERA2_SHRINE_3,
        set=BuildingSet.ERA_2,
        type=BuildingType.SHRINE,
        bonus=4,
        visitor=Reward(vp=3),
        owner=Reward(any_good=1),
    ),
    Building(
        id=BuildingId.ERA2_SHRINE_4,
        set=BuildingSet.ERA_2,
        type=BuildingType.SHRINE,
        bonus=5,
        visitor=Reward(vp=3),
        owner=Reward(favor=1),
    ),
    Building(
        id=BuildingId.START_PORT_1, set=BuildingSet.STARTING, type=BuildingType.PORT, visitor=Reward(koku=3)
    ),
    Building(
        id=BuildingId.START_PORT_2, set=BuildingSet.STARTING, type=BuildingType.PORT, visitor=Reward(koku=3)
    ),
    Building(
        id=BuildingId.START_MANOR_1,
        set=BuildingSet.STARTING,
        type=BuildingType.MANOR,
        visitor=Reward(influence=2),
    ),
    Building(
        id=BuildingId.START_MANOR_2,
        set=BuildingSet.STARTING,
        type=BuildingType.MANOR,
        visitor=Reward(influence=2),
    ),
    Building(
        id=BuildingId.START_SHRINE_1, set=BuildingSet.STARTING, type=BuildingType.SHRINE, visitor=Reward(vp=2)
    ),
    Building(
        id=BuildingId.START_SHRINE_2, set=BuildingSet.STARTING, type=BuildingType.SHRINE, visitor=Reward(vp=2)
    ),
    Building(
        id=BuildingId.IMPERIAL_MARKET_PORCELAIN,
        set=BuildingSet.IMPERIAL_MARKET,
        type=BuildingType.MARKET,
        visitor=Reward(porcelain=1, favor=1),
    ),
    Building(
        id=BuildingId.IMPERIAL_MARKET_RICE,
        set=BuildingSet.IMPERIAL_MARKET,
        type=BuildingType.MARKET,
        visitor=Reward(rice=1, favor=1),
    ),
    Building(
        id=BuildingId.IMPERIAL_MARKET_SILK,
        set=BuildingSet.IMPERIAL_MARKET,
        type=BuildingType.MARKET,
        visitor=Reward(silk=1, draw=1),
    ),
)
BUILDING: Final = {building.id: building for building in BUILDINGS}


@cache
def tiles_of(kind: BuildingSet) -> tuple[BuildingId, ...]:
    """Return the tiles of one set, in the order of their numbers."""
    return tuple(building.id for building in BUILDINGS if building.set is kind)
