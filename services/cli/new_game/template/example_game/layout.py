"""Where things are, as data: a page that knows nothing of this game draws the table from it.

Coordinates are units of each board's own picture. The name of a place is the text `component.<id>`.
"""

from __future__ import annotations

from typing import Final

from engine.interface import SEAT_MARKS, Board, Box, Layout, Place

from example_game.box import MAX_SEATS, Bowl

DIE: Final = "die"
GONE: Final = "gone"
HAND: Final = "hand"
FAVOUR: Final = "favour"
POINTS: Final = "points"


def in_secret(bowl: Bowl) -> str:
    """Return the id of the place on a mat for pebbles that are placed in a bowl, but not revealed yet."""
    return f"secret_{bowl}"


_BOARD: Final = Board(
    id="table",
    view_box=Box(x=0, y=0, width=1200, height=560),
    places=(
        *(
            Place(id=bowl, kind="bowl", x=220 + 380 * number, y=190, shape="circle", width=340, height=340)
            for number, bowl in enumerate(Bowl)
        ),
        Place(id=DIE, kind=DIE, x=320, y=460, width=160, height=160),
        Place(id=GONE, kind=GONE, x=800, y=460, width=560, height=160),
    ),
)
_MAT: Final = Board(
    id="mat",
    view_box=Box(x=0, y=0, width=1200, height=200),
    places=(
        Place(id=HAND, kind=HAND, x=160, y=100, width=280, height=160),
        *(
            Place(id=in_secret(bowl), kind="secret", x=400 + 180 * number, y=100, width=160, height=160)
            for number, bowl in enumerate(Bowl)
        ),
        Place(id=FAVOUR, kind=FAVOUR, x=930, y=100, width=130, height=160),
        Place(id=POINTS, kind=POINTS, x=1090, y=100, width=130, height=160),
    ),
)

LAYOUT: Final = Layout(boards=(_BOARD,), mats=(_MAT,), seats=SEAT_MARKS[:MAX_SEATS])
