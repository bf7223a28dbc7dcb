"""The boards: the city with its six palaces, and the map with its seven territories.

Both are two areas wide, so that they can be read on a small screen. No rule says that areas are next to each other, so there
are no paths: a piece that moves may go to any area of its board. The territories lie roughly as in the world.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.box.areas import (
    ABBASID_CALIPHATE,
    MARE_INDIANUM,
    MARE_INTERNUM,
    NILUS_VALLEY,
    PALACES,
    SARMATIA,
    SILK_ROAD,
    SPICE_ROAD,
    TERRITORIES,
)
from engine.al_rashid.box.components import COLOURS, GOODS, SEAT_COUNTS, TURNS
from engine.al_rashid.layout.areas import GAP, WIDTH, palace, palace_height, row, territory, territory_height
from engine.al_rashid.layout.ids import (
    CRISES,
    DISCARDS,
    NEXT_ORDER,
    STACK,
    TURN_ORDER,
    TURN_TRACK,
    step_of,
)
from engine.al_rashid.layout.mats import MATS
from engine.kernel.layout import SEAT_MARKS, Board, Box, Group, Layout, Place

_EDGE: Final = 14
"""Between the areas and the edge of a board."""
_BETWEEN: Final = 16
"""Between areas."""
_LEFT: Final = _EDGE
_RIGHT: Final = _EDGE + WIDTH + _BETWEEN
_BOARD_WIDTH: Final = 2 * (_EDGE + WIDTH) + _BETWEEN
_TRACK: Final = 56
"""The height of a space of a track."""
_CAPTION: Final = 16
"""The height of a track's name above its spaces."""
_TRACK_PITCH: Final = _CAPTION + _TRACK + 10
_SIDE: Final = (_BOARD_WIDTH - WIDTH) // 2 - _EDGE - _BETWEEN
"""The width of what lies beside the territory in the middle of the map."""
_NORTH: Final = ((SARMATIA, SILK_ROAD),)
"""The territories in the west and in the east, above the one in the middle."""
_SOUTH: Final = ((MARE_INTERNUM, SPICE_ROAD), (NILUS_VALLEY, MARE_INDIANUM))
"""The same, below it."""


def _city() -> Board:
    places: list[Place] = []
    y = _EDGE
    for number in range(0, len(PALACES), 2):
        pair = PALACES[number : number + 2]
        for area, x in zip(pair, (_LEFT, _RIGHT), strict=True):
            places += palace(area, x, y)
        y += max(map(palace_height, pair)) + _BETWEEN
    return Board(
        id="city",
        view_box=Box(x=0, y=0, width=_BOARD_WIDTH, height=y - _BETWEEN + _EDGE),
        places=tuple(places),
        groups=tuple(Group(id=area, kind="palace") for area in PALACES),
    )


def _map() -> Board:
    below_tracks = _EDGE + 2 * _TRACK_PITCH
    pitch = territory_height() + _BETWEEN
    middle = below_tracks + len(_NORTH) * pitch
    places = [*_tracks(_EDGE + _CAPTION), *_beside_the_middle(middle)]
    places += territory(ABBASID_CALIPHATE, (_BOARD_WIDTH - WIDTH) // 2, middle)
    for first, pairs in ((below_tracks, _NORTH), (middle + pitch, _SOUTH)):
        for number, (west, east) in enumerate(pairs):
            places += territory(west, _LEFT, first + number * pitch)
            places += territory(east, _RIGHT, first + number * pitch)
    height = middle + (1 + len(_SOUTH)) * pitch - _BETWEEN + _EDGE
    return Board(
        id="map",
        view_box=Box(x=0, y=0, width=_BOARD_WIDTH, height=height),
        places=tuple(places),
        groups=(
            *(Group(id=area, kind="territory") for area in TERRITORIES),
            *(Group(id=track, kind="track") for track in (TURN_TRACK, TURN_ORDER, NEXT_ORDER)),
            Group(id="supply", kind="supply"),
        ),
    )


def _tracks(y: int) -> list[Place]:
    """Return the turns and the supply on the left, the turn order and the one to come on the right."""
    lower = y + _TRACK_PITCH
    seats = max(SEAT_COUNTS)
    supply = row("supply", ["good"] * len(GOODS), map(str, GOODS), _LEFT, lower, _TRACK)
    return [
        *_track(TURN_TRACK, "turn", TURNS, _LEFT, y),
        *_track(TURN_ORDER, "order", seats, _RIGHT, y),
        *supply,
        *_track(NEXT_ORDER, "order", seats, _RIGHT, lower),
    ]


def _track(track: str, kind: str, spaces: int, x: int, y: int) -> list[Place]:
    ids = [step_of(track, number) for number in range(1, spaces + 1)]
    return row(track, [kind] * spaces, ids, x, y, _TRACK, numbered=True)


def _beside_the_middle(y: int) -> list[Place]:
    """Return the two stacks on the left, the discards and the crisis tiles on the right."""
    half = (territory_height() - GAP) // 2
    right = _BOARD_WIDTH - _EDGE - _SIDE
    places: list[Place] = []
    for number, colour in enumerate(COLOURS):
        under = y + number * (half + GAP)
        places += row("", ["stack"], [STACK[colour]], _LEFT, under, half, width=_SIDE)
    for number, heap in enumerate((DISCARDS, CRISES)):
        places += row("", [heap], [heap], right, y + number * (half + GAP), half, width=_SIDE)
    return places


LAYOUT: Final = Layout(boards=(_city(), _map()), mats=MATS, seats=SEAT_MARKS)
