"""§6 Leaving the match.

§6 Leaving. A player may leave at any time, and then takes part in nothing more. The pebbles stay where they are; those
placed in secret go back to the hand unseen [R1]. When only one player is left, the match ends, and that player wins.
Who has left ranks behind all who have stayed.
"""

from __future__ import annotations

from engine.interface import Chance, Recorder, RuleViolation, Seat

from example_game.errors import Code
from example_game.events import EndReason, GameEvent, SeatLeft
from example_game.evolve import evolve
from example_game.rules.ending import end, next_round
from example_game.rules.scoring import reveal
from example_game.rules.turn import Turn, check_seat
from example_game.state import Stage, State


def leave(state: State, seat: Seat, chance: Chance) -> tuple[GameEvent, ...]:
    """§6 Take a seat out of the match, whoever's turn it is. The match never waits for it again."""
    check_seat(state, seat)
    if seat in state.left:
        raise RuleViolation(Code.ALREADY_LEFT, rule="6", seat=seat)
    turn: Turn = Recorder(state, evolve)
    turn.record(SeatLeft(seat=seat))
    if len(turn.state.present) == 1:
        end(turn, EndReason.LAST_PLAYER_LEFT)
    elif state.tipper == seat:
        next_round(turn)
    elif state.stage is Stage.PLACING and not turn.state.to_place:
        reveal(turn, chance)
    return turn.events
