"""What lies on the board, and what follows from it: what can be laid, where a stone can stand, which supports are joined.

What follows is computed on first use and cached with the table, which never changes.

§2 The board. Planks lie on supports: villages, and stones. An island becomes a support when a stone is put on it. A
plank lies between two supports, at least one of them a stone. A pawn stands in a village or on a plank, never on a
stone. Planks are adjacent if a stone carries them both, and a plank is adjacent to the villages at its ends; a
village does not make its planks adjacent [R1]. The destination of a pawn is the village opposite its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from engine.river_dragons.box.board import (
    ISLAND_PAIRS,
    ISLAND_STONES,
    VILLAGE_SUPPORTS,
    PairTable,
    Stone,
    Support,
    open_water_pairs,
)
from engine.river_dragons.box.components import (
    PLANK_COUNT,
    PLANKS_PER_SUPPORT,
    STONE_COUNT,
    IslandId,
    Place,
    PlankId,
    SupportId,
    Variant,
)
from engine.river_dragons.network import LaidPlank, Network, network_of
from engine.river_dragons.templates import Region
from engine.river_dragons.water import Axis, region_of

_VILLAGES: Final = tuple(village.id for village in VILLAGE_SUPPORTS)
_NETWORK: Final = "network"
_PAIRS: Final = "_pairs_in_open_water"
_FORMER_PAIRS: Final = "_former_pairs"
"""Names of what a table may know: see `_pass_on`."""


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The stones and planks on the board, in the order they were placed."""

    variant: Variant
    stones: Annotated[tuple[Stone, ...], msgspec.Meta(max_length=STONE_COUNT)] = ()
    placed: int = 0
    """Stones placed in the whole match, removed ones included: numbers the expert side's stones [F2]."""
    planks: Annotated[tuple[LaidPlank, ...], msgspec.Meta(max_length=PLANK_COUNT)] = ()

    def with_stone(self, stone: Stone) -> Table:
        network = self._known_network()
        table = replace(self, stones=(*self.stones, stone), placed=self.placed + 1)
        return self._pass_on(table, network and network.with_stone(stone.id))

    def without_stone(self, stone: SupportId) -> Table:
        network = self._known_network()
        table = replace(self, stones=tuple([each for each in self.stones if each.id != stone]))
        return self._pass_on(table, network and network.without_stone(stone))

    def with_plank(self, plank: LaidPlank) -> Table:
        network = self._known_network()
        table = replace(self, planks=(*self.planks, plank))
        return self._pass_on(table, network and network.with_plank(plank))

    def without_plank(self, plank: PlankId) -> Table:
        network = self._known_network()
        table = replace(self, planks=tuple([each for each in self.planks if each.id != plank]))
        return self._pass_on(table, network and network.without_plank(plank))

    def _known_network(self) -> Network | None:
        """Return the network if anything has asked for it. A table that is only passed through needs none."""
        network: Network | None = self.__dict__.get(_NETWORK)
        return network

    def _pass_on(self, table: Table, network: Network | None) -> Table:
        """Return a table made from this one, which takes over what is known: its network, and pairs to make its own from."""
        known, passed_on = self.__dict__, table.__dict__
        if network is not None:
            passed_on[_NETWORK] = network
        if self.variant is Variant.EXPERT:
            passed_on[_FORMER_PAIRS] = known.get(_PAIRS) or known.get(_FORMER_PAIRS)
        return table

    @cached_property
    def network(self) -> Network:
        """The stones and planks as a network."""
        return network_of(self.stones, self.planks)

    @property
    def stone_ids(self) -> frozenset[SupportId]:
        return self.network.stone_ids

    @property
    def plank_by_id(self) -> dict[Place, LaidPlank]:
        return self.network.plank_by_id

    @property
    def planks_at(self) -> dict[SupportId, list[LaidPlank]]:
        """The planks that end at a support, in the order they were laid; supports without planks are absent."""
        return self.network.planks_at

    @property
    def pairs(self) -> PairTable:
        """The pairs of supports that matter on this side of the board."""
        return ISLAND_PAIRS if self.variant is Variant.ISLANDS else self._pairs_in_open_water

    @cached_property
    def _pairs_in_open_water(self) -> PairTable:
        former: PairTable | None = self.__dict__.get(_FORMER_PAIRS)
        return open_water_pairs(self.stones) if former is None else former.among(self.stones)

    def axis(self, plank: LaidPlank) -> Axis:
        """§7.2 Return the centres of a plank's supports."""
        a, b = self._centres[plank.a], self._centres[plank.b]
        return a.x, a.y, b.x, b.y

    @cached_property
    def _centres(self) -> Mapping[SupportId, Stone | Support]:
        if self.variant is Variant.ISLANDS:
            return ISLAND_PAIRS.supports
        centres: dict[SupportId, Stone | Support] = {village.id: village for village in VILLAGE_SUPPORTS}
        for stone in self.stones:
            centres[stone.id] = stone
        return centres

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
        pairs, network = self.pairs, self.network
        ending_at, passing_over = pairs.ending_at, pairs.passing_over
        closed = 0
        for plank in self.planks:
            closed |= pairs.closed_by(plank.id)
        for support, ending in network.planks_at.items():
            if len(ending) >= PLANKS_PER_SUPPORT:
                closed |= ending_at[support]
        for support in (*_VILLAGES, *network.stone_ids):
            closed |= passing_over[support]
        if self.variant is Variant.ISLANDS:
            for island in ISLAND_STONES.keys() - network.stone_ids:
                closed |= ending_at[island]
        return pairs.everything & ~closed

    def fitting_pairs(self, size: int) -> int:
        """§7.2 The pairs where a plank of this size may be laid now."""
        return self.open_pairs & self.pairs.fitting[size]

    @cached_property
    def free_islands(self) -> tuple[IslandId, ...]:
        """§7.1 The islands where a stone may be put now, in the order of their names. Islands only."""
        over, laid, taken = self.pairs.passing_over, self.laid, self.stone_ids
        return tuple([island for island in ISLAND_STONES if island not in taken and not over[island] & laid])

    @cached_property
    def region(self) -> Region:
        """§9 Where a stone may be put now. Expert side only."""
        return region_of(self.stones, map(self.axis, self.planks))
