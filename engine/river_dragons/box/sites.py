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
    x: int
    y: int


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle; (x, y) is its top left corner."""

    x: int
    y: int
    width: int
    height: int


class VillageSite(msgspec.Struct, frozen=True, kw_only=True):
    """A village: a support that is always there."""

    id: VillageId
    colour: Colour
    x: int
    y: int
    radius: int
    destination: VillageId
    """The village opposite: the destination of the pawn that starts here."""


class IslandSite(msgspec.Struct, frozen=True, kw_only=True):
    """An island: supports planks while a stone stands on it."""

    id: IslandId
    x: int
    y: int
    radius: int


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
