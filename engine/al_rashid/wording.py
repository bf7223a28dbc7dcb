"""How goods, tiles and seats are written."""

from __future__ import annotations

from collections.abc import Iterable

from engine.al_rashid.components import COLOURS, GOODS, TILE_VALUES, Goods, Squad, bag_of, tiles_of
from engine.al_rashid.event_parts import PlacedTile
from engine.kernel.seats import Seat


def goods(bag: Goods) -> str:
    """`2 hardwood, 1 silk`; `nothing`."""
    told = [f"{count} {good}" for good, count in zip(GOODS, bag_of(bag), strict=True) if count]
    return ", ".join(told) or "nothing"


def squad(tiles: Squad) -> str:
    """`red 3, red 3, blue 2`; `no tiles`."""
    kinds = [f"{colour} {value}" for colour in COLOURS for value in TILE_VALUES]
    told = [kind for kind, count in zip(kinds, tiles_of(tiles), strict=True) for _ in range(count)]
    return ", ".join(told) or "no tiles"


def placed(tiles: Iterable[PlacedTile]) -> str:
    """`tile 3 red 4 on sarmatia`; the value only where it is known."""
    told = [
        f"tile {tile.id} {tile.colour}{'' if tile.value is None else f' {tile.value}'} on {tile.territory}"
        for tile in tiles
    ]
    return ", ".join(told) or "no tiles"


def seats(named: Iterable[Seat]) -> str:
    """`seat 0, seat 2`; `nobody`."""
    return ", ".join(f"seat {seat}" for seat in named) or "nobody"


def pieces(pashas: int, merchants: int, sages: int) -> str:
    """`P M SS`, or `-`."""
    return " ".join(part for part in ("P" * pashas, "M" * merchants, "S" * sages) if part) or "-"
