"""The way home: what is still to be put down and walked between a pawn and its destination (§7, §8).

Counted in parts of cards: a stone, a plank and a step are one each. A way is the cheapest over the whole board, islands without
a stone and gaps without a plank included. If something has to be removed first (§7.3), because a plank or a stone is
in the way or the seat has none left, the removal is counted too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import ceil, hypot
from typing import Final

import msgspec

from engine.kernel.seats import Seat
from engine.river_dragons.box.board import ISLAND_STONES, VILLAGE_SUPPORTS, PairTable
from engine.river_dragons.box.components import (
    PLANK_LENGTHS,
    PLANKS_PER_SUPPORT,
    STONE_COUNT,
    Place,
    SupportId,
    Variant,
    destination_of,
)
from engine.river_dragons.state import State
from engine.river_dragons.table import Table

STONE: Final = 1.0
PLANK: Final = 1.0
STEP: Final = 1.0
OBSTACLE: Final = 2.5
"""§7.3 The cost of a removal that is needed first; another seat may make it earlier."""
NO_WAY: Final = 40.0
"""Longer than any way there is."""
_USUAL_SIZE: Final = 5
"""§9 The plank counted on open water: each next stone is as far away as this plank reaches."""
_TABLES: Final = 1024
_VILLAGES: Final = frozenset(village.id for village in VILLAGE_SUPPORTS)


class Leg(msgspec.Struct, frozen=True):
    """One plank of a way, already laid or not, and the support behind it."""

    stone: bool
    """The support behind the plank has no stone yet."""
    plank: bool
    """The plank is not laid yet."""
    obstacle: bool
    """Something has to be removed first."""
    smallest: int
    """§7.2 The size of the shortest plank that is long enough."""
    steps: int
    """The steps it takes: one onto the plank; one more if the support behind it is a village (§7.4)."""


class Guide(msgspec.Struct, frozen=True):
    """The cheapest way from every support to one village."""

    cost: dict[SupportId, float]
    onward: dict[SupportId, tuple[tuple[Leg, ...], SupportId]]
    """The next legs, and where they lead."""

    def legs_from(self, support: SupportId) -> Iterator[Leg]:
        while support in self.onward:
            legs, support = self.onward[support]
            yield from legs


_BY_STONE: Final = Leg(stone=True, plank=True, obstacle=False, smallest=_USUAL_SIZE, steps=1)
_HOME: Final = Leg(stone=False, plank=True, obstacle=False, smallest=_USUAL_SIZE, steps=2)


def way(state: State, seat: Seat) -> tuple[Leg, ...]:
    """Return the cheapest way from the seat's pawn to its destination; empty if there is none."""
    guide = _guide(state, seat)
    here = _start(state.table, state.pawns[seat], guide)
    return () if here is None else tuple(guide.legs_from(here))


def length(state: State, seat: Seat) -> float:
    """Return what the seat's way costs, in parts of cards."""
    guide = _guide(state, seat)
    here = _start(state.table, state.pawns[seat], guide)
    return NO_WAY if here is None else guide.cost[here]


def _guide(state: State, seat: Seat) -> Guide:
    longest = max([plank.size for plank in state.reserves[seat]], default=0)
    return _guide_to(state.table, destination_of(state.colours[seat]), longest)


def _start(table: Table, place: Place, guide: Guide) -> SupportId | None:
    """§7.4 Return where the way starts: a pawn's village, or the better end of the plank it is on."""
    laid = table.plank_by_id.get(place)
    ends = (SupportId(place),) if laid is None else (laid.a, laid.b)
    return min([end for end in ends if end in guide.cost], key=guide.cost.__getitem__, default=None)


@lru_cache(maxsize=_TABLES)
def _guide_to(table: Table, goal: SupportId, longest: int) -> Guide:
    """Search from the destination outwards (Dijkstra)."""
    roads, laid, closed, standing = _roads(table.pairs), table.laid, _closed(table), table.stone_ids
    supply = STONE_COUNT - len(table.stones)
    cost: dict[SupportId, float] = {}
    best: dict[SupportId, float] = {goal: 0.0}
    onward: dict[SupportId, tuple[tuple[Leg, ...], SupportId]] = {}
    if table.variant is Variant.EXPERT:
        _over_open_water(table, goal, best, onward)
    queue = [(so_far, support) for support, so_far in best.items()]
    heapify(queue)
    while queue:
        so_far, here = heappop(queue)
        if here in cost:
            continue
        cost[here] = so_far
        stone = here not in standing and here not in _VILLAGES
        steps = 1 + (here in _VILLAGES)
        through = so_far + steps * STEP + stone * STONE
        for bit, smallest, there in roads[here]:
            if there in cost:
                continue
            plank = not bit & laid
            obstacle = (plank and (smallest > longest or bool(bit & closed))) or (stone and not supply)
            total = through + plank * PLANK + obstacle * OBSTACLE
            if total < best.get(there, NO_WAY):
                best[there] = total
                onward[there] = (Leg(stone, plank, obstacle, smallest, steps),), here
                heappush(queue, (total, there))
    return Guide(cost, onward)


@lru_cache(maxsize=256)
def _roads(pairs: PairTable) -> dict[SupportId, list[tuple[int, int, SupportId]]]:
    """Return for every support the pairs that end there, each with its bit, the shortest plank and the other end."""
    roads: dict[SupportId, list[tuple[int, int, SupportId]]] = {support: [] for support in pairs.supports}
    for pair in pairs.pairs:
        roads[pair.a.id].append((pair.bit, pair.smallest, pair.b.id))
        roads[pair.b.id].append((pair.bit, pair.smallest, pair.a.id))
    return roads


@lru_cache(maxsize=_TABLES)
def _closed(table: Table) -> int:
    """§7.1, §7.2 Return the pairs where no plank could be laid now, even if more stones were placed."""
    pairs = table.pairs
    closed = 0
    for plank in table.planks:
        closed |= pairs.crossing(pairs.by_id[plank.id])
    for support, ending in table.planks_at.items():
        if len(ending) >= PLANKS_PER_SUPPORT:
            closed |= pairs.ending_at[support]
    for support in (*_VILLAGES, *table.stone_ids):
        closed |= pairs.passing_over[support]
    if table.variant is Variant.ISLANDS:
        for island in ISLAND_STONES.keys() - table.stone_ids:
            if pairs.passing_over[island] & table.laid:
                closed |= pairs.ending_at[island]
    return closed


def _over_open_water(
    table: Table,
    goal: SupportId,
    best: dict[SupportId, float],
    onward: dict[SupportId, tuple[tuple[Leg, ...], SupportId]],
) -> None:
    """§9 Begin with the straight way from every support to the destination, with the stones and planks it needs."""
    supports = table.pairs.supports
    end = supports[goal]
    for support in supports.values():
        if support is end or len(table.planks_at.get(support.id, ())) >= PLANKS_PER_SUPPORT:
            continue
        gap = hypot(support.x - end.x, support.y - end.y) - support.radius - end.radius
        legs = (_BY_STONE,) * (max(ceil(gap / PLANK_LENGTHS[_USUAL_SIZE]), 1) - 1) + (_HOME,)
        onward[support.id] = legs, goal
        best[support.id] = sum([leg.stone * STONE + leg.plank * PLANK + leg.steps * STEP for leg in legs])
