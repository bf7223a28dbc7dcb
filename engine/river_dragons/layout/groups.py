"""The groups of actions, as headings for people."""

from __future__ import annotations

from enum import StrEnum


class Group(StrEnum):
    """Which actions belong together."""

    PROGRAM = "program"
    """Choosing five cards (§5)."""
    STONES = "stones"
    """Putting stones on the board (§7.1, §9)."""
    PLANKS = "planks"
    """Choosing a plank, and laying it (§7.2)."""
    TAKE_PLANK = "take_plank"
    """Taking a plank into the reserve (§7.3)."""
    TAKE_STONE = "take_stone"
    """Putting a stone back into the supply (§7.3)."""
    MOVE = "move"
    """Moving the pawn a step (§7.4)."""
    JUMP = "jump"
    """Jumping over a pawn (§7.5)."""
