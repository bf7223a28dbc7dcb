"""What every seat has before it: the clan board with the die and what the seat holds, and beside it its cards."""

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

_MARGIN: Final = 12
_GAP: Final = 6
_FACE: Final = 52
_HAND: Final = 400
"""Room for the cards of a hand, also for those drawn before one is discarded."""

Line = tuple[tuple[str, str, int], ...]
"""Places from left to right: id, kind, width. A width of 0 is an equal part of what the others leave."""

_CLAN_BOARD: Final[tuple[Line, ...]] = (
    (
        *((die_face(face), "die_face", _FACE) for face in FACES),
        (CLAN, "clan", 0),
        (PATRON, "patron", 0),
        (ROYAL_SHIP, "ship", 0),
    ),
    (
        (KOKU, "koku", 0),
        *((good, "goods", 0) for good in GOODS),
        (FAVOR, "favor", 0),
        (FAVOR_LIMIT, "favor_limit", 0),
        (VP, "vp", 0),
    ),
)
_CARDS: Final[tuple[Line, ...]] = (((HAND, "hand", _HAND), (DELIVERED, "delivered", 0)),)
_LABELS: Final = {die_face(face): str(face) for face in FACES}


def _places(lines: tuple[Line, ...], whole: int, height: int) -> Iterator[Place]:
    """Return the places of the lines, which are so wide and high, from top to bottom."""
    y = _MARGIN
    for line in lines:
        left = whole - sum(width for _, _, width in line) - _GAP * (len(line) - 1)
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
                label=_LABELS.get(place, ""),
            )
            x += width + _GAP
        y += height + _GAP


def _mat(mat: str, lines: tuple[Line, ...], whole: int, height: int, paths: tuple[Path, ...] = ()) -> Board:
    return Board(
        id=mat,
        view_box=Box(
            x=0,
            y=0,
            width=whole + 2 * _MARGIN,
            height=len(lines) * (height + _GAP) - _GAP + 2 * _MARGIN,
        ),
        places=tuple(_places(lines, whole, height)),
        paths=paths,
    )


MATS: Final = (
    _mat(
        "clan_board",
        _CLAN_BOARD,
        630,
        66,
        tuple(Path(a=die_face(face), b=die_face(face % len(FACES) + 1), kind="die") for face in FACES),
    ),  # §3.1 6 and 1 are neighbours
    _mat("customers", _CARDS, 700, 152),
)
