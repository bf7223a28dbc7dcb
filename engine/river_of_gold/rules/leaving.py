"""[F8] A seat leaves for good: it loses markers, ships and goods, keeps delivered cards, and nobody waits for it."""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import EndReason
from engine.river_of_gold.events import RiverOfGoldEvent, SeatLeft
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.rules.course import settle
from engine.river_of_gold.rules.scoring import end_match
from engine.river_of_gold.rules.turn import Turn, check_seat
from engine.river_of_gold.state import State


def leave(state: State, seat: Seat, chance: Chance) -> tuple[RiverOfGoldEvent, ...]:
    """[F8] Remove a seat, whoever's turn it is. The match goes on without it; the last seat that remains wins."""
    check_seat(state, seat)
    if seat in state.left:
        raise RuleViolation(Code.ALREADY_LEFT, rule="F8", seat=seat)
    turn: Turn = Recorder(state, evolve)
    turn.record(SeatLeft(seat=seat, customers=state.players[seat].hand))
    if len(turn.state.present) == 1:
        end_match(turn, EndReason.LAST_PLAYER_LEFT)
    settle(turn, chance)
    return turn.events
