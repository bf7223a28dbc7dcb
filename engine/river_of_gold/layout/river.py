"""The board of the river, drawn as a loop: the spaces before the bend lead to the right, those after it back to the left.

Looking downstream, the left bank is the outside of the loop and the right bank the inside. So there are a row of shore spaces, the
river and a row of shore spaces, twice. At the bend two shore spaces touch both runs: one lies inside the loop, the other closes it
on the right. On the left the loop is open: there a ship completes its journey, past the merchants.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Final

from engine.kernel.layout import Board, Box, Group, Path, Place
from engine.river_of_gold.box.board import (
    COSTS,
    REGION_OF,
    RIVERS,
    SHORE_SPACES,
    SHORES,
    VISITED,
    Bank,
)
from engine.river_of_gold.box.components import REGIONS
from engine.river_of_gold.layout.places import MERCHANT_SPACE, region_group
from engine.river_of_gold.layout.river_spans import (
    BEND,
    INSIDE,
    OUTSIDE,
    RIVER_SPANS,
    SHORE_SPANS,
    Span,
)

_MARGIN: Final = 12
_GAP: Final = 6
_BANK: Final = 110
_WATER: Final = 110
_MIDDLE: Final = 16
"""Between the two inner banks, which do not touch."""
_EDGE: Final = 1
"""Between the outline of a place and the room it has."""
_MOUTH: Final = 112
"""How far the river reaches beyond the shore spaces on the left."""

_BEND_X: Final = _MARGIN + _MOUTH - min(left for left, _ in RIVER_SPANS)
_WIDTH: Final = _BEND_X + _GAP + _BANK + _MARGIN
_HEIGHTS: Final = (_BANK + _GAP, _WATER + _GAP, _BANK + _MIDDLE, _BANK + _GAP, _WATER + _GAP)
_OUTER_1, _RIVER_1, _INNER_1, _INNER_2, _RIVER_2, _OUTER_2 = accumulate(_HEIGHTS, initial=_MARGIN)
"""The upper edges of the rows."""
_HEIGHT: Final = _OUTER_2 + _BANK + _MARGIN
_ROWS: Final = {
    (Bank.LEFT, False): _OUTER_1,
    (Bank.RIGHT, False): _INNER_1,
    (Bank.RIGHT, True): _INNER_2,
    (Bank.LEFT, True): _OUTER_2,
}
"""The rows of shore spaces, by bank and by whether they lie after the bend."""


def _place(place: str, kind: str, x: Span, y: Span, *, group: str = "", label: str = "") -> Place:
    """Return a rectangle between these edges, with a narrow gap to its neighbours."""
    return Place(
        id=place,
        kind=kind,
        x=sum(x) // 2,
        y=sum(y) // 2,
        width=x[1] - x[0] - 2 * _EDGE,
        height=y[1] - y[0] - 2 * _EDGE,
        group=group,
        label=label,
    )


def _shore(at: int, x: Span, y: Span) -> Place:
    """§2.1, §4.2 Return a shore space; its inscription is its cost, and imperial markets lie where there is none."""
    cost = COSTS[at]
    return _place(
        SHORES[at],
        "imperial_shore" if cost is None else "shore",
        x,
        y,
        group=region_group(REGION_OF[at]),
        label="" if cost is None else str(cost),
    )


def _shores() -> Iterator[Place]:
    for at, space in enumerate(SHORE_SPACES):
        if at == OUTSIDE:
            middle = _WATER // 2
            yield _shore(
                at,
                (_BEND_X + _GAP, _BEND_X + _GAP + _BANK),
                (_RIVER_1 + middle, _RIVER_2 + _WATER - middle),
            )
            continue
        left, right = SHORE_SPANS[at]
        row = _ROWS[space.bank, not any(at in around for around in VISITED[:BEND])]
        bottom = _INNER_2 + _BANK if at == INSIDE else row + _BANK
        yield _shore(at, (_BEND_X + left, _BEND_X + right), (row, bottom))


def _rivers() -> Iterator[Place]:
    """Return the river spaces; the first and the last one reach to the left edge."""
    for river, (place, (left, right)) in enumerate(zip(RIVERS, RIVER_SPANS, strict=True)):
        top = _RIVER_1 if river < BEND else _RIVER_2
        start = _MARGIN if river in (0, len(RIVERS) - 1) else _BEND_X + left
        yield _place(place, "river", (start, _BEND_X + right), (top, top + _WATER), label=str(river + 1))


def _merchant_space() -> Place:
    """§10.3 Return the space at the river's end, between its last space and its first one."""
    middle = _BANK // 2
    return _place(
        MERCHANT_SPACE, "merchant_space", (_MARGIN, _MARGIN + 100), (_INNER_1 + middle, _INNER_2 + middle)
    )


def _paths() -> Iterator[Path]:
    """§1.2 Return the way of the ships, and which shore spaces each river space touches."""
    for river, after in pairwise(RIVERS):
        yield Path(a=river, b=after, kind="river", directed=True)
    yield Path(a=RIVERS[-1], b=RIVERS[0], kind="journey", directed=True)
    for river, around in zip(RIVERS, VISITED, strict=True):
        for at in around:
            yield Path(a=river, b=SHORES[at], kind="visit")


RIVER_BOARD: Final = Board(
    id="river",
    view_box=Box(x=0, y=0, width=_WIDTH, height=_HEIGHT),
    places=(*_rivers(), *_shores(), _merchant_space()),
    groups=tuple(Group(id=region_group(region), kind="region") for region in REGIONS),
    paths=tuple(_paths()),
)
