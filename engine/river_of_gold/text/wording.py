"""How the drawing writes goods, seats and names."""

from __future__ import annotations

from collections.abc import Iterable

from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import GOODS, Goods, bag_of


def goods(bag: Goods) -> str:
    """Return `2 silk, 1 rice`, or `nothing`."""
    parts = [f"{count} {good}" for good, count in zip(GOODS, bag_of(bag), strict=True) if count]
    return ", ".join(parts) or "nothing"


def seats(named: Iterable[Seat]) -> str:
    """Return `seat 0, seat 2`, or `nobody`."""
    return ", ".join(f"seat {seat}" for seat in named) or "nobody"


def names(ids: Iterable[str]) -> str:
    """Return `merchant_4, monk_1`, or `nothing`."""
    return ", ".join(str(each) for each in ids) or "nothing"
