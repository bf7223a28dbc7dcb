"""The codes of this game's refusals. Those that every game needs are in `TableCode`.

A code is its name, the paragraphs that it enforces, and what it means for developers; names in backticks are facts, which
the text of the refusal can use. Codes are never renamed.
"""

from __future__ import annotations

from engine.interface import RefusalCode


class Code(RefusalCode):
    """Why a move is refused."""

    TOO_MANY_PEBBLES = (
        "TOO_MANY_PEBBLES",
        "2",
        "More pebbles than a player has, or may place in a round. Facts: `pebbles`, `limit`.",
    )
    ALREADY_PLACED = ("ALREADY_PLACED", "2", "Pebbles are placed once in a round. Facts: `round`.")
    BOWL_CHOSEN = ("BOWL_CHOSEN", "4", "The bowl that the die has chosen cannot be tipped. Facts: `bowl`.")
    BOWL_EMPTY = ("BOWL_EMPTY", "4", "There is nothing in the bowl. Facts: `bowl`.")
    ALREADY_LEFT = ("ALREADY_LEFT", "6", "The seat has left before. Facts: `seat`.")
