"""The boards beside the river: the building row with its stacks, the masteries with the customer cards, the patrons on offer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.kernel.layout import Board, Box, Path, Place
from engine.river_of_gold.box.components import MASTERIES_IN_PLAY, ROW_SLOTS, BuildingSet, PatronMode
from engine.river_of_gold.box.masteries import MASTERY_SLOTS
from engine.river_of_gold.layout.places import (
    CUSTOMER_DECK,
    DISCARD_PILE,
    DISCARDED_TILES,
    PATRON_OFFERS,
    mastery_place,
    mastery_slot,
    row_slot,
)

_MARGIN: Final = 12
_GAP: Final = 8
_WIDTH: Final = 84
"""Of a card."""
_HEIGHT: Final = 104
_STEP: Final = _WIDTH + _GAP
_COLUMNS: Final = 6
_BOARD_WIDTH: Final = 2 * _MARGIN + _COLUMNS * _STEP - _GAP
_LINES: Final = tuple(_MARGIN + line * (_HEIGHT + _GAP) for line in range(2))
"""The upper edges of the lines: the masteries, the piles."""
_OFFERS: Final = 940
"""The width of a line of patrons."""
_BOARD_HEIGHT: Final = _LINES[-1] + _HEIGHT + _MARGIN

_ROW: Final = (BuildingSet.ERA_2, BuildingSet.ERA_1, *(row_slot(slot) for slot in range(1, ROW_SLOTS + 1)))
"""§2.3 The stacks lie next to the start slot; tiles move to the right."""
_TILE: Final = 110
"""The width of a place for a tile."""
_TILE_HEIGHT: Final = 136
"""Below a tile there is room for what its slot brings, and for the tiles under the top of a stack."""


def _row() -> Board:
    """Return the board of the building row, which stays the same for every number of players."""
    step, y = _TILE + 2 * _GAP, _MARGIN + _TILE_HEIGHT // 2
    return Board(
        id="building_row",
        view_box=Box(
            x=0,
            y=0,
            width=2 * _MARGIN + len(_ROW) * step - 2 * _GAP,
            height=_TILE_HEIGHT + 2 * _MARGIN,
        ),
        places=tuple(
            Place(
                id=place,
                kind="stack" if place in tuple(BuildingSet) else "row_slot",
                x=_MARGIN + column * step + _TILE // 2,
                y=y,
                width=_TILE,
                height=_TILE_HEIGHT,
            )
            for column, place in enumerate(_ROW)
        ),
        paths=tuple(Path(a=a, b=b, kind="row", directed=True) for a, b in pairwise(_ROW[1:])),
    )


def _place(place: str, kind: str, column: int, line: int, *, columns: int = 1) -> Place:
    width = columns * _STEP - _GAP
    x, y = _MARGIN + column * _STEP + width // 2, _LINES[line] + _HEIGHT // 2
    return Place(id=place, kind=kind, x=x, y=y, width=width, height=_HEIGHT)


def _masteries(values: tuple[int, ...]) -> Iterator[Place]:
    """§7.2 Return a place for each mastery in play, and its slots beside it, the highest value on top."""
    columns = _COLUMNS // MASTERIES_IN_PLAY
    step = _HEIGHT // max(len(slots) for slots in MASTERY_SLOTS.values())
    for number in range(1, MASTERIES_IN_PLAY + 1):
        column = (number - 1) * columns
        yield _place(mastery_place(number), "mastery", column, 0)
        for slot, vp in enumerate(values, start=1):
            yield Place(
                id=mastery_slot(number, slot),
                kind="mastery_slot",
                x=_MARGIN + (column + 1) * _STEP + _WIDTH // 2,
                y=_LINES[0] + (slot - 1) * step + step // 2,
                width=_WIDTH,
                height=step - 4,
                label=str(vp),
            )


def _piles() -> Iterator[Place]:
    """Return the piles; what is discarded lies face up and so gets more room."""
    yield _place(CUSTOMER_DECK, "deck", 0, 1)
    yield _place(DISCARD_PILE, "discard_pile", 1, 1, columns=2)
    yield _place(DISCARDED_TILES, "discard_pile", 3, 1, columns=3)


def _supply(board: str, seats: tuple[int, ...]) -> Board:
    """Return the board for these numbers of seats, which have the same slots of masteries."""
    return Board(
        id=board,
        view_box=Box(x=0, y=0, width=_BOARD_WIDTH, height=_BOARD_HEIGHT),
        places=(*_masteries(MASTERY_SLOTS[seats[0]]), *_piles()),
        seats=seats,
    )


def _patrons(mode: PatronMode) -> Board:
    """§9 Return the board of the patrons on offer: at most one of each clan, with room for what they do."""
    offers = Place(
        id=PATRON_OFFERS,
        kind="patron_offers",
        x=_OFFERS // 2 + _MARGIN,
        y=_HEIGHT // 2 + _MARGIN,
        width=_OFFERS,
        height=_HEIGHT,
    )
    return Board(
        id=f"patrons_{mode}",
        view_box=Box(x=0, y=0, width=_OFFERS + 2 * _MARGIN, height=_HEIGHT + 2 * _MARGIN),
        places=(offers,),
        options={"patrons": mode.value},
    )


SUPPLY_BOARDS: Final = (
    _row(),
    *(
        _supply(f"supply_{'_'.join(map(str, seats))}", seats)
        for slots in dict.fromkeys(MASTERY_SLOTS.values())
        if (seats := tuple(number for number, of in MASTERY_SLOTS.items() if of == slots))
    ),
)
PATRON_BOARDS: Final = tuple(_patrons(mode) for mode in PatronMode if mode is not PatronMode.NONE)
