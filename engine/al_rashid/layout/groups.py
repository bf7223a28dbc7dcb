"""Which actions belong together for a person who chooses."""

from __future__ import annotations

from enum import StrEnum


class ActionGroup(StrEnum):
    """The headings under which actions are listed."""

    PLACE = "place"
    """Hold back and place pieces (§4)."""
    MOVE = "move"
    """Move a piece on the board (§5.1, §7.6)."""
    SPY = "spy"
    """Look at mercenaries (§7.6)."""
    RECRUIT = "recruit"
    """Draw mercenaries (§2.9, §7.5)."""
    OFFICE = "office"
    """Use an office (§10.2)."""
    RESOLVE = "resolve"
    """Name the area to be resolved (§5.3)."""
    VISIT = "visit"
    """Declare a visit or an audience (§7.2, §8.2)."""
    PAY = "pay"
    """Pay for it (§6.4)."""
    FAVOR = "favor"
    """Carry out a favor (§7.7)."""
    BATTLE = "battle"
    """Fight or flee (§9.2)."""
    TAKE = "take"
    """Take goods and credit notes (§9.5, §9.7, §10.2)."""
    END = "end"
    """Decline, or end the turn (§5.3, §13.6)."""
