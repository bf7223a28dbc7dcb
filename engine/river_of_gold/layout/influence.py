"""The board of the influence tracks: a column for each region, with its scoring tile on top and space 0 at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kernel.layout import Board, Box, Group, Path, Place
from engine.river_of_gold.box.board import FLOWER_SPACE, TRACK_END, TRACK_SPACES
from engine.river_of_gold.box.components import REGIONS, Region
from engine.river_of_gold.layout.places import artisan_space, elder_space, region_group, track_space

_COLUMN: Final = 110
_WIDTH: Final = 100
"""Of the places of a column."""
_TILE: Final = 70
"""Height of a scoring tile."""
_SPACE: Final = 40
"""Height of a space."""
_STEP: Final = _SPACE + 4
_MARGIN: Final = 15
_MARKERS_Y: Final = _MARGIN + _TILE + 6
_TRACK_Y: Final = _MARKERS_Y + 48 + 10
_HEIGHT: Final = _TRACK_Y + (TRACK_END + 1) * _STEP - 4 + _MARGIN
_REWARDED: Final = frozenset(space.space for space in TRACK_SPACES)


def _column(region: Region) -> Iterator[Place]:
    left = _MARGIN + (region - 1) * _COLUMN
    x, group = left + _WIDTH // 2, region_group(region)
    yield Place(
        id=group,
        kind="region_tile",
        x=x,
        y=_MARGIN + _TILE // 2,
        width=_WIDTH,
        height=_TILE,
        group=group,
        label=str(region),
    )
    for place, kind, at in (
        (artisan_space(region), "artisan_space", left + 24),
        (elder_space(region), "elder_space", left + _WIDTH - 24),
    ):
        yield Place(id=place, kind=kind, x=at, y=_MARKERS_Y + 24, width=48, height=48, group=group)
    for space in range(TRACK_END + 1):
        y = _TRACK_Y + (TRACK_END - space) * _STEP + _SPACE // 2
        yield Place(
            id=track_space(region, space),
            kind=_kind(space),
            x=x,
            y=y,
            width=_WIDTH,
            height=_SPACE,
            group=group,
            label=str(space),
        )


def _kind(space: int) -> str:
    """§4.6 Return what the space gives: a reward, the imperial flower, or nothing."""
    if space == FLOWER_SPACE:
        return "imperial_flower"
    return "track_reward" if space in _REWARDED else "track_space"


def _paths() -> Iterator[Path]:
    for region in REGIONS:
        for space in range(TRACK_END):
            yield Path(
                a=track_space(region, space), b=track_space(region, space + 1), kind="track", directed=True
            )


INFLUENCE_BOARD: Final = Board(
    id="influence",
    view_box=Box(x=0, y=0, width=2 * _MARGIN + len(REGIONS) * _COLUMN - (_COLUMN - _WIDTH), height=_HEIGHT),
    places=tuple(place for region in REGIONS for place in _column(region)),
    groups=tuple(Group(id=region_group(region), kind="region") for region in REGIONS),
    paths=tuple(_paths()),
)
