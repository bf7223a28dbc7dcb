"""Sets of legal actions that can be large, told by their domain. Every member is listed as a ready action as well."""

from __future__ import annotations

import msgspec

from engine.kernel.records import Template
from engine.river_of_gold.components import Goods
from engine.river_of_gold.ids import BuildingId, ShoreId


class BuildSpace(msgspec.Struct, frozen=True, kw_only=True):
    """§4.1, §4.2 An empty shore space the seat may build on now, and can pay."""

    shore: ShoreId
    cost: int
    """Koku, artisan included."""


class BuildTemplate(Template, frozen=True, kw_only=True, tag="build"):
    """§4 Legal is every one of the buildings on every one of the spaces."""

    spaces: tuple[BuildSpace, ...]
    buildings: tuple[BuildingId, ...]
    """§4.3 The tiles of the row, from the start slot on."""


class SellGoodsTemplate(Template, frozen=True, kw_only=True, tag="sell_goods"):
    """§10.3 Legal are all goods within `owned`, at most `most` together, also none."""

    owned: Goods
    most: int
    """A good that would earn nothing is not sold [F5]."""
    koku_each: int


RiverOfGoldTemplate = BuildTemplate | SellGoodsTemplate
