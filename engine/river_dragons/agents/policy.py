"""§11 What an absent player does: a legal answer to every decision, the same whenever the seat knows the same.

The seat walks home and does not hinder the others. The policy reads the board and nothing that is hidden.

==========  =================================================================================================
decision    answer, and why
==========  =================================================================================================
program     move1, move2, jump, stone1, plank1: no dragon cancels a card, nothing is removed
stone       the free island nearest to the own village; on the expert side a point that follows from the
            region alone: near home it hinders nobody
plank size  the shortest: the long ones are kept for a player who returns
plank pair  the one nearest to the own village: for the same reason as the stone
remove      a stone that carries nothing, else an own plank, else any: what others built stays
step        to the place nearest to the destination: what the player would want
jump        likewise
==========  =================================================================================================

A match with a round limit always ends by [R23]. In a match without one, no absent player is played for.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.kernel.chance import SeededChance
from engine.kernel.seats import Seat
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.board import Pair
from engine.river_dragons.box.components import (
    Card,
    Place,
    PlankId,
    SupportId,
    Variant,
    destination_of,
    village_of,
)
from engine.river_dragons.box.geometry import distance_squared
from engine.river_dragons.phases import (
    ChoosingPlank,
    Executing,
    Jumping,
    LayingPlank,
    PlacingStone,
    Programming,
    Removing,
    Stepping,
)
from engine.river_dragons.rules.expert import sample_point
from engine.river_dragons.rules.jumps import jumps
from engine.river_dragons.rules.moves import steps
from engine.river_dragons.rules.planks import sizes
from engine.river_dragons.rules.removal import removable_planks, removable_stones
from engine.river_dragons.rules.turn import seats_to_program
from engine.river_dragons.state import State
from engine.river_dragons.table import Table

QUIET_PROGRAM: Final = SubmitProgram(cards=(Card.MOVE1, Card.MOVE2, Card.JUMP, Card.STONE1, Card.PLANK1))
"""§5 The own pawn first, then one stone and one plank."""
_NO_SECRET: Final = bytes(32)


def policy(state: State, seat: Seat) -> RiverDragonsAction:
    """Return the answer to the seat's open decision. Raises LookupError if it has none."""
    phase = state.phase
    if isinstance(phase, Programming) and seat in seats_to_program(state):
        return QUIET_PROGRAM
    if isinstance(phase, Executing) and phase.seat == seat:
        return _carry_out(state, phase)
    raise LookupError(f"seat {seat} has no open decision")


def _carry_out(state: State, phase: Executing) -> RiverDragonsAction:
    """§7"""
    seat, table = phase.seat, state.table
    colour = state.colours[seat]
    home, goal = village_of(colour), destination_of(colour)
    match phase:
        case Stepping():
            return Step(to=min(steps(state, seat), key=lambda place: _from_place(table, place, goal)))
        case Jumping():
            over, to = min(jumps(state, seat), key=lambda each: (_from_place(table, each[1], goal), each[0]))
            return Jump(over=over, to=to)
        case PlacingStone() if state.variant is Variant.EXPERT:
            return sample_point(table.region, SeededChance(_NO_SECRET, table.placed))
        case PlacingStone():
            islands = table.free_islands
            return PlaceStone(island=min(islands, key=lambda island: _apart(table, island, home)))
        case ChoosingPlank():
            return ChoosePlank(size=min(sizes(state, seat)))
        case LayingPlank():
            fitting = table.pairs.members(table.fitting_pairs(phase.plank.size))
            pair = min(fitting, key=lambda each: (_from_pair(table, each, home), each.id))
            return LayPlank(a=pair.a.id, b=pair.b.id)
        case Removing():
            return _removal(state, seat)
        case _:
            assert_never(phase)


def _removal(state: State, seat: Seat) -> RemovePlank | RemoveStone:
    """§7.3 Return the removal that harms least."""
    stones = removable_stones(state)
    if stones:
        return RemoveStone(support=stones[-1])
    planks = removable_planks(state, seat)
    return RemovePlank(plank=min(planks, key=lambda plank: _missed(state, seat, plank)))


def _missed(state: State, seat: Seat, plank: PlankId) -> tuple[bool, PlankId]:
    """§7.3 Return a sort key: the seat's own planks come before those of others."""
    return state.table.plank_by_id[plank].plank.colour is not state.colours[seat], plank


def _apart(table: Table, one: SupportId, other: SupportId) -> tuple[int, SupportId]:
    """Return the squared distance of two supports; the name breaks ties."""
    a, b = table.pairs.supports[one], table.pairs.supports[other]
    return distance_squared(a.x, a.y, b.x, b.y), one


def _from_pair(table: Table, pair: Pair, support: SupportId) -> int:
    """Return the squared distance from the middle of a plank to a support, in half units."""
    there = table.pairs.supports[support]
    return distance_squared(pair.a.x + pair.b.x, pair.a.y + pair.b.y, 2 * there.x, 2 * there.y)


def _from_place(table: Table, place: Place, support: SupportId) -> tuple[int, Place]:
    """Return the squared distance from a pawn's possible place to a support, in half units; the name breaks ties."""
    laid = table.plank_by_id.get(place)
    if laid is None:
        return 4 * _apart(table, SupportId(place), support)[0], place
    return _from_pair(table, table.pairs.by_id[laid.id], support), place
