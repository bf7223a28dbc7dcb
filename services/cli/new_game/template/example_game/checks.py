"""What this game says of itself for `foldtable check-game`, which plays many random matches and looks for faults."""

from __future__ import annotations

from typing import Final

from engine.interface import Checks

from example_game.box import LEAST_ROUNDS, MAX_ROUNDS, ROUNDS
from example_game.options import GameOptions
from example_game.state import State


def conserved(state: State) -> tuple[int, ...]:
    """Return each seat's pebbles, wherever they are: 12 in every state."""
    return tuple(
        hand + bowls.total + gone
        for hand, bowls, gone in zip(state.hands, state.bowls, state.gone, strict=True)
    )


CHECKS: Final = Checks(
    options=tuple(GameOptions(rounds=rounds) for rounds in (ROUNDS, LEAST_ROUNDS, MAX_ROUNDS)),
    conserved=conserved,
)
