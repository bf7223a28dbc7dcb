"""§7.4 Moves: a pawn steps onto a free adjacent plank, or into a village.

§7.4 Moves. From a village a pawn steps to a plank that ends there; from a plank it steps to an adjacent plank, or
into a village at its end. The plank must be free, since it holds only one pawn. Villages have room for all, and every
pawn may enter every village [R19]. `move2` is two such steps; the second may go straight back. A pawn cannot stay
where it is.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import Step
from engine.river_dragons.box.board import VILLAGE_PLACES
from engine.river_dragons.box.components import Place, village_of
from engine.river_dragons.errors import Code
from engine.river_dragons.events import FallReason, PawnFell, PawnStepped
from engine.river_dragons.phases import Jumping, Stepping
from engine.river_dragons.rules.ending import arrive
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State
from engine.river_dragons.table import Table


def step(turn: Turn, seat: Seat, action: Step) -> None:
    """§7.4 One step; `move2` is two of them, and the second may go straight back."""
    state, to = turn.state, action.to
    here = state.pawns[seat]
    check_known(state.table, to)
    if to not in state.table.network.neighbours(here):
        raise RuleViolation(Code.NOT_ADJACENT, rule="7.4", field="to", place=to, from_place=here)
    occupant = pawn_on(state, to)
    if occupant is not None:
        raise RuleViolation(Code.PLACE_TAKEN, rule="7.4", field="to", place=to, seat=occupant)
    turn.record(PawnStepped(seat=seat, from_place=here, to_place=to))
    arrive(turn, seat)


def check_known(table: Table, place: Place) -> None:
    """§2 Refuse a place that is neither a village nor a plank on the board."""
    if place not in VILLAGE_PLACES and place not in table.plank_by_id:
        raise RuleViolation(Code.PLACE_UNKNOWN, rule="7.4", field="to", place=place)


def steps(state: State, seat: Seat) -> list[Place]:
    """§7.4 Return the places the seat's pawn can step to."""
    return free(state, state.table.network.neighbours(state.pawns[seat]))


def free(state: State, places: list[Place]) -> list[Place]:
    """§7.4 Return the places a pawn can enter: a plank holds one pawn, a village any number [R19]."""
    taken = state.pawns
    return [place for place in places if place not in taken or place in VILLAGE_PLACES]


def pawn_on(state: State, plank: Place) -> Seat | None:
    """§7.4 Return the seat whose pawn stands on a plank; None for a free plank, and for every village."""
    if plank in VILLAGE_PLACES or plank not in state.pawns:
        return None
    return Seat(state.pawns.index(plank))


def lose_step(turn: Turn, phase: Stepping) -> bool:
    """§7 Let the pawn fall if it cannot step anywhere."""
    if steps(turn.state, phase.seat):
        return False
    fall(turn, phase, FallReason.NO_STEP)
    return True


def fall(turn: Turn, phase: Stepping | Jumping, reason: FallReason) -> None:
    """§7 Return the pawn to the start village, where it may be already [R9]; the card is over."""
    state, seat = turn.state, phase.seat
    home = Place(village_of(state.colours[seat]))
    turn.record(PawnFell(seat=seat, from_place=state.pawns[seat], to_place=home, reason=reason))
