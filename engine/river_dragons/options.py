"""The options chosen before the start."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from engine.kernel.records import Options
from engine.river_dragons.box.components import MAX_ROUNDS, NO_ROUND_LIMIT, ROUND_LIMIT, Variant


class NoLimit(StrEnum):
    """What `round_limit` has in place of a number of rounds."""

    NONE = "none"
    """Rounds are played until somebody wins."""


Rounds = Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]


class RiverDragonsOptions(Options, frozen=True, kw_only=True):
    """What is chosen before a match begins. The number of players is not an option: it is the number of seats."""

    variant: Variant = Variant.ISLANDS
    """Which side of the board is played (§9)."""
    round_limit: Rounds | NoLimit | UnsetType = UNSET
    """After how many complete rounds without a winner the match is a draw. If left out it is 40 and is not stored, so that
    options of matches under older rules stay the same; rules before 1.2.0 refuse any value [R23] [F14]."""

    @property
    def rounds(self) -> int | None:
        """Return the limit as an event stores it: None for the usual one, 0 for no limit."""
        match self.round_limit:
            case NoLimit.NONE:
                return NO_ROUND_LIMIT
            case int(rounds) if rounds != ROUND_LIMIT:
                return rounds
            case _:
                return None
