"""What every seat has before it: pieces off the board, mercenaries, goods, offices, markers."""

from __future__ import annotations

from typing import Final

from engine.al_rashid.layout.ids import HAND, HELD, MARKERS, OWN_GOODS, OWN_OFFICES, RESERVE
from engine.kernel.layout import Board, Box, Place

_EDGE: Final = 12
_GAP: Final = 8
_WIDTH: Final = 800
_ROW: Final = 84
_ROWS: Final = (
    ((RESERVE, 290), (HELD, 150), (OWN_GOODS, 420)),
    ((HAND, 640), (MARKERS, 220)),
    ((OWN_OFFICES, 860),),
)
"""The places of each row, with shares of its width."""


def _mat() -> Board:
    places: list[Place] = []
    for number, row in enumerate(_ROWS):
        whole = sum(share for _, share in row)
        room = _WIDTH - 2 * _EDGE - (len(row) - 1) * _GAP
        height = 2 * _ROW if row[0][0] == OWN_OFFICES else _ROW
        x = _EDGE
        for name, share in row:
            width = room * share // whole
            places.append(
                Place(
                    id=name,
                    kind=name,
                    x=x + width // 2,
                    y=_EDGE + number * (_ROW + _GAP) + height // 2,
                    width=width,
                    height=height,
                )
            )
            x += width + _GAP
    bottom = max(place.y + place.height // 2 for place in places)
    return Board(
        id="family", view_box=Box(x=0, y=0, width=_WIDTH, height=bottom + _EDGE), places=tuple(places)
    )


MATS: Final = (_mat(),)
