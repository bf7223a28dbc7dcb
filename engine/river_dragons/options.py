"""What is chosen before the start."""

from __future__ import annotations

from engine.kernel.records import Options
from engine.river_dragons.components import Variant


class RiverDragonsOptions(Options, frozen=True, kw_only=True):
    """The number of players is not an option: it is the number of seats."""

    variant: Variant = Variant.ISLANDS
    """Which side of the board is played (§9)."""
