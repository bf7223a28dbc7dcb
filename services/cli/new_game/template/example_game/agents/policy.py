"""What is played for an absent player: it places no pebbles and tips no bowl, so it affects nobody.

It reads nothing that the seat cannot know. A change here is a change of the rules, because a replay decides it again.
"""

from __future__ import annotations

from engine.interface import Seat

from example_game.actions import GameAction, Keep, Place
from example_game.state import State


def policy(state: State, seat: Seat) -> GameAction:
    """Return the answer to the seat's open decision. Raises LookupError if it has none."""
    if seat in state.to_place:
        return Place(left=0, middle=0, right=0)
    if seat == state.tipper:
        return Keep()
    raise LookupError(f"seat {seat} has no open decision")
