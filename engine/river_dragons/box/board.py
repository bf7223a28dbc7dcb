"""Which pairs of supports a plank can join, and which pairs block each other (§7.2, §14).

A set of pairs is an integer: bit n stands for the pair number n. So "what may be laid now" takes only a few
operations on integers, however full the board is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from engine.river_dragons.box.components import (
    MIN_OVERLAP,
    PLANK_LENGTHS,
    PLANK_SIZES,
    PLANK_WIDTH,
    STONE_RADIUS,
    IslandId,
    PlankId,
    SupportId,
    Variant,
    plank_id,
)
from engine.river_dragons.box.geometry import distance_squared, nearer_than_to_segment, segments_nearer_than
from engine.river_dragons.box.sites import ISLANDS, VILLAGES


class Stone(msgspec.Struct, frozen=True):
    """§7.1 A stone on the board: its position and its name."""

    id: SupportId
    x: int
    y: int


class Support(msgspec.Struct, frozen=True):
    """§2 Where a plank can end. `radius` is the village's or the stone's."""

    id: SupportId
    x: int
    y: int
    radius: int
    is_village: bool


class Pair(msgspec.Struct, frozen=True):
    """Two supports that the longest plank can join. The plank's axis runs from centre to centre."""

    number: int
    bit: int
    """2 to the power of `number`."""
    id: PlankId
    a: Support
    b: Support
    smallest: int
    """The shortest plank that is long enough."""
    left: int
    right: int
    top: int
    bottom: int
    """The box around the axis: what lies farther outside it than a limit needs no exact check."""


def reach(size: int, a: Support, b: Support) -> int:
    """§7.2 Return the greatest distance between two centres that a plank of this size can join."""
    return PLANK_LENGTHS[size] + a.radius + b.radius - 2 * MIN_OVERLAP


def smallest_fitting(a: Support, b: Support) -> int | None:
    """§7.2 Return the shortest plank that joins two supports; None if all are too short."""
    distance = distance_squared(a.x, a.y, b.x, b.y)
    if distance > reach(PLANK_SIZES[-1], a, b) ** 2:
        return None
    for size in PLANK_SIZES:
        if distance <= reach(size, a, b) ** 2:
            return size
    return None


def passes_over(pair: Pair, third: Support) -> bool:
    """§7.2 [R16] Return whether a plank on this pair would touch a third support."""
    x, y, limit = third.x, third.y, third.radius + PLANK_WIDTH // 2
    if not (pair.left - limit < x < pair.right + limit and pair.top - limit < y < pair.bottom + limit):
        return False
    return nearer_than_to_segment(x, y, pair.a.x, pair.a.y, pair.b.x, pair.b.y, limit)


def cross(one: Pair, other: Pair) -> bool:
    """§7.2 [R15] Return whether planks on these two pairs would touch; never true if they share a support."""
    if (
        one.left - other.right >= PLANK_WIDTH
        or other.left - one.right >= PLANK_WIDTH
        or one.top - other.bottom >= PLANK_WIDTH
        or other.top - one.bottom >= PLANK_WIDTH
    ):
        return False
    a, b, c, d = one.a, one.b, other.a, other.b
    if a.id == c.id or a.id == d.id or b.id == c.id or b.id == d.id:  # noqa: PLR1714 - a third faster than `in`
        return False
    return segments_nearer_than(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, PLANK_WIDTH)


class PairTable:
    """All pairs among some supports, in the order the supports were added. It never changes: `with_support` returns a copy."""

    def __init__(self) -> None:
        self.supports: dict[SupportId, Support] = {}
        self.pairs: list[Pair] = []
        self.by_id: dict[PlankId, Pair] = {}
        self.fitting: dict[int, int] = dict.fromkeys(PLANK_SIZES, 0)
        """By size: the pairs a plank of that size is long enough for."""
        self.ending_at: dict[SupportId, int] = {}
        """By support: the pairs that end there."""
        self.passing_over: dict[SupportId, int] = {}
        """By support: the pairs that pass over it and do not end there."""
        self.everything = 0
        """All pairs."""
        self._crossing: dict[PlankId, tuple[int, int]] = {}

    def with_support(self, support: Support) -> PairTable:
        """Return a copy with one more support."""
        grown = PairTable()
        grown.supports = dict(self.supports)
        grown.pairs = list(self.pairs)
        grown.by_id = dict(self.by_id)
        grown.fitting = dict(self.fitting)
        grown.ending_at = dict(self.ending_at)
        grown.passing_over = dict(self.passing_over)
        grown._crossing = dict(self._crossing)
        grown._add(support)
        return grown

    def _add(self, new: Support) -> None:
        self.passing_over[new.id] = _set(pair for pair in self.pairs if passes_over(pair, new))
        self.ending_at[new.id] = 0
        for old in self.supports.values():
            if not (new.is_village and old.is_village):
                self._join(old, new)
        self.supports[new.id] = new
        self.everything = (1 << len(self.pairs)) - 1

    def _join(self, old: Support, new: Support) -> None:
        smallest = smallest_fitting(old, new)
        if smallest is None:
            return
        pair = _pair(len(self.pairs), old, new, smallest)
        self.pairs.append(pair)
        self.by_id[pair.id] = pair
        for size in range(smallest, PLANK_SIZES[-1] + 1):
            self.fitting[size] |= pair.bit
        self.ending_at[old.id] |= pair.bit
        self.ending_at[new.id] |= pair.bit
        for third in self.supports.values():
            if passes_over(pair, third) and third is not old:
                self.passing_over[third.id] |= pair.bit

    def crossing(self, pair: Pair) -> int:
        """§7.2 [R15] Return the pairs without a common support whose planks would touch this one's."""
        mask, checked = self._crossing.get(pair.id, (0, 0))
        if checked < len(self.pairs):
            mask |= _set(other for other in self.pairs[checked:] if cross(pair, other))
            self._crossing[pair.id] = (mask, len(self.pairs))
        return mask

    def members(self, mask: int) -> Iterator[Pair]:
        """Yield the pairs of a set, by number."""
        pairs = self.pairs
        while mask:
            lowest = mask & -mask
            yield pairs[lowest.bit_length() - 1]
            mask ^= lowest


def _pair(number: int, one: Support, other: Support, smallest: int) -> Pair:
    a, b = (one, other) if one.id < other.id else (other, one)
    return Pair(
        number=number,
        bit=1 << number,
        id=plank_id(a.id, b.id),
        a=a,
        b=b,
        smallest=smallest,
        left=min(a.x, b.x),
        right=max(a.x, b.x),
        top=min(a.y, b.y),
        bottom=max(a.y, b.y),
    )


def _set(pairs: Iterable[Pair]) -> int:
    """Return pairs as a set."""
    mask = 0
    for pair in pairs:
        mask |= pair.bit
    return mask


def _table_of(supports: Iterable[Support]) -> PairTable:
    table = PairTable()
    for support in supports:
        table._add(support)  # noqa: SLF001 - not shared yet
    return table


VILLAGE_SUPPORTS: Final = tuple(
    Support(village.id, village.x, village.y, village.radius, is_village=True) for village in VILLAGES
)
ISLAND_STONES: Final[dict[IslandId, Stone]] = {
    island.id: Stone(island.id, island.x, island.y) for island in ISLANDS
}
"""§7.1 The stone of every island; the island's name is the stone's."""


def stone_support(stone: Stone) -> Support:
    return Support(stone.id, stone.x, stone.y, STONE_RADIUS, is_village=False)


ISLAND_PAIRS: Final = _table_of((*VILLAGE_SUPPORTS, *map(stone_support, ISLAND_STONES.values())))
"""The pairs of the island side, as if a stone stood on every island."""

_VILLAGES_ONLY: Final = _table_of(VILLAGE_SUPPORTS)
_OPEN_WATER_TABLES: Final = 128
"""Tables kept for the expert side: a match needs its own and those of fewer stones, about 60 kB each."""


@lru_cache(maxsize=_OPEN_WATER_TABLES)
def open_water_pairs(stones: tuple[Stone, ...]) -> PairTable:
    """§9 Return the pairs among the villages and these stones. Built on the table without the last stone."""
    if not stones:
        return _VILLAGES_ONLY
    return open_water_pairs(stones[:-1]).with_support(stone_support(stones[-1]))


def pair_table(variant: Variant, stones: tuple[Stone, ...]) -> PairTable:
    """Return the pairs that matter on this side of the board."""
    return ISLAND_PAIRS if variant is Variant.ISLANDS else open_water_pairs(stones)
