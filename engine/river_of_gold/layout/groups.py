"""The groups of actions that a player tells apart."""

from __future__ import annotations

from enum import StrEnum


class ActionGroup(StrEnum):
    """What an action is for, in the order of a turn."""

    DIE = "die"
    """Turn, roll or set the die (§3.1) [A23]."""
    BUILD = "build"
    """Build (§4)."""
    SAIL = "sail"
    """Sail (§5)."""
    DELIVER = "deliver"
    """Deliver (§6)."""
    JOURNEY = "journey"
    """Take what a completed journey brings (§5.4)."""
    CHOOSE = "choose"
    """Choose a patron, a good, a card, a ship or a building, as something else requires (§11.1)."""
    EXCHANGE = "exchange"
    """Exchange goods or koku (§3.4)."""
    END = "end"
    """Go on without an exchange (§3.4)."""
