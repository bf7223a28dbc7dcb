"""The region of the water where a stone may be put on the expert side (§9): membership, emptiness, counting, all exact.

A region is a convex polygon minus discs and capsules, so every row of points is one stretch minus some
stretches. Integer arithmetic, row by row, decides whether any legal point is left: a stone is lost only
if there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isqrt
from typing import Final

import msgspec

from engine.river_dragons.box.board import Stone
from engine.river_dragons.box.components import (
    PLANK_WIDTH,
    STONE_RADIUS,
    STONE_TO_STONE,
    STONE_TO_VILLAGE_EDGE,
    STONE_TO_WATER_EDGE,
)
from engine.river_dragons.box.geometry import nearer_than_to_segment, root_rounded_up
from engine.river_dragons.box.sites import VILLAGES, WATER, Point
from engine.river_dragons.templates import Capsule, Circle, Region

Axis = tuple[int, int, int, int]
"""The ends of a plank's axis: x and y of one, x and y of the other."""
Stretch = tuple[int, int]
"""The first and the last x of some neighbouring points of a row."""

FIRST_STRIDE: Final = 512
"""Rows looked at first when asking whether a region is empty: every 512th, then every 256th, and so on."""

VILLAGE_CIRCLES: Final = tuple(
    Circle(x=village.x, y=village.y, min_distance=village.radius + STONE_TO_VILLAGE_EDGE)
    for village in VILLAGES
)
UNDER_PLANK: Final = STONE_RADIUS + PLANK_WIDTH // 2
"""§7.1 A stone nearer than this to the axis of a plank would touch it."""


def region_of(stones: Iterable[Stone], laid: Iterable[Axis]) -> Region:
    """§9 Return the region that the stones and planks on the board leave."""
    return Region(
        water=WATER,
        edge_min_distance=STONE_TO_WATER_EDGE,
        circles=(
            *VILLAGE_CIRCLES,
            *[Circle(x=stone.x, y=stone.y, min_distance=STONE_TO_STONE) for stone in stones],
        ),
        capsules=tuple(
            [Capsule(x1=x1, y1=y1, x2=x2, y2=y2, min_distance=UNDER_PLANK) for x1, y1, x2, y2 in laid]
        ),
    )


class _Side(msgspec.Struct, frozen=True):
    """A side of the polygon as a condition on a point of the region: slope_x * x + slope_y * y >= least."""

    slope_x: int
    slope_y: int
    least: int


@lru_cache(maxsize=8)
def _sides(water: tuple[Point, ...], distance: int) -> tuple[_Side, ...]:
    """Return the sides, each moved inwards by `distance`.

    For the side AB of a polygon that runs clockwise on the screen, the cross product of AB and AP is the
    distance of P from the line times the length of AB, positive inside.
    """
    sides = []
    for a, b in zip(water, (*water[1:], water[0]), strict=True):
        dx, dy = b.x - a.x, b.y - a.y
        least = root_rounded_up(distance * distance * (dx * dx + dy * dy))
        sides.append(_Side(-dy, dx, least + dx * a.y - dy * a.x))
    return tuple(sides)


def in_water(region: Region, x: int, y: int) -> bool:
    """Return whether the point is in the polygon, far enough from its sides."""
    for side in _sides(region.water, region.edge_min_distance):
        if side.slope_x * x + side.slope_y * y < side.least:
            return False
    return True


def beyond_one_side(region: Region, points: Iterable[tuple[int, int]]) -> bool:
    """Return whether all these points are too near one side of the polygon, or beyond it. Then so are all points between."""
    among = tuple(points)
    return any(
        all(side.slope_x * x + side.slope_y * y < side.least for x, y in among)
        for side in _sides(region.water, region.edge_min_distance)
    )


def contains(region: Region, x: int, y: int) -> bool:
    """§9 Return whether the centre of a stone may be here."""
    if not in_water(region, x, y):
        return False
    for circle in region.circles:
        dx, dy, least = x - circle.x, y - circle.y, circle.min_distance
        if dx * dx + dy * dy < least * least:
            return False
    for axis in region.capsules:
        if nearer_than_to_segment(x, y, axis.x1, axis.y1, axis.x2, axis.y2, axis.min_distance):
            return False
    return True


def rows(region: Region) -> range:
    """Return the rows that can hold points of the region."""
    heights = [corner.y for corner in region.water]
    return range(min(heights) + region.edge_min_distance, max(heights) - region.edge_min_distance + 1)


def columns(region: Region) -> range:
    """Return the columns that can hold points of the region."""
    widths = [corner.x for corner in region.water]
    return range(min(widths) + region.edge_min_distance, max(widths) - region.edge_min_distance + 1)


def free_stretches(region: Region, y: int) -> list[Stretch]:
    """Return the points of the region in one row, from left to right."""
    whole = _row_of_water(region, y)
    if whole is None:
        return []
    free: list[Stretch] = []
    at, last = whole
    for first_taken, last_taken in sorted(_taken(region, y)):
        if first_taken > last:
            break
        if first_taken > at:
            free.append((at, first_taken - 1))
        at = max(at, last_taken + 1)
    if at <= last:
        free.append((at, last))
    return free


def is_empty(region: Region) -> bool:
    """§9 Return whether there is no legal point at all. Looks at a few rows first, and at all rows before it returns True."""
    every = rows(region)
    stride = FIRST_STRIDE
    if any(free_stretches(region, y) for y in every[::stride]):
        return False
    while stride > 1:
        if any(free_stretches(region, y) for y in every[stride // 2 :: stride]):
            return False
        stride //= 2
    return True


def count_points(region: Region) -> int:
    """Return the number of legal points."""
    return sum(last - first + 1 for y in rows(region) for first, last in free_stretches(region, y))


def nth_point(region: Region, number: int) -> Point:
    """Return the legal point with a number below `count_points(region)`, row by row from the top, from left to right."""
    for y in rows(region):
        for first, last in free_stretches(region, y):
            if number <= last - first:
                return Point(first + number, y)
            number -= last - first + 1
    raise LookupError("the region has fewer points")


def _row_of_water(region: Region, y: int) -> Stretch | None:
    across = columns(region)
    stretch: Stretch | None = (across[0], across[-1])
    for side in _sides(region.water, region.edge_min_distance):
        stretch = _at_least(stretch, side.slope_x, side.slope_y * y, side.least)
    return stretch


def _taken(region: Region, y: int) -> Iterator[Stretch]:
    """Yield the stretches of a row that circles and capsules take."""
    for circle in region.circles:
        stretch = _in_disc(circle.x, circle.y, circle.min_distance, y)
        if stretch is not None:
            yield stretch
    for capsule in region.capsules:
        stretch = _in_capsule(capsule, y)
        if stretch is not None:
            yield stretch


def _in_disc(x: int, y: int, radius: int, row: int) -> Stretch | None:
    """Return the points of a row strictly nearer than `radius` to (x, y)."""
    square = radius * radius - (row - y) * (row - y)
    if square <= 0:
        return None
    half = isqrt(square - 1)
    return (x - half, x + half)


def _in_capsule(capsule: Capsule, y: int) -> Stretch | None:
    """Return the points of a row strictly nearer than `min_distance` to the segment: the discs at both ends, and what is between.

    The set is convex, so the points make one stretch.
    """
    limit = capsule.min_distance
    if not min(capsule.y1, capsule.y2) - limit < y < max(capsule.y1, capsule.y2) + limit:
        return None
    parts = (
        _in_disc(capsule.x1, capsule.y1, limit, y),
        _in_disc(capsule.x2, capsule.y2, limit, y),
        _beside(capsule, y),
    )
    found = [part for part in parts if part is not None]
    if not found:
        return None
    return (min(first for first, _ in found), max(last for _, last in found))


def _beside(capsule: Capsule, y: int) -> Stretch | None:
    """Return the points of a row that lie beside the segment, strictly nearer than `min_distance` to its line."""
    dx, dy = capsule.x2 - capsule.x1, capsule.y2 - capsule.y1
    down = y - capsule.y1
    length_squared = dx * dx + dy * dy
    if length_squared == 0:
        return None
    widest = isqrt(capsule.min_distance * capsule.min_distance * length_squared - 1)
    left, right = sorted((capsule.x1, capsule.x2))
    stretch: Stretch | None = (left - capsule.min_distance, right + capsule.min_distance)
    along = dy * down - dx * capsule.x1
    across = -dx * down - dy * capsule.x1
    stretch = _at_least(stretch, dx, along, 0)
    stretch = _at_least(stretch, -dx, -along, -length_squared)
    stretch = _at_least(stretch, dy, across, -widest)
    return _at_least(stretch, -dy, -across, -widest)


def _at_least(stretch: Stretch | None, slope: int, offset: int, least: int) -> Stretch | None:
    """Return the points x of a stretch with slope * x + offset >= least."""
    if stretch is None:
        return None
    first, last = stretch
    if slope == 0:
        return stretch if offset >= least else None
    if slope > 0:
        first = max(first, -((offset - least) // slope))
    else:
        last = min(last, (offset - least) // -slope)
    return (first, last) if first <= last else None
