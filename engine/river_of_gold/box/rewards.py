"""§5.2, §5.3 What the printed rewards of buildings are made of."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class KokuPer(StrEnum):
    """What brings 1 koku each: owned buildings of a type [A15], or delivered customers."""

    PORT = "port"
    SHRINE = "shrine"
    MANOR = "manor"
    MARKET = "market"
    DELIVERED_CUSTOMER = "delivered_customer"


class Reward(msgspec.Struct, frozen=True, kw_only=True):
    """What is gained, up to the caps (§1.4)."""

    koku: int = 0
    silk: int = 0
    rice: int = 0
    porcelain: int = 0
    any_good: int = 0
    """Goods of the receiving player's choice."""
    vp: int = 0
    influence: int = 0
    """Spaces on the track of the region where the building stands."""
    favor: int = 0
    koku_per: KokuPer | None = None
    draw: int = 0
    """Customer cards to draw; as many are discarded afterwards."""
