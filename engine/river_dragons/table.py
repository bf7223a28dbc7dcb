"""What lies on the board, and what follows from it: what can be laid, where a stone can stand, which supports are joined.

What follows is computed on first use and cached with the table, which never changes.

§2 The board. Planks lie on supports: villages, and stones. An island becomes a support when a stone is put on it. A
plank lies between two supports, at least one of them a stone. A pawn stands in a village or on a plank, never on a
stone. Planks are adjacent if a stone carries them both, and a plank is adjacent to the villages at its ends; a
village does not make its planks adjacent [R1]. The destination of a pawn is the village opposite its own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import msgspec
from msgspec.structs import replace

from engine.river_dragons.box.board import (
    ISLAND_STONES,
    VILLAGE_SUPPORTS,
    PairTable,
    Stone,
    pair_table,
)
from engine.river_dragons.box.components import (
    PLANK_COUNT,
    PLANKS_PER_SUPPORT,
    STONE_COUNT,
    IslandId,
    Place,
    Plank,
    PlankId,
    SupportId,
    Variant,
)
from engine.river_dragons.templates import Region
from engine.river_dragons.water import region_of


class LaidPlank(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2 A plank on the board; `a` and `b` are its supports, sorted."""

    id: PlankId
    plank: Plank
    a: SupportId
    b: SupportId


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The stones and planks on the board, in the order they were placed."""

    variant: Variant
    stones: Annotated[tuple[Stone, ...], msgspec.Meta(max_length=STONE_COUNT)] = ()
    placed: int = 0
    """Stones placed in the whole match, removed ones included: numbers the expert side's stones [F2]."""
    planks: Annotated[tuple[LaidPlank, ...], msgspec.Meta(max_length=PLANK_COUNT)] = ()

    def with_stone(self, stone: Stone) -> Table:
        return replace(self, stones=(*self.stones, stone), placed=self.placed + 1)

    def without_stone(self, stone: SupportId) -> Table:
        return replace(self, stones=tuple(each for each in self.stones if each.id != stone))

    def with_plank(self, plank: LaidPlank) -> Table:
        return replace(self, planks=(*self.planks, plank))

    def without_plank(self, plank: PlankId) -> Table:
        return replace(self, planks=tuple(each for each in self.planks if each.id != plank))

    @cached_property
    def pairs(self) -> PairTable:
        """The pairs of supports that matter on this side of the board."""
        return pair_table(self.variant, self.stones)

    @cached_property
    def stone_ids(self) -> frozenset[SupportId]:
        return frozenset(stone.id for stone in self.stones)

    @cached_property
    def plank_by_id(self) -> dict[Place, LaidPlank]:
        return {plank.id: plank for plank in self.planks}

    @cached_property
    def planks_at(self) -> dict[SupportId, list[LaidPlank]]:
        """The planks that end at a support, in the order they were laid; supports without planks are absent."""
        ending: dict[SupportId, list[LaidPlank]] = {}
        for plank in self.planks:
            ending.setdefault(plank.a, []).append(plank)
            ending.setdefault(plank.b, []).append(plank)
        return ending

    @cached_property
    def laid(self) -> int:
        """The pairs that have a plank."""
        by_id = self.pairs.by_id
        mask = 0
        for plank in self.planks:
            mask |= by_id[plank.id].bit
        return mask

    @cached_property
    def open_pairs(self) -> int:
        """§7.2 The pairs where a plank may be laid now, if it is long enough."""
        pairs = self.pairs
        closed = self.laid
        for plank in self.planks:
            closed |= pairs.crossing(pairs.by_id[plank.id])
        for support, ending in self.planks_at.items():
            if len(ending) >= PLANKS_PER_SUPPORT:
                closed |= pairs.ending_at[support]
        for village in VILLAGE_SUPPORTS:
            closed |= pairs.passing_over[village.id]
        for stone in self.stones:
            closed |= pairs.passing_over[stone.id]
        if self.variant is Variant.ISLANDS:
            for island in ISLAND_STONES.keys() - self.stone_ids:
                closed |= pairs.ending_at[island]
        return pairs.everything & ~closed

    def fitting_pairs(self, size: int) -> int:
        """§7.2 The pairs where a plank of this size may be laid now."""
        return self.open_pairs & self.pairs.fitting[size]

    @cached_property
    def free_islands(self) -> tuple[IslandId, ...]:
        """§7.1 The islands where a stone may be put now, in the order of their names. Islands only."""
        over, laid, taken = self.pairs.passing_over, self.laid, self.stone_ids
        return tuple(island for island in ISLAND_STONES if island not in taken and not over[island] & laid)

    @cached_property
    def region(self) -> Region:
        """§9 Where a stone may be put now. Expert side only."""
        return region_of(self.stones, (self.pairs.by_id[plank.id] for plank in self.planks))
