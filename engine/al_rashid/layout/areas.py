"""How the places of one area lie: its name above, the five slots below it, then what the area has to offer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.al_rashid.box.areas import GUILDS
from engine.al_rashid.box.components import SLOTS, AreaId
from engine.al_rashid.box.offices import OFFICES_OF
from engine.al_rashid.layout.ids import BENEVOLENCE, GOODS_AT, SLOT_IDS, TILES_AT
from engine.kernel.layout import Place

WIDTH: Final = 384
"""The width of an area, in units of the board."""
GAP: Final = 4
"""Between places of an area."""
BANNER: Final = 56
"""The height of an area's name, which is touched to choose the area; wide enough for a finger on a small screen."""
SLOT: Final = 60
OFFER: Final = 56
"""The height of a service or a favor."""
OFFICE: Final = 84
"""The height of an office: room for its name, what it does, its cost and its points."""
OFFICES_IN_A_ROW: Final = 4
HEAP: Final = 62
"""The height of what lies on a territory."""
_GOODS_WIDTH: Final = 258
"""The rest of a territory's width is left to its mercenaries."""
_HEAD: Final = BANNER + GAP + SLOT + GAP
"""From the upper edge of an area to what it has to offer."""


def palace(area: AreaId, x: int, y: int) -> list[Place]:
    """Return the places of a palace; `x` and `y` are its upper left corner."""
    offices = OFFICES_OF[area]
    under = y + _HEAD
    places = [*_head(area, "palace", x, y)]
    if area in GUILDS:
        guild = GUILDS[area]
        places += row(area, ["service", "favor"], [guild.service, guild.head], x, under, OFFER)
    else:
        places += row(area, [BENEVOLENCE], [BENEVOLENCE], x, under, OFFER)
    under += OFFER + GAP
    for first in range(0, len(offices), OFFICES_IN_A_ROW):
        side_by_side = offices[first : first + OFFICES_IN_A_ROW]
        places += row(area, ["office"] * len(side_by_side), side_by_side, x, under, OFFICE)
        under += OFFICE + GAP
    return places


def palace_height(area: AreaId) -> int:
    """Return the height of a palace."""
    rows = -(-len(OFFICES_OF[area]) // OFFICES_IN_A_ROW)
    return _HEAD + OFFER + rows * (GAP + OFFICE)


def territory(area: AreaId, x: int, y: int) -> list[Place]:
    """Return the places of a territory; `x` and `y` are its upper left corner."""
    under = y + _HEAD
    beside = _GOODS_WIDTH + GAP
    return [
        *_head(area, "territory", x, y),
        *row(area, ["goods"], [GOODS_AT[area]], x, under, HEAP, width=_GOODS_WIDTH),
        *row(area, ["mercenaries"], [TILES_AT[area]], x + beside, under, HEAP, width=WIDTH - beside),
    ]


def territory_height() -> int:
    """Return the height of a territory."""
    return _HEAD + HEAP


def row(
    group: str,
    kinds: Iterable[str],
    ids: Iterable[str],
    x: int,
    y: int,
    height: int,
    *,
    numbered: bool = False,
    width: int = WIDTH,
) -> list[Place]:
    """Return places of the same width side by side; `x` and `y` are the upper left corner of the row.

    If `numbered`, they are inscribed with 1, 2, 3 and so on.
    """
    named = list(zip(kinds, ids, strict=True))
    each = (width - (len(named) - 1) * GAP) // len(named)
    return [
        Place(
            id=name,
            kind=kind,
            x=x + number * (each + GAP) + each // 2,
            y=y + height // 2,
            width=each,
            height=height,
            group=group,
            label=str(number + 1) if numbered else "",
        )
        for number, (kind, name) in enumerate(named)
    ]


def _head(area: AreaId, kind: str, x: int, y: int) -> list[Place]:
    return [
        *row(area, [kind], [area], x, y, BANNER),
        *row(area, ["slot"] * SLOTS, SLOT_IDS[area], x, y + BANNER + GAP, SLOT, numbered=True),
    ]
