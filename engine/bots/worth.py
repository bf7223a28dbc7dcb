"""The value of a state for a seat: the outcome of an ended match, otherwise the game's own evaluation."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat

WON: Final = 1.0
SHARED: Final = 0.0
"""The value of a shared win, and of a match that nobody won."""
LOST: Final = -1.0


def worth(game: AnyGame, state: Any, seat: Seat) -> float:
    """Return a number from -1 to 1. With two seats, the values add up to 0."""
    outcome = game.outcome(state)
    if outcome is None:
        value: float = game.evaluate(state, seat)
        return value
    if not outcome.winners:
        return SHARED
    if seat not in outcome.winners:
        return LOST
    return WON if len(outcome.winners) == 1 else SHARED
