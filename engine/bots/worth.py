"""What a table is worth to a seat: how the match ended, or else the game's own evaluation."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat

WON: Final = 1.0
SHARED: Final = 0.0
"""A win that others share, and a match nobody won."""
LOST: Final = -1.0


def worth(game: AnyGame, state: Any, seat: Seat) -> float:
    """Give a number from -1 to 1. Between two seats whatever one gains the other loses."""
    outcome = game.outcome(state)
    if outcome is None:
        value: float = game.evaluate(state, seat)
        return value
    if not outcome.winners:
        return SHARED
    if seat not in outcome.winners:
        return LOST
    return WON if len(outcome.winners) == 1 else SHARED
