"""§1.1, §1.2 The board: shore spaces, river spaces, regions, and what touches what.

§1.1 Regions and shore spaces. There are six regions, numbered like the faces of the die. Each has five shore spaces,
where buildings stand, and an influence track from 0 to 18.

§1.2 River spaces. The river is a loop of 14 spaces; after `river_14` comes `river_01` [A3]. Every river space touches
four shore spaces. The two ships of a player begin on `river_01` and `river_08`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.river_of_gold.box.components import Good, Region
from engine.river_of_gold.box.ids import RiverId, ShoreId
from engine.river_of_gold.box.rewards import Reward


class Bank(StrEnum):
    """Side of the river, looking downstream."""

    LEFT = "left"
    RIGHT = "right"


class ShoreSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A place for one building."""

    id: ShoreId
    region: Region
    bank: Bank
    cost: int | None = None
    """Koku; none on the spaces of the imperial markets."""
    starting_tile: tuple[int, ...] = ()
    """§2.1 The numbers of players with which a starting tile lies here."""


class RiverSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A place for any number of ships."""

    id: RiverId
    shores: tuple[ShoreId, ...]
    """§5.2 The four spaces a ship visits from here, in ascending order."""
    regions: tuple[Region, ...]
    """[A17] The regions it touches."""


class RegionSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A region with its influence track."""

    region: Region
    name: str
    symbol: str
    good: Good
    """§4.6 What space 2 of its track gives."""


SHORE_SPACES: Final = (
    ShoreSpace(id=ShoreId.SHORE_01, region=1, bank=Bank.RIGHT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_02, region=1, bank=Bank.LEFT, cost=5),
    ShoreSpace(
        id=ShoreId.SHORE_03,
        region=1,
        bank=Bank.RIGHT,
        cost=8,
        starting_tile=(
            2,
            3,
        ),
    ),
    ShoreSpace(id=ShoreId.SHORE_04, region=1, bank=Bank.LEFT, cost=12),
    ShoreSpace(id=ShoreId.SHORE_05, region=1, bank=Bank.RIGHT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_06, region=2, bank=Bank.LEFT),
    ShoreSpace(id=ShoreId.SHORE_07, region=2, bank=Bank.RIGHT, cost=8, starting_tile=(2,)),
    ShoreSpace(id=ShoreId.SHORE_08, region=2, bank=Bank.LEFT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_09, region=2, bank=Bank.RIGHT, cost=12),
    ShoreSpace(id=ShoreId.SHORE_10, region=2, bank=Bank.LEFT, cost=9),
    ShoreSpace(
        id=ShoreId.SHORE_11,
        region=3,
        bank=Bank.RIGHT,
        cost=8,
        starting_tile=(
            2,
            3,
        ),
    ),
    ShoreSpace(id=ShoreId.SHORE_12, region=3, bank=Bank.LEFT, cost=12),
    ShoreSpace(id=ShoreId.SHORE_13, region=3, bank=Bank.RIGHT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_14, region=3, bank=Bank.LEFT, cost=5, starting_tile=(2,)),
    ShoreSpace(id=ShoreId.SHORE_15, region=3, bank=Bank.RIGHT, cost=11),
    ShoreSpace(id=ShoreId.SHORE_16, region=4, bank=Bank.LEFT, cost=9),
    ShoreSpace(id=ShoreId.SHORE_17, region=4, bank=Bank.LEFT),
    ShoreSpace(id=ShoreId.SHORE_18, region=4, bank=Bank.RIGHT, cost=12),
    ShoreSpace(id=ShoreId.SHORE_19, region=4, bank=Bank.LEFT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_20, region=4, bank=Bank.RIGHT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_21, region=5, bank=Bank.LEFT, cost=12),
    ShoreSpace(
        id=ShoreId.SHORE_22,
        region=5,
        bank=Bank.LEFT,
        cost=8,
        starting_tile=(
            2,
            3,
        ),
    ),
    ShoreSpace(id=ShoreId.SHORE_23, region=5, bank=Bank.RIGHT, cost=9, starting_tile=(2,)),
    ShoreSpace(id=ShoreId.SHORE_24, region=5, bank=Bank.LEFT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_25, region=5, bank=Bank.RIGHT, cost=11),
    ShoreSpace(id=ShoreId.SHORE_26, region=6, bank=Bank.LEFT, cost=13),
    ShoreSpace(id=ShoreId.SHORE_27, region=6, bank=Bank.RIGHT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_28, region=6, bank=Bank.LEFT, cost=6),
    ShoreSpace(id=ShoreId.SHORE_29, region=6, bank=Bank.RIGHT),
    ShoreSpace(id=ShoreId.SHORE_30, region=6, bank=Bank.RIGHT, cost=5),
)

RIVER_SPACES: Final = (
    RiverSpace(
        id=RiverId.RIVER_01,
        shores=(ShoreId.SHORE_01, ShoreId.SHORE_02, ShoreId.SHORE_03, ShoreId.SHORE_04),
        regions=(1,),
    ),
    RiverSpace(
        id=RiverId.RIVER_02,
        shores=(ShoreId.SHORE_03, ShoreId.SHORE_04, ShoreId.SHORE_05, ShoreId.SHORE_07),
        regions=(
            1,
            2,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_03,
        shores=(ShoreId.SHORE_04, ShoreId.SHORE_06, ShoreId.SHORE_07, ShoreId.SHORE_09),
        regions=(
            1,
            2,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_04,
        shores=(ShoreId.SHORE_06, ShoreId.SHORE_08, ShoreId.SHORE_09, ShoreId.SHORE_10),
        regions=(2,),
    ),
    RiverSpace(
        id=RiverId.RIVER_05,
        shores=(ShoreId.SHORE_09, ShoreId.SHORE_10, ShoreId.SHORE_11, ShoreId.SHORE_12),
        regions=(
            2,
            3,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_06,
        shores=(ShoreId.SHORE_11, ShoreId.SHORE_12, ShoreId.SHORE_13, ShoreId.SHORE_15),
        regions=(3,),
    ),
    RiverSpace(
        id=RiverId.RIVER_07,
        shores=(ShoreId.SHORE_12, ShoreId.SHORE_14, ShoreId.SHORE_15, ShoreId.SHORE_16),
        regions=(
            3,
            4,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_08,
        shores=(ShoreId.SHORE_15, ShoreId.SHORE_16, ShoreId.SHORE_17, ShoreId.SHORE_18),
        regions=(
            3,
            4,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_09,
        shores=(ShoreId.SHORE_17, ShoreId.SHORE_18, ShoreId.SHORE_19, ShoreId.SHORE_21),
        regions=(
            4,
            5,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_10,
        shores=(ShoreId.SHORE_18, ShoreId.SHORE_20, ShoreId.SHORE_21, ShoreId.SHORE_23),
        regions=(
            4,
            5,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_11,
        shores=(ShoreId.SHORE_21, ShoreId.SHORE_22, ShoreId.SHORE_23, ShoreId.SHORE_25),
        regions=(5,),
    ),
    RiverSpace(
        id=RiverId.RIVER_12,
        shores=(ShoreId.SHORE_22, ShoreId.SHORE_24, ShoreId.SHORE_25, ShoreId.SHORE_26),
        regions=(
            5,
            6,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_13,
        shores=(ShoreId.SHORE_25, ShoreId.SHORE_26, ShoreId.SHORE_27, ShoreId.SHORE_29),
        regions=(
            5,
            6,
        ),
    ),
    RiverSpace(
        id=RiverId.RIVER_14,
        shores=(ShoreId.SHORE_26, ShoreId.SHORE_28, ShoreId.SHORE_29, ShoreId.SHORE_30),
        regions=(6,),
    ),
)

REGION_SPACES: Final = (
    RegionSpace(region=1, name="Spine of the World", symbol="mountain", good=Good.PORCELAIN),
    RegionSpace(region=2, name="Shinomen Forest", symbol="tree", good=Good.RICE),
    RegionSpace(region=3, name="Three Man Alliance Plain", symbol="grain", good=Good.SILK),
    RegionSpace(region=4, name="Kitsune Woods", symbol="fox", good=Good.PORCELAIN),
    RegionSpace(region=5, name="Uebe Marshes", symbol="lotus", good=Good.RICE),
    RegionSpace(region=6, name="Earthquake Fish Bay", symbol="fish", good=Good.SILK),
)

SHORES: Final = tuple(space.id for space in SHORE_SPACES)
SHORE_INDEX: Final[dict[str, int]] = {shore.value: index for index, shore in enumerate(SHORES)}
REGION_OF: Final = tuple(space.region for space in SHORE_SPACES)
"""By index of the shore space, as the costs are."""
COSTS: Final = tuple(space.cost for space in SHORE_SPACES)
SHORES_OF: Final[dict[Region, tuple[int, ...]]] = {
    region: tuple(index for index, of in enumerate(REGION_OF) if of == region) for region in range(1, 7)
}
"""The indices of a region's shore spaces."""
IMPERIAL: Final = tuple(index for index, space in enumerate(SHORE_SPACES) if space.cost is None)
"""§2.1 The indices of the imperial markets' spaces."""

RIVERS: Final = tuple(space.id for space in RIVER_SPACES)
RIVER_LENGTH: Final = len(RIVERS)
VISITED: Final = tuple(tuple(SHORE_INDEX[shore] for shore in space.shores) for space in RIVER_SPACES)
"""By index of the river space: the indices of the shore spaces around it, ascending."""
TOUCHED: Final = tuple(space.regions for space in RIVER_SPACES)
START_RIVERS: Final = (0, 7)
"""§1.2 The indices of the upstream and the midstream starting space."""
TOUCHING: Final = tuple(sum(shore in around for around in VISITED) for shore in range(len(SHORES)))
"""§9 By index of the shore space: how many river spaces touch it, 1 to 3."""

# §4.6 Influence tracks
TRACK_END: Final = 18
FLOWER_SPACE: Final = 11
"""Of the imperial flower, for `mastery_courts`."""
REGION_GOODS: Final = tuple(space.good for space in REGION_SPACES)
"""By region, from region 1 on."""


class TrackSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A space of every influence track that gives something to each player, once."""

    space: int
    region_good: int = 0
    """Goods of the region's kind."""
    reward: Reward = Reward()


TRACK_SPACES: Final = (
    TrackSpace(space=2, region_good=1),
    TrackSpace(space=5, reward=Reward(koku=2)),
    TrackSpace(space=9, reward=Reward(favor=1)),
    TrackSpace(space=13, reward=Reward(vp=3)),
    TrackSpace(space=18, reward=Reward(vp=3, any_good=1)),
)


def downstream(river: int, steps: int) -> tuple[int, bool]:
    """[A3] Return the index of the space so many steps on, and whether the ship left the last space on the way.

    >>> downstream(12, 4)
    (2, True)
    >>> downstream(12, 1)
    (13, False)
    """
    end = river + steps
    return end % RIVER_LENGTH, end >= RIVER_LENGTH
