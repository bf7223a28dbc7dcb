"""Which pairs of supports a plank can join, and which pairs block each other (§7.2, §14).

A set of pairs is an integer: bit n stands for the pair number n. So "what may be laid now" takes only a few
operations on integers, however full the board is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final

import msgspec

from engine.river_dragons.box.components import (
    MIN_OVERLAP,
    PLANK_LENGTHS,
    PLANK_SIZES,
    PLANK_WIDTH,
    STONE_RADIUS,
    IslandId,
    Place,
    PlankId,
    SupportId,
    plank_id,
)
from engine.river_dragons.box.geometry import nearer_than_to_segment, segments_nearer_than
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


@cache  # by what the radii are together: stones and villages have one each
def _reaches_squared(radii: int) -> tuple[int, ...]:
    """§7.2 Return the squares of the greatest distances that the planks can join, by size."""
    return tuple((PLANK_LENGTHS[size] + radii - 2 * MIN_OVERLAP) ** 2 for size in PLANK_SIZES)


def smallest_fitting(a: Support, b: Support) -> int | None:
    """§7.2 Return the shortest plank that joins two supports; None if all are too short."""
    dx, dy, reaches = a.x - b.x, a.y - b.y, _reaches_squared(a.radius + b.radius)
    shorter = bisect_left(reaches, dx * dx + dy * dy)
    return PLANK_SIZES[shorter] if shorter < len(PLANK_SIZES) else None


def passes_over(pair: Pair, third: Support) -> bool:
    """§7.2 [R16] Return whether a plank on this pair would touch a third support."""
    a, b = pair.a, pair.b
    return nearer_than_to_segment(third.x, third.y, a.x, a.y, b.x, b.y, third.radius + PLANK_WIDTH // 2)


def cross(one: Pair, other: Pair) -> bool:
    """§7.2 [R15] Return whether planks on these two pairs would touch; never true if they share a support."""
    a, b, c, d = one.a, one.b, other.a, other.b
    if a.id == c.id or a.id == d.id or b.id == c.id or b.id == d.id:  # noqa: PLR1714 - a third faster than `in`
        return False
    return segments_nearer_than(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, PLANK_WIDTH)


class PairTable:
    """All pairs among some supports, in the order the supports were added. It never changes: `among` returns another one.

    Numbers of pairs that are gone are not used again, so that those of the others stay.
    """

    def __init__(self) -> None:
        self.supports: dict[SupportId, Support] = {}
        self.by_id: dict[PlankId, Pair] = {}
        self.fitting: dict[int, int] = dict.fromkeys(PLANK_SIZES, 0)
        """By size: the pairs a plank of that size is long enough for."""
        self.ending_at: dict[SupportId, int] = {}
        """By support: the pairs that end there."""
        self.passing_over: dict[SupportId, int] = {}
        """By support: the pairs that pass over it and do not end there; also some that are gone."""
        self.everything = 0
        """All pairs."""
        self._numbered: list[Pair] = []
        """By number: the pairs, and those that are gone."""
        self._closed_by: dict[PlankId, tuple[int, int]] = {}
        """By plank: what `closed_by` has answered, and how many pairs it has looked at."""

    @property
    def pairs(self) -> list[Pair]:
        return list(self.by_id.values())

    def among(self, stones: tuple[Stone, ...]) -> PairTable:
        """§9 Return the pairs among the villages and these stones: this table, or a copy without some supports and with others."""
        wanted = {(stone.id, stone.x, stone.y) for stone in stones}
        gone = [
            support
            for support in self.supports.values()
            if not support.is_village and (support.id, support.x, support.y) not in wanted
        ]
        if not gone and len(stones) == len(self.supports) - len(VILLAGE_SUPPORTS):
            return self
        if len(self._numbered) > _MAX_GONE + 2 * len(self.by_id):
            return open_water_pairs(stones)
        other = self._copy()
        for support in gone:
            other._drop(support)  # noqa: SLF001 - not shared yet
        for stone in stones:
            if stone.id not in other.supports:
                other._add(stone_support(stone))  # noqa: SLF001
        return other

    def _copy(self) -> PairTable:
        copy = PairTable()
        copy.supports = dict(self.supports)
        copy.by_id = dict(self.by_id)
        copy.fitting = dict(self.fitting)
        copy.ending_at = dict(self.ending_at)
        copy.passing_over = dict(self.passing_over)
        copy.everything = self.everything
        copy._numbered = list(self._numbered)
        copy._closed_by = dict(self._closed_by)
        return copy

    def _drop(self, support: Support) -> None:
        gone = self.ending_at.pop(support.id)
        for pair in self.members(gone):
            del self.by_id[pair.id]
            self._closed_by.pop(pair.id, None)
        del self.supports[support.id], self.passing_over[support.id]
        self.everything &= ~gone
        for size in PLANK_SIZES:
            self.fitting[size] &= ~gone
        for other in self.supports:
            self.ending_at[other] &= ~gone

    def _add(self, new: Support) -> None:
        limit = new.radius + PLANK_WIDTH // 2
        left, right, top, bottom = new.x - limit, new.x + limit, new.y - limit, new.y + limit
        over = 0
        for pair in self.by_id.values():
            if pair.left < right and pair.right > left and pair.top < bottom and pair.bottom > top:
                over |= pair.bit * passes_over(pair, new)
        self.passing_over[new.id] = over
        self.ending_at[new.id] = 0
        for old in self.supports.values():
            smallest = smallest_fitting(old, new)
            if smallest is not None and not (new.is_village and old.is_village):
                self._join(old, new, smallest)
        self.supports[new.id] = new

    def _join(self, old: Support, new: Support, smallest: int) -> None:
        pair = _pair(len(self._numbered), old, new, smallest)
        bit = pair.bit
        self._numbered.append(pair)
        self.by_id[pair.id] = pair
        self.everything |= bit
        for size in range(smallest, PLANK_SIZES[-1] + 1):
            self.fitting[size] |= bit
        self.ending_at[old.id] |= bit
        self.ending_at[new.id] |= bit
        left, right, top, bottom = pair.left, pair.right, pair.top, pair.bottom
        for third in self.supports.values():
            x, y, limit = third.x, third.y, third.radius + PLANK_WIDTH // 2
            if left - limit < x < right + limit and top - limit < y < bottom + limit and third is not old:
                self.passing_over[third.id] |= bit * passes_over(pair, third)

    def closed_by(self, plank: PlankId) -> int:
        """§7.2 Return the pairs where nothing can be laid because of this plank: its own and those it crosses; also some that are gone."""
        mask, checked = self._closed_by.get(plank, (0, 0))
        if checked < len(self._numbered):
            pair = self.by_id[plank]
            mask |= pair.bit | self._crossing(pair, self._numbered[checked:])
            self._closed_by[plank] = (mask, len(self._numbered))
        return mask

    def crossing(self, pair: Pair) -> int:
        """§7.2 [R15] Return the pairs without a common support whose planks would touch this one's."""
        return self.closed_by(pair.id) & self.everything & ~pair.bit

    def _crossing(self, pair: Pair, others: list[Pair]) -> int:
        left, right = pair.left - PLANK_WIDTH, pair.right + PLANK_WIDTH
        top, bottom = pair.top - PLANK_WIDTH, pair.bottom + PLANK_WIDTH
        mask = 0
        for other in others:
            if other.left < right and other.right > left and other.top < bottom and other.bottom > top:
                mask |= other.bit * cross(pair, other)
        return mask

    def members(self, mask: int) -> Iterator[Pair]:
        """Yield the pairs of a set, by number."""
        pairs = self._numbered
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


def _table_of(supports: Iterable[Support]) -> PairTable:
    table = PairTable()
    for support in supports:
        table._add(support)  # noqa: SLF001 - not shared yet
    return table


VILLAGE_SUPPORTS: Final = tuple(
    Support(village.id, village.x, village.y, village.radius, is_village=True) for village in VILLAGES
)
VILLAGE_PLACES: Final = frozenset(Place(village.id) for village in VILLAGES)
"""§2 The places that are villages; all others are planks."""
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
_MAX_GONE: Final = 64
"""A table with more pairs that are gone than others, and this many more, is built anew."""


@lru_cache(maxsize=_OPEN_WATER_TABLES)
def open_water_pairs(stones: tuple[Stone, ...]) -> PairTable:
    """§9 Return the pairs among the villages and these stones. Built on the table without the last stone."""
    return open_water_pairs(stones[:-1]).among(stones) if stones else _VILLAGES_ONLY
