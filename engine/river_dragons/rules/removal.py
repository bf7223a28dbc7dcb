"""§7.3 Remove: one plank into the own reserve, or one stone that carries none into the supply.

§7.3 Remove. The player takes one plank from the board into the own reserve, or one stone that carries no plank back
to the supply. The plank must not carry a pawn; the reserve must not have a plank of its size, and must not hold more
than two colours afterwards, the own colour counted like any other [R18]. If anything can be taken, something must be
taken.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import RemovePlank, RemoveStone
from engine.river_dragons.box.components import RESERVE_COLOURS, Colour, Plank, PlankId, SupportId
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, PlankRemoved, StoneRemoved
from engine.river_dragons.phases import Removing
from engine.river_dragons.rules.moves import pawn_on
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State


def remove_plank(turn: Turn, seat: Seat, action: RemovePlank) -> None:
    """§7.3 Remove a plank of any colour from any place; a pawn may be left stranded [R28]."""
    state = turn.state
    laid = state.table.plank_by_id.get(action.plank)
    if laid is None:
        raise RuleViolation(Code.PLANK_UNKNOWN, rule="7.3", field="plank", plank=action.plank)
    occupant = pawn_on(state, laid.id)
    if occupant is not None:
        raise RuleViolation(Code.PLANK_OCCUPIED, rule="7.3", field="plank", plank=laid.id, seat=occupant)
    sizes, colours = _sizes_and_colours(state.reserves[seat])
    obstacle = _obstacle(sizes, colours, laid.plank)
    if obstacle is not None:
        raise RuleViolation(
            obstacle,
            rule="7.3",
            field="plank",
            size=laid.plank.size,
            colour=laid.plank.colour,
            colours=tuple(sorted(colours)),
        )
    turn.record(PlankRemoved(seat=seat, id=laid.id, plank=laid.plank))


def _obstacle(sizes: list[int], colours: set[Colour], plank: Plank) -> Code | None:
    """§7.3 A reserve holds one plank of a size, and two colours at most; the own colour is not special [R18]."""
    if plank.size in sizes:
        return Code.SIZE_IN_RESERVE
    if len(colours) + (plank.colour not in colours) > RESERVE_COLOURS:
        return Code.THIRD_COLOUR
    return None


def _sizes_and_colours(reserve: tuple[Plank, ...]) -> tuple[list[int], set[Colour]]:
    return [plank.size for plank in reserve], {plank.colour for plank in reserve}


def remove_stone(turn: Turn, seat: Seat, action: RemoveStone) -> None:
    """§7.3 Remove a stone that carries no plank."""
    state, name = turn.state, action.support
    table = state.table
    if name not in table.stone_ids:
        raise _no_stone(state, name)
    if name in table.planks_at:
        planks = tuple(plank.id for plank in table.planks_at[name])
        raise RuleViolation(
            Code.STONE_CARRIES_PLANK, rule="7.3", field="support", support=name, planks=planks
        )
    turn.record(StoneRemoved(seat=seat, stone=name, supply=state.supply + 1))


def _no_stone(state: State, name: SupportId) -> RuleViolation:
    support = state.table.pairs.supports.get(name)
    if support is None:
        code = Code.SUPPORT_UNKNOWN
    elif support.is_village:
        code = Code.NOT_A_STONE
    else:
        code = Code.SUPPORT_HAS_NO_STONE
    return RuleViolation(code, rule="7.3", field="support", support=name)


def removable_planks(state: State, seat: Seat) -> list[PlankId]:
    """§7.3 Return the planks the seat may take, in the order they were laid."""
    sizes, colours = _sizes_and_colours(state.reserves[seat])
    occupied = state.pawns
    return [
        laid.id
        for laid in state.table.planks
        if _obstacle(sizes, colours, laid.plank) is None and laid.id not in occupied
    ]


def removable_stones(state: State) -> list[SupportId]:
    """§7.3 Return the stones that carry no plank, in the order they were placed."""
    carrying = state.table.planks_at
    return [stone.id for stone in state.table.stones if stone.id not in carrying]


def lose_removal(turn: Turn, phase: Removing) -> bool:
    """§7 Record that nothing is removed if there is no legal target of either kind."""
    if removable_stones(turn.state) or removable_planks(turn.state, phase.seat):
        return False
    turn.record(PartLost(seat=phase.seat, card=phase.card, part=phase.part, reason=LossReason.NO_TARGET))
    return True
