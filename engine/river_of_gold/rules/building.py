"""§4 Build a tile of the row on an empty shore space.

§4 Build. The player puts a tile of the building row on an empty shore space and marks it.

§4.1 Where one may build. The shore space has no tile and lies in the region that the die shows. No ship need be near.

§4.2 Cost. The player pays the koku printed on the space, 2 less with an artisan marker in its region. Who cannot pay
all of it cannot build there [A39].

§4.3 Choosing a tile. Any tile of the row may be built. The one in the end slot also brings 1 favor at once.

§4.4 Marker and influence. The player puts a marker on the tile and advances on the track of the region by the tile's
bonus, 0 to 5, collecting rewards on the way (§4.6).
"""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import Build
from engine.river_of_gold.box.board import COSTS, REGION_OF, SHORE_INDEX, SHORES, SHORES_OF, TOUCHING
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import ARTISAN_DISCOUNT, END_SLOT_FAVOR, ROW_SLOTS
from engine.river_of_gold.box.ids import BuildingId
from engine.river_of_gold.box.patrons import KAIU, TAKA, TAKA_VP
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import InfluenceSource
from engine.river_of_gold.gain_events import BuildingBuilt, PatronRewarded
from engine.river_of_gold.rules.choices import open_choices
from engine.river_of_gold.rules.gaining import favor_gained
from engine.river_of_gold.rules.holdings import artisan_regions
from engine.river_of_gold.rules.influence import advance
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Player, State


def build(turn: Turn, seat: Seat, action: Build) -> None:
    """§4.1 to §4.4"""
    state = turn.state
    player = state.players[seat]
    at = SHORE_INDEX[action.shore]
    cost = _check_space(state, player, at)
    if action.building not in state.row:
        row = tuple(tile.value for tile in state.row if tile is not None)
        raise RuleViolation(
            Code.TILE_NOT_IN_ROW, rule="4.3", field="building", building=action.building.value, row=row
        )
    slot = state.row.index(action.building) + 1
    favor = favor_gained(player, END_SLOT_FAVOR) if slot == ROW_SLOTS else 0
    turn.record(
        BuildingBuilt(
            seat=seat, shore=action.shore, building=action.building, slot=slot, koku=cost, favor=favor
        )
    )
    bonus = BUILDING[action.building].bonus
    opened = advance(turn, seat, REGION_OF[at], bonus, InfluenceSource.BUILDING_BONUS, shore=action.shore)
    if player.patron is TAKA:
        turn.record(PatronRewarded(seat=seat, patron=TAKA, vp=TAKA_VP * TOUCHING[at]))
    open_choices(turn, opened)


def _check_space(state: State, player: Player, at: int) -> int:
    """§4.1, §4.2 Return what the space costs. Raises RuleViolation if the player cannot build on it."""
    if player.patron is not KAIU and REGION_OF[at] != player.die:
        raise RuleViolation(
            Code.SPACE_OF_OTHER_REGION,
            rule="4.1",
            field="shore",
            shore=SHORES[at].value,
            region=REGION_OF[at],
            die=player.die,
        )
    site = state.sites[at]
    cost = cost_for(player, at)
    if site is not None or cost is None:
        building = "" if site is None else site.building.value
        raise RuleViolation(
            Code.SPACE_NOT_EMPTY, rule="4.1", field="shore", shore=SHORES[at].value, building=building
        )
    if cost > player.koku:
        raise RuleViolation(
            Code.SPACE_UNAFFORDABLE,
            rule="4.2",
            field="shore",
            shore=SHORES[at].value,
            cost=cost,
            koku=player.koku,
        )
    return cost


def cost_for(player: Player, at: int) -> int | None:
    """§4.2 [A39] Return what a shore space costs this player; None where nobody can build."""
    cost = COSTS[at]
    if cost is None or REGION_OF[at] not in artisan_regions(player):
        return cost
    return cost - ARTISAN_DISCOUNT


def build_spaces(state: State, player: Player) -> list[int]:
    """§4.1, §4.2 Return the shore spaces the player may build on now and can pay for."""
    shores = range(len(SHORES)) if player.patron is KAIU else SHORES_OF[player.die]
    sites, koku = state.sites, player.koku
    artisans = artisan_regions(player) if player.delivered else ()
    found = []
    for at in shores:
        cost = COSTS[at]
        if sites[at] is None and cost is not None:
            discount = ARTISAN_DISCOUNT if REGION_OF[at] in artisans else 0
            if cost - discount <= koku:
                found.append(at)
    return found


def builds(state: State, player: Player) -> list[Build]:
    """§4 Return every build: each tile of the row on each space the player may build on and can pay for."""
    spaces = build_spaces(state, player)
    if not spaces:
        return []
    tiles = [tile for tile in state.row if tile is not None]
    return [_BUILDS[at][tile] for at in spaces for tile in tiles]


_BUILDS: Final = tuple({tile: Build(shore=shore, building=tile) for tile in BuildingId} for shore in SHORES)
"""Every action, made once: by index of the shore space and by tile."""
