"""Sets of legal actions that can be large, described by their domain. Every member is listed as a ready action as well."""

from __future__ import annotations

import msgspec

from engine.kernel.records import Template
from engine.river_of_gold.box.components import Goods
from engine.river_of_gold.box.ids import BuildingId, ShoreId


class BuildSpace(msgspec.Struct, frozen=True, kw_only=True):
    """§4.1, §4.2 An empty shore space the seat may build on now and can pay for."""

    shore: ShoreId
    cost: int
    """In koku, with the discount of an artisan."""


class BuildTemplate(Template, frozen=True, kw_only=True, tag="build"):
    """§4 Each of the buildings is legal on each of the spaces."""

    spaces: tuple[BuildSpace, ...]
    buildings: tuple[BuildingId, ...]
    """§4.3 The tiles of the row, from the start slot on."""


class SellGoodsTemplate(Template, frozen=True, kw_only=True, tag="sell_goods"):
    """§10.3 Any goods within `owned` may be sold, at most `most` together; none is legal too."""

    owned: Goods
    most: int
    """[F5] A good that would earn nothing cannot be sold."""
    koku_each: int


RiverOfGoldTemplate = BuildTemplate | SellGoodsTemplate
