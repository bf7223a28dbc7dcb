"""What every seat has before it: its program, its villages and its planks above, its hand below.

The mat is broad and low, so that it takes little of the height of a screen.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.layout import Board, Box, Group, Place
from engine.river_dragons.box.components import PLANK_LENGTHS, PLANK_SIZES, PROGRAM_SLOTS

HAND: Final = "hand"
FIRST_PLAYER: Final = "first_player"
START: Final = "start"
DESTINATION: Final = "destination"
_PROGRAM: Final = "program"
_RESERVE: Final = "reserve"

_MARGIN: Final = 20
_GAP: Final = 15
_CARD_WIDTH: Final = 130
_CARD_HEIGHT: Final = 190
_COLUMNS: Final = 13
"""As many cards as fit side by side: the largest hand (§3)."""
_INSIDE: Final = _COLUMNS * (_CARD_WIDTH + _GAP) - _GAP
"""The width between the margins."""
_SIGN_HEIGHT: Final = 85
_SIGN_GAP: Final = _CARD_HEIGHT - 2 * _SIGN_HEIGHT

_RACK_LEFT: Final = (PROGRAM_SLOTS + 2) * (_CARD_WIDTH + _GAP)
"""Where the rack begins, counted from the left margin: beside the program, the first player card and the signs."""
_RACK_WIDTH: Final = _INSIDE - _RACK_LEFT
_PLANK_HEIGHT: Final = 50
_PLANK_GAP: Final = 20
"""Between planks, to the right and below."""
_ROWS: Final = len(PLANK_SIZES) // 2
_HAND_TOP: Final = _MARGIN + _CARD_HEIGHT + _GAP


def slot_place(slot: int) -> str:
    """Return the id of the place of a slot, 1 to 5."""
    return f"slot_{slot}"


def _column(number: int) -> int:
    """Return the centre of a column, counted from 0."""
    return _MARGIN + number * (_CARD_WIDTH + _GAP) + _CARD_WIDTH // 2


def _slot(slot: int) -> Place:
    return Place(
        id=slot_place(slot),
        kind="program_slot",
        x=_column(slot - 1),
        y=_MARGIN + _CARD_HEIGHT // 2,
        width=_CARD_WIDTH,
        height=_CARD_HEIGHT,
        group=_PROGRAM,
        label=str(slot),
    )


def _first_player() -> Place:
    return Place(
        id=FIRST_PLAYER,
        kind=FIRST_PLAYER,
        x=_column(PROGRAM_SLOTS),
        y=_MARGIN + _CARD_HEIGHT // 2,
        width=_CARD_WIDTH,
        height=_CARD_HEIGHT,
    )


def _sign(place: str, row: int) -> Place:
    """Return one of the two places in the last column, which say where the pawn starts and where it must go."""
    return Place(
        id=place,
        kind=place,
        x=_column(PROGRAM_SLOTS + 1),
        y=_MARGIN + row * (_SIGN_HEIGHT + _SIGN_GAP) + _SIGN_HEIGHT // 2,
        width=_CARD_WIDTH,
        height=_SIGN_HEIGHT,
    )


def _rack() -> dict[int, Place]:
    """Return the places of the reserve, as long as their planks: the shortest beside the longest, so that all rows are equal."""
    row_length = PLANK_LENGTHS[PLANK_SIZES[0]] + PLANK_LENGTHS[PLANK_SIZES[-1]]
    left, right = _MARGIN + _RACK_LEFT, _MARGIN + _INSIDE
    places = {}
    for size in PLANK_SIZES:
        length = (_RACK_WIDTH - _PLANK_GAP) * PLANK_LENGTHS[size] // row_length
        on_the_left = size <= _ROWS
        row = size - 1 if on_the_left else PLANK_SIZES[-1] - size
        places[size] = Place(
            id=f"reserve_{size}",
            kind="plank_slot",
            x=left + length // 2 if on_the_left else right - length // 2,
            y=_MARGIN + row * (_PLANK_HEIGHT + _PLANK_GAP) + _PLANK_HEIGHT // 2,
            width=length,
            height=_PLANK_HEIGHT,
            group=_RESERVE,
            label=str(size),
        )
    return places


RACK: Final = _rack()
"""§7.3 Where the planks of the reserve lie, which holds at most one of each size."""
MAT: Final = Board(
    id="player",
    view_box=Box(x=0, y=0, width=_INSIDE + 2 * _MARGIN, height=_HAND_TOP + _CARD_HEIGHT + _MARGIN),
    places=(
        *map(_slot, range(1, PROGRAM_SLOTS + 1)),
        _first_player(),
        *(_sign(place, row) for row, place in enumerate((START, DESTINATION))),
        *RACK.values(),
        Place(
            id=HAND,
            kind="hand",
            x=_MARGIN + _INSIDE // 2,
            y=_HAND_TOP + _CARD_HEIGHT // 2,
            width=_INSIDE,
            height=_CARD_HEIGHT,
        ),
    ),
    groups=(Group(id=_PROGRAM, kind="program"), Group(id=_RESERVE, kind="rack")),
)
