"""Sets of legal actions that can be large, described by their domain. What a template describes is not listed as well."""

from __future__ import annotations

import msgspec

from engine.kernel.records import Template
from engine.river_of_gold.box.components import Goods
from engine.river_of_gold.box.ids import BuildingId, ShoreId


class BuildSpace(msgspec.Struct, frozen=True, kw_only=True):
    """An empty shore space where the seat may build now and can pay for it (§4.1, §4.2)."""

    shore: ShoreId
    """The id of the shore space."""
    cost: int
    """How many koku the seat would pay, with the discount of an artisan."""


class BuildTemplate(Template, frozen=True, kw_only=True, tag="build"):
    """The builds that are legal: each of the buildings on each of the spaces (§4). No longer sent: builds are listed."""

    spaces: tuple[BuildSpace, ...]
    """The shore spaces where the seat may build now."""
    buildings: tuple[BuildingId, ...]
    """The tiles of the row, from the start slot on (§4.3)."""


class SellGoodsTemplate(Template, frozen=True, kw_only=True, tag="sell_goods"):
    """The sales that are legal: any goods within `owned`, at most `most` together; none is legal too (§10.3)."""

    owned: Goods
    """The goods that the seat has."""
    most: int
    """How many goods can be sold at most, so that each of them earns something [F5]."""
    koku_each: int
    """How many koku each good brings."""


RiverOfGoldTemplate = BuildTemplate | SellGoodsTemplate
