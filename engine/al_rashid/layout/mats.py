"""What every seat has before it: pieces off the board, mercenaries, goods, offices, markers."""

from __future__ import annotations

from typing import Final

from engine.al_rashid.layout.ids import HAND, HELD, MARKERS, OWN_GOODS, OWN_OFFICES, RESERVE
from engine.kernel.layout import Board, Box, Place

_EDGE: Final = 10
_GAP: Final = 8
_HEIGHT: Final = 124
_WIDTHS: Final = {RESERVE: 200, HELD: 110, OWN_GOODS: 306, HAND: 306, MARKERS: 116, OWN_OFFICES: 480}
"""One row, so that the mat takes little of the height of a screen."""


def _mat() -> Board:
    places: list[Place] = []
    x = _EDGE
    for name, width in _WIDTHS.items():
        places.append(
            Place(
                id=name,
                kind=name,
                x=x + width // 2,
                y=_EDGE + _HEIGHT // 2,
                width=width,
                height=_HEIGHT,
            )
        )
        x += width + _GAP
    return Board(
        id="family",
        view_box=Box(x=0, y=0, width=x - _GAP + _EDGE, height=_HEIGHT + 2 * _EDGE),
        places=tuple(places),
    )


MATS: Final = (_mat(),)
