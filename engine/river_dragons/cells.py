"""A point of the water as a sequence of choices: a square of the board, a square within it, and so on down to one point (§9).

Four steps of nine by nine squares reach every integer point of the board. Whether a square still holds a legal point is
decided exactly, so that every step offered leads to a legal point.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.river_dragons.box.geometry import distance_squared, nearer_than_to_segment
from engine.river_dragons.templates import Capsule, Circle, Region
from engine.river_dragons.water import beyond_one_side, contains, free_stretches

STEPS: Final = 4
ACROSS: Final = 9
"""Squares in a row, and rows of squares."""
CELLS: Final = ACROSS * ACROSS
BOARD_SIZE: Final = ACROSS**STEPS
"""Points across; the centre of the board is the centre of the middle square."""
FIRST: Final = -(BOARD_SIZE // 2)
"""The least x and y."""
_ROWS_AT_ONCE: Final = 8
"""Squares no higher than this are searched row by row."""


class Square(msgspec.Struct, frozen=True):
    """`size` columns from `x` and `size` rows from `y`."""

    x: int = FIRST
    y: int = FIRST
    size: int = BOARD_SIZE

    def within(self, cell: int) -> Square:
        """Return one of the smaller squares, counted from the top left, row by row."""
        down, across = divmod(cell, ACROSS)
        size = self.size // ACROSS
        return Square(self.x + across * size, self.y + down * size, size)


def cells_of(x: int, y: int) -> tuple[int, ...]:
    """Return the cells that lead to a point.

    >>> cells_of(0, 0)
    (40, 40, 40, 40)
    """
    cells = []
    size = BOARD_SIZE
    right, down = x - FIRST, y - FIRST
    for _ in range(STEPS):
        size //= ACROSS
        cells.append(down // size % ACROSS * ACROSS + right // size % ACROSS)
    return tuple(cells)


def square_of(cells: tuple[int, ...]) -> Square:
    """Return the square that a sequence of cells leads to; after four steps the square is a point."""
    square = Square()
    for cell in cells:
        square = square.within(cell)
    return square


def open_cells(region: Region, cells: tuple[int, ...]) -> list[int]:
    """Return the next steps that still lead to a legal point."""
    square = square_of(cells)
    last = square.size - 1
    nearby = _touching(region, square.x, square.y, square.x + last, square.y + last)
    return [cell for cell in range(CELLS) if holds_a_point(nearby, square.within(cell))]


def holds_a_point(region: Region, square: Square) -> bool:
    """§9 Return whether there is a legal point in the square.

    There is one if the middle is legal. There is none if all corners lie in one forbidden shape, because all shapes are convex.
    Any other square is cut into four, each searched with the shapes that reach it, down to a few rows.
    """
    return _holds(region, square.x, square.y, square.x + square.size - 1, square.y + square.size - 1)


def _holds(region: Region, left: int, top: int, right: int, bottom: int) -> bool:
    across, down = (left + right) // 2, (top + bottom) // 2
    if contains(region, across, down):
        return True
    if _forbidden(region, ((left, top), (right, top), (left, bottom), (right, bottom))):
        return False
    nearby = _touching(region, left, top, right, bottom)
    if bottom - top < _ROWS_AT_ONCE:
        return any(
            first <= right and last >= left
            for y in range(top, bottom + 1)
            for first, last in free_stretches(nearby, y)
        )
    return (
        _holds(nearby, left, top, across, down)
        or _holds(nearby, across + 1, top, right, down)
        or _holds(nearby, left, down + 1, across, bottom)
        or _holds(nearby, across + 1, down + 1, right, bottom)
    )


def _touching(region: Region, left: int, top: int, right: int, bottom: int) -> Region:
    """Return the region without the shapes that reach no point between these bounds (inclusive)."""
    circles = [
        each
        for each in region.circles
        if distance_squared(each.x, each.y, min(max(each.x, left), right), min(max(each.y, top), bottom))
        < each.min_distance * each.min_distance
    ]
    capsules = [
        each
        for each in region.capsules
        if min(each.x1, each.x2) - each.min_distance < right
        and max(each.x1, each.x2) + each.min_distance > left
        and min(each.y1, each.y2) - each.min_distance < bottom
        and max(each.y1, each.y2) + each.min_distance > top
    ]
    return replace(region, circles=tuple(circles), capsules=tuple(capsules))


_Corners = tuple[tuple[int, int], ...]


def _forbidden(region: Region, corners: _Corners) -> bool:
    """Return whether all corners lie in one and the same forbidden shape."""
    return (
        beyond_one_side(region, corners)
        or any(_in_circle(circle, corners) for circle in region.circles)
        or any(_in_capsule(capsule, corners) for capsule in region.capsules)
    )


def _in_circle(circle: Circle, corners: _Corners) -> bool:
    limit = circle.min_distance * circle.min_distance
    return all(distance_squared(x, y, circle.x, circle.y) < limit for x, y in corners)


def _in_capsule(capsule: Capsule, corners: _Corners) -> bool:
    x1, y1, x2, y2, limit = capsule.x1, capsule.y1, capsule.x2, capsule.y2, capsule.min_distance
    return all(nearer_than_to_segment(x, y, x1, y1, x2, y2, limit) for x, y in corners)
