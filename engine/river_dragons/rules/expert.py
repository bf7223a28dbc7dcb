"""§9 The expert side: a stone goes to any integer point of the water that is far enough from everything [R24].

§9 Expert side. This side of the board has no islands. A stone goes to any point of the water, named by two integers,
that is far enough from the edge of the water, from villages and other stones, and not under a plank [R24] [F3].
Everything else is as on the side with islands.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.river_dragons.actions import PlaceStoneAt
from engine.river_dragons.box.board import VILLAGE_SUPPORTS
from engine.river_dragons.box.components import (
    STONE_TO_STONE,
    STONE_TO_VILLAGE_EDGE,
    STONE_TO_WATER_EDGE,
    SupportId,
)
from engine.river_dragons.box.geometry import distance_squared, nearer_than_to_segment
from engine.river_dragons.errors import Code
from engine.river_dragons.table import Table
from engine.river_dragons.templates import Region
from engine.river_dragons.water import UNDER_PLANK, columns, contains, count_points, in_water, nth_point, rows

TRIES: Final = 64
"""Random points tried before all are counted: on an open board more than half of them are legal."""


def next_stone(table: Table) -> SupportId:
    """Return the name of the next stone: `S1`, `S2`, … in the order of placement; no name is used twice [F2]."""
    return SupportId(f"S{table.placed + 1}")


def check_point(table: Table, x: int, y: int) -> None:
    """§9 Refuse a point outside the legal region, with the first reason why."""
    if not contains(table.region, x, y):
        raise _refusal(table, x, y)


def _refusal(table: Table, x: int, y: int) -> RuleViolation:
    """§9 Return the refusal with the first reason. The refusal names the field `x` for errors of the point."""
    if not in_water(table.region, x, y):
        return RuleViolation(Code.NOT_IN_WATER, rule="9", field="x", min_distance=STONE_TO_WATER_EDGE)
    for village in VILLAGE_SUPPORTS:
        least = village.radius + STONE_TO_VILLAGE_EDGE
        distance = distance_squared(x, y, village.x, village.y)
        if distance < least * least:
            return RuleViolation(
                Code.TOO_NEAR_VILLAGE,
                rule="9",
                field="x",
                village=village.id,
                distance=isqrt(distance),
                min_distance=least,
            )
    for stone in table.stones:
        distance = distance_squared(x, y, stone.x, stone.y)
        if distance < STONE_TO_STONE * STONE_TO_STONE:
            return RuleViolation(
                Code.TOO_NEAR_STONE,
                rule="9",
                field="x",
                stone=stone.id,
                distance=isqrt(distance),
                min_distance=STONE_TO_STONE,
            )
    return RuleViolation(Code.STONE_UNDER_PLANK, rule="7.1", field="x", planks=_planks_over(table, x, y))


def _planks_over(table: Table, x: int, y: int) -> tuple[str, ...]:
    return tuple(
        plank.id for plank in table.planks if nearer_than_to_segment(x, y, *table.axis(plank), UNDER_PLANK)
    )


def sample_point(region: Region, chance: Chance) -> PlaceStoneAt:
    """§9 Return any legal point, each equally likely: first by trying points, then by counting all of them."""
    across, down = columns(region), rows(region)
    for _ in range(TRIES):
        x = across[chance.below(len(across))]
        y = down[chance.below(len(down))]
        if contains(region, x, y):
            return PlaceStoneAt(x=x, y=y)
    point = nth_point(region, chance.below(count_points(region)))
    return PlaceStoneAt(x=point.x, y=point.y)
