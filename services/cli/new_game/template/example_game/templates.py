"""Sets of legal actions that are too large to list, described by their limits instead.

There are up to 35 ways to place pebbles. One template says the same, and a page fills it in with three numbers (`hints.py`).
"""

from __future__ import annotations

from engine.interface import Template


class PlaceTemplate(Template, frozen=True, kw_only=True, tag="place"):
    """The ways to place pebbles that are legal: any numbers for the three bowls that add up to `most` or less (§2)."""

    most: int
    """How many pebbles may be placed in all."""


GameTemplate = PlaceTemplate
"""With several templates this would be their union."""
