"""§7.5 The jump: over one pawn on an adjacent plank, to a place next to that plank.

§7.5 Jump. The pawn jumps over another pawn that stands on an adjacent plank, and lands on a free plank adjacent to
that plank or in a village at its end. It cannot land where it began [R21], and pawns in villages cannot be jumped
[R20]. Nothing happens to the pawn that is jumped.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import Jump
from engine.river_dragons.box.components import Place
from engine.river_dragons.errors import Code
from engine.river_dragons.events import FallReason, PawnJumped
from engine.river_dragons.phases import Jumping
from engine.river_dragons.rules.ending import arrive
from engine.river_dragons.rules.moves import check_known, fall, free, pawn_on
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State


def jump(turn: Turn, seat: Seat, action: Jump) -> None:
    """§7.5 Jump over a pawn; the jumped pawn is not affected."""
    state, over, to = turn.state, action.over, action.to
    here = state.pawns[seat]
    if over not in jumpable(state, seat):
        raise RuleViolation(Code.NOBODY_TO_JUMP, rule="7.5", field="over", seat=over)
    between = state.pawns[over]
    check_known(state.table, to)
    if to == here:
        raise RuleViolation(Code.LANDING_AT_START, rule="7.5", field="to", place=to)
    if to not in state.table.network.neighbours(between):
        raise RuleViolation(Code.NOT_ADJACENT, rule="7.5", field="to", place=to, from_place=between)
    occupant = pawn_on(state, to)
    if occupant is not None:
        raise RuleViolation(Code.LANDING_TAKEN, rule="7.5", field="to", place=to, seat=occupant)
    turn.record(PawnJumped(seat=seat, from_place=here, over=over, over_place=between, to_place=to))
    arrive(turn, seat)


def jumpable(state: State, seat: Seat) -> list[Seat]:
    """§7.5 Return the seats whose pawns stand on an adjacent plank; pawns in villages cannot be jumped [R20]."""
    places = state.table.network.neighbours(state.pawns[seat])
    return [occupant for place in places if (occupant := pawn_on(state, place)) is not None]


def jumps(state: State, seat: Seat) -> list[tuple[Seat, Place]]:
    """§7.5 Return every pawn that can be jumped with every place to land; where the jump began is not one [R21]."""
    here = state.pawns[seat]
    return [
        (over, place)
        for over in jumpable(state, seat)
        for place in free(state, state.table.network.neighbours(state.pawns[over]))
        if place != here
    ]


def lose_jump(turn: Turn, phase: Jumping) -> bool:
    """§7 Let the pawn fall if there is nobody to jump over or nowhere to land."""
    if jumps(turn.state, phase.seat):
        return False
    somebody = jumpable(turn.state, phase.seat)
    fall(turn, phase, FallReason.NO_LANDING if somebody else FallReason.NOBODY_TO_JUMP)
    return True
