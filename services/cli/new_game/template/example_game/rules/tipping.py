"""§4 Tipping a bowl.

§4 Tipping. Who has scored may tip one of the two other bowls, if there are pebbles in it; all of them leave the game.
The bowl that the die has chosen cannot be tipped. The player may also keep the bowls as they are.
"""

from __future__ import annotations

from engine.interface import RuleViolation, Seat

from example_game.actions import Tip
from example_game.box import Bowl
from example_game.errors import Code
from example_game.events import BowlsKept, BowlTipped
from example_game.rules.ending import next_round
from example_game.rules.turn import Turn
from example_game.state import State


def tip(turn: Turn, seat: Seat, action: Tip) -> None:
    """§4 Tip a bowl."""
    state, bowl = turn.state, action.bowl
    if bowl is state.chosen:
        raise RuleViolation(Code.BOWL_CHOSEN, rule="4", field="bowl", bowl=bowl)
    if not state.in_bowl(bowl):
        raise RuleViolation(Code.BOWL_EMPTY, rule="4", field="bowl", bowl=bowl)
    turn.record(BowlTipped(seat=seat, bowl=bowl, pebbles=state.in_bowl(bowl)))
    next_round(turn)


def keep(turn: Turn, seat: Seat) -> None:
    """§4 Tip no bowl."""
    turn.record(BowlsKept(seat=seat))
    next_round(turn)


def can_be_tipped(state: State) -> tuple[Bowl, ...]:
    """§4 Return the bowls that may be tipped now."""
    return tuple(bowl for bowl in Bowl if bowl is not state.chosen and state.in_bowl(bowl))
