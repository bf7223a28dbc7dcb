"""What is chosen before a match. Every option has a default, so `{}` is valid. The number of players is not an option."""

from __future__ import annotations

from typing import Annotated

import msgspec
from engine.interface import Options

from example_game.box import LEAST_ROUNDS, MAX_ROUNDS, ROUNDS


class GameOptions(Options, frozen=True, kw_only=True):
    """What is chosen before a match begins."""

    rounds: Annotated[int, msgspec.Meta(ge=LEAST_ROUNDS, le=MAX_ROUNDS)] = ROUNDS
    """How many rounds are played (§1), 2 to 6; 3 if it is left out."""
