"""[F8] A seat leaves for good: it loses pieces, goods, notes and tiles, keeps its offices, and nobody waits for it."""

from __future__ import annotations

from engine.al_rashid.box.components import squad_of
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import EndReason
from engine.al_rashid.events import AlRashidEvent, SeatLeft
from engine.al_rashid.evolve import evolve
from engine.al_rashid.rules.course import settle
from engine.al_rashid.rules.scoring import end_match
from engine.al_rashid.rules.turn import Turn, check_seat
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat


def leave(state: State, seat: Seat, chance: Chance) -> tuple[AlRashidEvent, ...]:
    """[F8] Let a seat leave, on any seat's turn. The match goes on without it; the last player left wins."""
    check_seat(state, seat)
    if seat in state.left:
        raise RuleViolation(Code.ALREADY_LEFT, rule="F8", seat=seat)
    turn: Turn = Recorder(state, evolve)
    turn.record(SeatLeft(seat=seat, tiles=squad_of(state.players[seat].hand)))
    if len(turn.state.present) == 1:
        end_match(turn, EndReason.LAST_PLAYER_LEFT)
    settle(turn, chance)
    return turn.events
