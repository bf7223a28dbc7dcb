"""§7 Masteries and §8.5 region scoring tiles: what is claimed during the match, and what regions are worth at its end."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.river_of_gold.box.ids import MasteryId, RegionTileId


class Mastery(msgspec.Struct, frozen=True, kw_only=True):
    """§7.3"""

    id: MasteryId
    name: str


class RegionTile(msgspec.Struct, frozen=True, kw_only=True):
    """§8.5 The VP of the first, the second and the third in a region."""

    id: RegionTileId
    two_players: tuple[int, ...]
    more_players: tuple[int, ...]


MASTERIES: Final = (
    Mastery(id=MasteryId.MASTERY_AIR, name="Mastery of Air"),
    Mastery(id=MasteryId.MASTERY_COURTS, name="Mastery of the Courts"),
    Mastery(id=MasteryId.MASTERY_EARTH, name="Mastery of Earth"),
    Mastery(id=MasteryId.MASTERY_FIRE, name="Mastery of Fire"),
    Mastery(id=MasteryId.MASTERY_VOID, name="Mastery of Void"),
    Mastery(id=MasteryId.MASTERY_WATER, name="Mastery of Water"),
)
MASTERY_SLOTS: Final = {2: (5,), 3: (7, 5, 3), 4: (7, 5, 3)}
"""§7.2 By number of players."""

REGION_TILES: Final = (
    RegionTile(id=RegionTileId.REGION_TILE_1, two_players=(3,), more_players=(7, 3)),
    RegionTile(id=RegionTileId.REGION_TILE_2, two_players=(5, 2), more_players=(9, 5)),
    RegionTile(id=RegionTileId.REGION_TILE_3, two_players=(4, 2), more_players=(8, 4)),
    RegionTile(id=RegionTileId.REGION_TILE_4, two_players=(8, 4), more_players=(12, 8, 4)),
    RegionTile(id=RegionTileId.REGION_TILE_5, two_players=(6, 3), more_players=(10, 6, 2)),
    RegionTile(id=RegionTileId.REGION_TILE_6, two_players=(7, 3), more_players=(11, 7, 3)),
)
_TILE: Final = {tile.id: tile for tile in REGION_TILES}


def tile_values(tile: RegionTileId, seats: int) -> tuple[int, ...]:
    """§2.1 Return the values of the side that is in play."""
    return _TILE[tile].two_players if seats == 2 else _TILE[tile].more_players
