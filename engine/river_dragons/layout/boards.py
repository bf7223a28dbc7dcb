"""The two sides of the board, in the units of the rules: where a piece lies is where the view says that it lies.

No path is drawn between supports: what is next to what depends on the planks that lie there, and these are pieces with two
ends. Which supports a plank could join is for the players to estimate [R30].
"""

from __future__ import annotations

from typing import Final

from engine.kernel.layout import SEAT_MARKS, Board, Box, Corner, Layout, Place, SeatMark, SeatMarks
from engine.river_dragons.box.components import COLOURS_IN_PLAY, SEAT_COUNTS, Colour, Variant
from engine.river_dragons.box.sites import ISLANDS, VIEW_BOX, VILLAGES, WATER
from engine.river_dragons.layout.mat import MAT

WATER_PLACE: Final = "water"
SUPPLY: Final = "supply"
LOST_PLANKS: Final = "lost_planks"
ORDER: Final = "order"

_CORNER_WIDTH: Final = 1300
_CORNER_HEIGHT: Final = 1100
"""As much as the river bank has room for between a corner of the picture and the water."""
_CORNER_MARGIN: Final = 80


def _water() -> Place:
    across, down = [corner.x for corner in WATER], [corner.y for corner in WATER]
    return Place(
        id=WATER_PLACE,
        kind="water",
        x=(min(across) + max(across)) // 2,
        y=(min(down) + max(down)) // 2,
        shape="polygon",
        width=max(across) - min(across),
        height=max(down) - min(down),
        corners=tuple(Corner(x=corner.x, y=corner.y) for corner in WATER),
    )


def _in_corner(place: str, right: int, down: int) -> Place:
    """Return a place on the river bank: in the left (-1) or right (1) corner, at the top (-1) or bottom (1)."""
    return Place(
        id=place,
        kind=place,
        x=right * (VIEW_BOX.width // 2 - _CORNER_MARGIN - _CORNER_WIDTH // 2),
        y=down * (VIEW_BOX.height // 2 - _CORNER_MARGIN - _CORNER_HEIGHT // 2),
        width=_CORNER_WIDTH,
        height=_CORNER_HEIGHT,
    )


VILLAGE_IDS: Final[frozenset[str]] = frozenset(village.id for village in VILLAGES)
ORDER_PLACE: Final = _in_corner(ORDER, 1, -1)
_VILLAGES: Final = tuple(
    Place(
        id=village.id,
        kind="village",
        x=village.x,
        y=village.y,
        shape="circle",
        width=2 * village.radius,
        height=2 * village.radius,
    )
    for village in VILLAGES
)
_ISLANDS: Final = tuple(
    Place(
        id=island.id,
        kind="island",
        x=island.x,
        y=island.y,
        shape="circle",
        width=2 * island.radius,
        height=2 * island.radius,
        label=island.id,
    )
    for island in ISLANDS
)


def _side(variant: Variant, islands: tuple[Place, ...]) -> Board:
    return Board(
        id=variant.value,
        view_box=Box(x=VIEW_BOX.x, y=VIEW_BOX.y, width=VIEW_BOX.width, height=VIEW_BOX.height),
        places=(
            _water(),
            *_VILLAGES,
            *islands,
            _in_corner(SUPPLY, -1, -1),
            ORDER_PLACE,
            _in_corner(LOST_PLANKS, -1, 1),
        ),
        options={"variant": variant.value},
    )


_NEAREST: Final = {
    Colour.BLUE: "#0072b2",
    Colour.GREEN: "#009e73",
    Colour.RED: "#d55e00",
    Colour.YELLOW: "#f0e442",
    Colour.BLACK: "#000000",
    Colour.PINK: "#cc79a7",
}
"""By colour of the game, the one of Okabe and Ito that comes nearest."""


def _marks(players: int) -> tuple[SeatMark, ...]:
    """Return the marks of seats in the colours that they have with so many players (§3)."""
    return tuple(
        SeatMark(colour=_NEAREST[colour], symbol=mark.symbol)
        for colour, mark in zip(COLOURS_IN_PLAY[players], SEAT_MARKS, strict=False)
    )


LAYOUT: Final = Layout(
    boards=(_side(Variant.ISLANDS, _ISLANDS), _side(Variant.EXPERT, ())),
    mats=(MAT,),
    seats=_marks(max(SEAT_COUNTS)),
    seats_with=tuple(
        SeatMarks(players=players, marks=_marks(players))
        for players in SEAT_COUNTS
        if _marks(players) != _marks(max(SEAT_COUNTS))[:players]
    ),
)
