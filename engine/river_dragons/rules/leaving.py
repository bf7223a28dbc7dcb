"""[R29] A seat leaves for good: its pawn goes home, its reserve leaves the game, its remaining slots are empty."""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import Place, village_of
from engine.river_dragons.errors import Code
from engine.river_dragons.events import EndReason, MatchEnded, RiverDragonsEvent, SeatLeft
from engine.river_dragons.evolve import evolve
from engine.river_dragons.rules.rounds import settle
from engine.river_dragons.rules.turn import Turn, check_seat
from engine.river_dragons.state import State


def leave(state: State, seat: Seat, chance: Chance) -> tuple[RiverDragonsEvent, ...]:  # noqa: ARG001 - nothing is drawn
    """[R29] Take a seat out of the match, whoever's turn it is. The match goes on without it; the last seat that stays wins."""
    check_seat(state, seat)
    if seat in state.left:
        raise RuleViolation(Code.ALREADY_LEFT, rule="R29", seat=seat)
    turn: Turn = Recorder(state, evolve)
    turn.record(
        SeatLeft(
            seat=seat,
            from_place=state.pawns[seat],
            to_place=Place(village_of(state.colours[seat])),
            planks=state.reserves[seat],
        )
    )
    present = turn.state.present
    if len(present) == 1:
        turn.record(MatchEnded(reason=EndReason.LAST_PLAYER_LEFT, winners=present))
    settle(turn)
    return turn.events
