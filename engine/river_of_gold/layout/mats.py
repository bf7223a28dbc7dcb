"""What every seat has before it: the die and the clan, what it holds, its cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kernel.layout import Board, Box, Path, Place
from engine.river_of_gold.box.components import FACES, GOODS
from engine.river_of_gold.layout.places import (
    CLAN,
    DELIVERED,
    FAVOR,
    FAVOR_LIMIT,
    HAND,
    KOKU,
    PATRON,
    ROYAL_SHIP,
    VP,
    die_face,
)

_MARGIN: Final = 15
_GAP: Final = 10
_WIDTH: Final = 710
"""Of a line of places."""
_LOW: Final = 70
"""Height of the lines with tokens."""
_HIGH: Final = 140
"""Height of the lines with cards."""
_FACE: Final = 60
_CARD: Final = 110

Line = tuple[tuple[str, str, int], ...]
"""Places from left to right: id, kind, width. A width of 0 is an equal part of what the others leave."""

_LINES: Final[tuple[tuple[int, Line], ...]] = (
    (
        _LOW,
        (
            *((die_face(face), "die_face", _FACE) for face in FACES),
            (CLAN, "clan", 0),
            (ROYAL_SHIP, "ship", 0),
        ),
    ),
    (
        _LOW,
        (
            (KOKU, "koku", 0),
            *((good, "goods", 0) for good in GOODS),
            (FAVOR, "favor", 0),
            (FAVOR_LIMIT, "favor_limit", 0),
            (VP, "vp", 0),
        ),
    ),
    (_HIGH, ((PATRON, "patron", _CARD), (HAND, "hand", 0))),
    (_HIGH, ((DELIVERED, "delivered", 0),)),
)


def _places() -> Iterator[Place]:
    y = _MARGIN
    labels = {die_face(face): str(face) for face in FACES}
    for height, line in _LINES:
        left = _WIDTH - sum(width for _, _, width in line) - _GAP * (len(line) - 1)
        part = left // max(1, sum(not width for _, _, width in line))
        x = _MARGIN
        for place, kind, fixed in line:
            width = fixed or part
            yield Place(
                id=place,
                kind=kind,
                x=x + width // 2,
                y=y + height // 2,
                width=width,
                height=height,
                label=labels.get(place, ""),
            )
            x += width + _GAP
        y += height + _GAP


MAT: Final = Board(
    id="clan_board",
    view_box=Box(
        x=0,
        y=0,
        width=_WIDTH + 2 * _MARGIN,
        height=sum(height + _GAP for height, _ in _LINES) - _GAP + 2 * _MARGIN,
    ),
    places=tuple(_places()),
    paths=tuple(
        Path(a=die_face(face), b=die_face(face % len(FACES) + 1), kind="die") for face in FACES
    ),  # §3.1 6 and 1 are neighbours
)
