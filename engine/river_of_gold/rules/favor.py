"""§3.1 Favor turns the die.

§3.1 Favor turns the die. Before the action, 1 favor turns the own die up or down by one face, as often as the player
likes and can pay. After 6 comes 1, and after 1 comes 6.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import RiverOfGoldAction, SpendFavor
from engine.river_of_gold.box.components import FACES
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import Direction
from engine.river_of_gold.gain_events import FavorSpent
from engine.river_of_gold.rules.turn import Turn

SPENDINGS: Final[tuple[RiverOfGoldAction, ...]] = tuple(
    SpendFavor(direction=direction) for direction in Direction
)
_STEP: Final[dict[Direction, int]] = {Direction.UP: 1, Direction.DOWN: -1}


def spend_favor(turn: Turn, seat: Seat, action: SpendFavor) -> None:
    """§3.1 Turn the die by one face for 1 favor; possible any number of times before the action."""
    player = turn.state.players[seat]
    if not player.favor:
        raise RuleViolation(Code.FAVOR_NOT_OWNED, rule="3.1", favor=player.favor)
    face = turned(player.die, _STEP[action.direction])
    turn.record(FavorSpent(seat=seat, favor=1, direction=action.direction, face=face))


def turned(face: int, steps: int) -> int:
    """§3.1 Return the face after so many steps; 6 wraps to 1 and 1 to 6.

    >>> turned(6, 1), turned(1, -1), turned(3, 1)
    (1, 6, 4)
    """
    return (face - 1 + steps) % len(FACES) + 1
