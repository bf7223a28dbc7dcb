"""§7.1 Stones: one per island, none under a plank. The rules of the expert side alone are in expert.py.

§7.1 Stones. A stone goes on an island that has none, and that no plank passes over so that it would touch the stone
[R10]. It never moves; only `remove` takes it from the board. If there is no island for it, or no stone in the supply,
the stone is lost.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import PlaceStone, PlaceStoneAt
from engine.river_dragons.box.board import ISLAND_STONES
from engine.river_dragons.box.components import IslandId, Variant
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, StonePlaced
from engine.river_dragons.phases import PlacingStone
from engine.river_dragons.rules import expert
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State
from engine.river_dragons.water import is_empty


def place_stone(turn: Turn, seat: Seat, action: PlaceStone) -> None:
    """§7.1"""
    table = turn.state.table
    stone = ISLAND_STONES.get(action.island)
    if stone is None:
        raise RuleViolation(Code.ISLAND_UNKNOWN, rule="7.1", field="island", island=action.island)
    if stone.id in table.stone_ids:
        raise RuleViolation(Code.ISLAND_HAS_STONE, rule="7.1", field="island", island=action.island)
    if table.pairs.passing_over[stone.id] & table.laid:
        over = tuple(pair.id for pair in table.pairs.members(table.pairs.passing_over[stone.id] & table.laid))
        raise RuleViolation(Code.STONE_UNDER_PLANK, rule="7.1", field="island", planks=over)
    supply = turn.state.supply - 1
    turn.record(StonePlaced(seat=seat, stone=stone.id, x=stone.x, y=stone.y, supply=supply))


def place_stone_at(turn: Turn, seat: Seat, action: PlaceStoneAt) -> None:
    """§9"""
    state = turn.state
    expert.check_point(state.table, action.x, action.y)
    name = expert.next_stone(state.table)
    turn.record(StonePlaced(seat=seat, stone=name, x=action.x, y=action.y, supply=state.supply - 1))


def free_islands(state: State) -> tuple[IslandId, ...]:
    """§7.1 Return the islands where a stone may be put now, in the order of their names."""
    return state.table.free_islands


def lose_stone(turn: Turn, phase: PlacingStone) -> bool:
    """§7 Record that a stone is lost if the supply is empty or there is no place for it [R7]."""
    reason = _why_lost(turn.state)
    if reason is None:
        return False
    turn.record(PartLost(seat=phase.seat, card=phase.card, part=phase.part, reason=reason))
    return True


def _why_lost(state: State) -> LossReason | None:
    if state.supply == 0:
        return LossReason.SUPPLY_EMPTY
    if state.variant is Variant.ISLANDS:
        return None if free_islands(state) else LossReason.NO_LEGAL_PLACE
    return LossReason.NO_LEGAL_PLACE if is_empty(state.table.region) else None
