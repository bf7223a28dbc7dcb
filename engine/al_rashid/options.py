"""The options of a match, chosen before it starts."""

from __future__ import annotations

from engine.kernel.records import Options


class AlRashidOptions(Options, frozen=True, kw_only=True):
    """Al-Rashid has no options: the number of players is the number of seats, and the rulebook has no variants."""
