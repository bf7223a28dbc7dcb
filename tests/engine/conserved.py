"""What is neither made nor lost in a match, game by game; raises AssertionError. Shared by all who play random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.al_rashid.box.components import TILE_COUNTS, tile_kind
from engine.river_dragons.box.components import STONE_COUNT, full_reserve
from engine.river_of_gold.box.buildings import tiles_of
from engine.river_of_gold.box.components import BuildingSet
from engine.river_of_gold.box.ids import CustomerId


def stones_and_planks(state: Any) -> None:
    """River Dragons"""
    assert 0 <= state.supply == STONE_COUNT - len(state.table.stones)
    assert len({stone.id for stone in state.table.stones}) == len(state.table.stones)
    planks = Counter(laid.plank for laid in state.table.planks)
    planks.update(plank for reserve in state.reserves for plank in reserve)
    planks.update(state.lost_planks)
    assert planks == Counter(plank for colour in state.colours for plank in full_reserve(colour))


def cards_and_tiles(state: Any) -> None:
    """River of Gold"""
    cards = Counter([*state.deck, *state.discards])
    for player in state.players:
        cards.update([*player.hand, *player.delivered])
    assert cards == Counter(CustomerId)
    on_board = [site.building for site in state.sites if site is not None]
    tops = [stack.top for stack in (state.era_1, state.era_2) if stack.top is not None]
    row = [tile for tile in state.row if tile is not None]
    tiles = Counter([*on_board, *tops, *row, *state.discarded, *state.unseen_1, *state.unseen_2])
    assert set(tiles.values()) == {1}
    eras = {*tiles_of(BuildingSet.ERA_1), *tiles_of(BuildingSet.ERA_2)}
    assert eras <= {*tiles}
    assert len(state.unseen_1) >= state.era_1.left - 1
    assert len(state.unseen_2) >= state.era_2.left - 1
    assert (state.era_1.top is None, state.era_2.top is None) == (
        not state.era_1.left,
        not state.era_2.left,
    )


def mercenary_tiles(state: Any) -> None:
    """Al-Rashid"""
    count = [a + b for a, b in zip(state.stacks, state.discards, strict=True)]
    for player in state.players:
        count = [a + b for a, b in zip(count, player.hand, strict=True)]
    seen = set()
    for lying in state.tiles:
        for tile in lying:
            count[tile_kind(tile.colour, tile.value)] += 1
            seen.add(tile.id)
    assert tuple(count) == TILE_COUNTS
    assert len(seen) == sum(map(len, state.tiles))
    assert min(*state.stacks, *state.discards, *(n for player in state.players for n in player.hand)) >= 0


CONSERVED: Final[Mapping[str, Callable[[Any], None]]] = {
    "river_dragons": stones_and_planks,
    "river_of_gold": cards_and_tiles,
    "al_rashid": mercenary_tiles,
}
