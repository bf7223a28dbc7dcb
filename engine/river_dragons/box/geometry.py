"""Distances in the plane, compared exactly: integers only, squares instead of roots.

>>> nearer_than_to_segment(0, 5, -10, 0, 10, 0, 5)
False
>>> nearer_than_to_segment(0, 4, -10, 0, 10, 0, 5)
True

§14 Measures. Lengths and coordinates are integers in board units, about a tenth of a millimetre. The villages are in
a circle; planks are 600 to 1600 units long, in steps of 200. A plank reaches from one support to another if the
distance of their centres is at most its length plus both radii, less 60 units of overlap at each end. Positions and
lengths are this project's own.
"""

from __future__ import annotations

from math import isqrt


def distance_squared(ax: int, ay: int, bx: int, by: int) -> int:
    """Return the square of the distance between two points."""
    return (ax - bx) * (ax - bx) + (ay - by) * (ay - by)


def distance_rounded_up(ax: int, ay: int, bx: int, by: int) -> int:
    """Return the least whole number that is not below the distance between two points.

    >>> distance_rounded_up(0, 0, 3, 4), distance_rounded_up(0, 0, 1, 1)
    (5, 2)
    """
    return root_rounded_up(distance_squared(ax, ay, bx, by))


def root_rounded_up(square: int) -> int:
    """Return the least whole number whose square is not below `square`.

    >>> [root_rounded_up(n) for n in (0, 1, 2, 4, 5)]
    [0, 1, 2, 2, 3]
    """
    return isqrt(square - 1) + 1 if square > 0 else 0


def nearer_than_to_segment(px: int, py: int, ax: int, ay: int, bx: int, by: int, limit: int) -> bool:
    """Return whether the point P is strictly nearer than `limit` to the segment AB."""
    dx, dy = bx - ax, by - ay
    ux, uy = px - ax, py - ay
    along = ux * dx + uy * dy
    if along <= 0:
        return ux * ux + uy * uy < limit * limit
    length_squared = dx * dx + dy * dy
    if along >= length_squared:
        return distance_squared(px, py, bx, by) < limit * limit
    across = ux * dy - uy * dx
    return across * across < limit * limit * length_squared


def _side(ax: int, ay: int, bx: int, by: int, px: int, py: int) -> int:
    """Return a number whose sign says on which side of the line AB the point P is; 0 on the line."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


def segments_cross_properly(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, dx: int, dy: int) -> bool:
    """Return whether AB and CD meet in a point inside both. (Ends that touch are found by their distance, 0.)"""
    c, d = _side(ax, ay, bx, by, cx, cy), _side(ax, ay, bx, by, dx, dy)
    if not (c > 0 > d or c < 0 < d):
        return False
    a, b = _side(cx, cy, dx, dy, ax, ay), _side(cx, cy, dx, dy, bx, by)
    return a > 0 > b or a < 0 < b


def segments_nearer_than(
    ax: int, ay: int, bx: int, by: int, cx: int, cy: int, dx: int, dy: int, limit: int
) -> bool:
    """Return whether some point of AB is strictly nearer than `limit` to some point of CD.

    Segments that do not cross are nearest at one of the four ends.
    """
    return (
        segments_cross_properly(ax, ay, bx, by, cx, cy, dx, dy)
        or nearer_than_to_segment(ax, ay, cx, cy, dx, dy, limit)
        or nearer_than_to_segment(bx, by, cx, cy, dx, dy, limit)
        or nearer_than_to_segment(cx, cy, ax, ay, bx, by, limit)
        or nearer_than_to_segment(dx, dy, ax, ay, bx, by, limit)
    )
