"""§4.5, §5.4 The building row: it slides towards the end and is refilled at the start.

Nobody sees below the top of a stack, so the next top is drawn from what is unseen of its era when it comes to light.

§4.5 Refilling the row. The remaining tiles slide towards the end, and the top tile of era 1 comes into the start
slot; when era 1 is used up, that of era 2. If both are used up, the slot stays empty [A10]. The last tile of an era
brings the Emperor (§8.2) or the end (§8.3).
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.river_of_gold.box.components import ROW_SLOTS, BuildingSet
from engine.river_of_gold.box.ids import BuildingId
from engine.river_of_gold.event_parts import Stack
from engine.river_of_gold.events import RowRefilled, TileDiscarded
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import State


def discard_end_tile(turn: Turn) -> None:
    """§5.4 Discard the tile in the end slot; nobody gains anything from it."""
    tile = turn.state.row[ROW_SLOTS - 1]
    if tile is None:
        raise ValueError("the end slot is never open: at most three tiles leave in the last turns (§8.4)")
    turn.record(TileDiscarded(building=tile, slot=ROW_SLOTS))


def refill(turn: Turn, chance: Chance) -> None:
    """§4.5 Refill from Era 1, then from Era 2; with both stacks empty the start slot stays empty."""
    state = turn.state
    era, stack, unseen = _next_stack(state)
    if stack.top is None:
        turn.record(RowRefilled(building=None, era=None, stack=None, emptied=False))
        return
    left = stack.left - 1
    top = _draw(unseen, chance) if left else None
    turn.record(RowRefilled(building=stack.top, era=era, stack=Stack(top=top, left=left), emptied=not left))


def _next_stack(state: State) -> tuple[BuildingSet, Stack, tuple[BuildingId, ...]]:
    if state.era_1.left:
        return BuildingSet.ERA_1, state.era_1, state.unseen_1
    return BuildingSet.ERA_2, state.era_2, state.unseen_2


def _draw(unseen: tuple[BuildingId, ...], chance: Chance) -> BuildingId:
    return unseen[chance.below(len(unseen))]
