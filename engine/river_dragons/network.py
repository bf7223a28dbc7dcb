"""The stones and planks on the board as a network: which planks lie at a support, and which places are next to each other (§2).

A network never changes. Placing or removing something gives another one, which has everything else in common with it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.river_dragons.box.board import VILLAGE_PLACES, Stone
from engine.river_dragons.box.components import Place, Plank, PlankId, SupportId


class LaidPlank(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2 A plank on the board; `a` and `b` are its supports, sorted."""

    id: PlankId
    plank: Plank
    a: SupportId
    b: SupportId


class Network:
    """The stones by their ids, and the planks by their ids and by their ends."""

    __slots__ = ("_neighbours", "plank_by_id", "planks_at", "stone_ids")

    def __init__(
        self,
        stone_ids: frozenset[SupportId],
        plank_by_id: dict[Place, LaidPlank],
        planks_at: dict[SupportId, list[LaidPlank]],
        neighbours: dict[Place, list[Place]],
    ) -> None:
        self.stone_ids = stone_ids
        self.plank_by_id = plank_by_id
        self.planks_at = planks_at
        """The planks that end at a support, in the order they were laid; supports without planks are absent."""
        self._neighbours = neighbours
        """What `neighbours` has answered; stones alone change nothing about it."""

    def with_stone(self, name: SupportId) -> Network:
        return Network(self.stone_ids | {name}, self.plank_by_id, self.planks_at, self._neighbours)

    def without_stone(self, name: SupportId) -> Network:
        return Network(self.stone_ids - {name}, self.plank_by_id, self.planks_at, self._neighbours)

    def with_plank(self, plank: LaidPlank) -> Network:
        planks_at = dict(self.planks_at)
        for end in (plank.a, plank.b):
            planks_at[end] = [*planks_at.get(end, ()), plank]
        return Network(self.stone_ids, {**self.plank_by_id, plank.id: plank}, planks_at, {})

    def without_plank(self, name: PlankId) -> Network:
        plank_by_id = dict(self.plank_by_id)
        plank = plank_by_id.pop(name, None)
        if plank is None:
            return self
        planks_at = dict(self.planks_at)
        for end in (plank.a, plank.b):
            others = [each for each in planks_at.pop(end) if each.id != name]
            if others:
                planks_at[end] = others
        return Network(self.stone_ids, plank_by_id, planks_at, {})

    def neighbours(self, place: Place) -> list[Place]:
        """§2 Return the places next to a place, taken or not.

        Next to a village: the planks that end there. Next to a plank: the planks that share a stone with it,
        and a village at its end; planks that share only a village are not adjacent [R1].
        """
        found = self._neighbours.get(place)
        if found is None:
            found = self._neighbours[place] = self._find_neighbours(place)
        return found

    def _find_neighbours(self, place: Place) -> list[Place]:
        here = self.plank_by_id.get(place)
        if here is None:
            return [plank.id for plank in self.planks_at.get(SupportId(place), ())]
        found: list[Place] = []
        for end in (here.a, here.b):
            village = Place(end)
            if village in VILLAGE_PLACES:
                found.append(village)
            else:
                found += [plank.id for plank in self.planks_at[end] if plank.id != place]
        return found


def network_of(stones: Iterable[Stone], planks: Iterable[LaidPlank]) -> Network:
    """Return the network of stones, and of planks in the order they were laid."""
    plank_by_id: dict[Place, LaidPlank] = {}
    planks_at: dict[SupportId, list[LaidPlank]] = {}
    for plank in planks:
        plank_by_id[plank.id] = plank
        planks_at.setdefault(plank.a, []).append(plank)
        planks_at.setdefault(plank.b, []).append(plank)
    return Network(frozenset([stone.id for stone in stones]), plank_by_id, planks_at, {})
