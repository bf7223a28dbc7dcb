"""The board's places as data: villages, islands, water. Coordinates are this project's own (§14).

Integers in board units (nominally 0.1 mm); origin in the centre, x to the right, y down.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.river_dragons.box.components import (
    ISLAND_RADIUS,
    VILLAGE_RADIUS,
    Colour,
    IslandId,
    SupportId,
    VillageId,
    destination_of,
    village_of,
)


class Point(msgspec.Struct, frozen=True):
    """A point of the board."""

    x: int
    """How many board units the point is to the right of the centre of the board."""
    y: int
    """How many board units the point is below the centre of the board."""


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle, in board units."""

    x: int
    """Where its left side is, to the right of the centre of the board; negative to the left of it."""
    y: int
    """Where its upper side is, below the centre of the board; negative above it."""
    width: int
    """How wide it is."""
    height: int
    """How high it is."""


class VillageSite(msgspec.Struct, frozen=True, kw_only=True):
    """A village; it is always a support (§2)."""

    id: VillageId
    """The id of the village, such as `V-red`."""
    colour: Colour
    """The colour of the village."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""
    radius: int
    """Its radius in board units."""
    destination: VillageId
    """The id of the village opposite, which the pawn of this colour must reach."""


class IslandSite(msgspec.Struct, frozen=True, kw_only=True):
    """An island; it is a support while a stone stands on it (§2)."""

    id: IslandId
    """The id of the island, such as `I07`."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""
    radius: int
    """Its radius in board units."""


def _village(colour: Colour, x: int, y: int) -> VillageSite:
    return VillageSite(
        id=village_of(colour),
        colour=colour,
        x=x,
        y=y,
        radius=VILLAGE_RADIUS,
        destination=destination_of(colour),
    )


VILLAGES: Final = (
    _village(Colour.PINK, -2850, 0),
    _village(Colour.GREEN, -1425, -2468),
    _village(Colour.BLUE, 1425, -2468),
    _village(Colour.BLACK, 2850, 0),
    _village(Colour.RED, 1425, 2468),
    _village(Colour.YELLOW, -1425, 2468),
)
"""§2 The ring, clockwise from the left [R2]."""

_ISLAND_CENTRES: Final = (
    (-397, -1764),
    (397, -1764),
    (-1052, -1709),
    (1052, -1709),
    (-2146, -1239),
    (2146, -1239),
    (-455, -1109),
    (455, -1109),
    (-1090, -629),
    (1090, -629),
    (0, -598),
    (-2006, -57),
    (2006, -57),
    (-1188, 160),
    (1188, 160),
    (-518, 299),
    (518, 299),
    (-1726, 539),
    (1726, 539),
    (-733, 948),
    (733, 948),
    (-1330, 1226),
    (1330, 1226),
    (0, 1258),
    (-953, 1766),
    (953, 1766),
    (0, 2478),
)
ISLANDS: Final = tuple(
    IslandSite(id=IslandId(SupportId(f"I{number:02}")), x=x, y=y, radius=ISLAND_RADIUS)
    for number, (x, y) in enumerate(_ISLAND_CENTRES, start=1)
)

WATER: Final = (
    Point(3150, 0),
    Point(1575, 2728),
    Point(-1575, 2728),
    Point(-3150, 0),
    Point(-1575, -2728),
    Point(1575, -2728),
)
"""Corners of the water, clockwise on the screen; outside is river bank, which supports nothing."""

VIEW_BOX: Final = Box(x=-3500, y=-3150, width=7000, height=6300)
"""What a front end draws: the water and the bank around it."""
