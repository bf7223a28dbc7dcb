"""How the drawing writes goods, tiles and seats."""

from __future__ import annotations

from collections.abc import Iterable

from engine.al_rashid.box.components import COLOURS, GOODS, TILE_VALUES, Goods, Squad, bag_of, tiles_of
from engine.kernel.seats import Seat


def goods(bag: Goods) -> str:
    """Return goods as `2 hardwood, 1 silk`, or `nothing`."""
    parts = [f"{count} {good}" for good, count in zip(GOODS, bag_of(bag), strict=True) if count]
    return ", ".join(parts) or "nothing"


def squad(tiles: Squad) -> str:
    """Return tiles as `red 3, red 3, blue 2`, or `no tiles`."""
    kinds = [f"{colour} {value}" for colour in COLOURS for value in TILE_VALUES]
    parts = [kind for kind, count in zip(kinds, tiles_of(tiles), strict=True) for _ in range(count)]
    return ", ".join(parts) or "no tiles"


def seats(named: Iterable[Seat]) -> str:
    """Return seats as `seat 0, seat 2`, or `nobody`."""
    return ", ".join(f"seat {seat}" for seat in named) or "nobody"


def pieces(pashas: int, merchants: int, sages: int) -> str:
    """Return pieces as `P M SS`, or `-`."""
    return " ".join(part for part in ("P" * pashas, "M" * merchants, "S" * sages) if part) or "-"
