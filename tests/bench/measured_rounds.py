"""What a round of a benchmark came to, and the middle of several."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.processor_time import Spent


@dataclass(frozen=True)
class Round:
    """What one round of one kind came to."""

    per_second: float
    p50: float = 0.0
    p99: float = 0.0
    """Seconds."""
    client_share: float = 0.0
    """Of one core."""
    spent: Spent | None = None
    """Processor time by process, and how idle the machine was."""


def middle(rounds: Sequence[Round], name: str) -> float:
    """Return the median of a figure."""
    return statistics.median(getattr(one, name) for one in rounds)


def moves_lines(title: str, rounds: Sequence[Round]) -> list[str]:
    """Describe the rounds of moves: how many, how long each took, and what they cost."""
    rates = [one.per_second for one in rounds]
    lines = [
        (
            f"{title:<28} {middle(rounds, 'per_second'):>9,.0f} /s   p50 {middle(rounds, 'p50') * 1000:.2f} ms   "
            f"p99 {middle(rounds, 'p99') * 1000:.2f} ms   (rounds {min(rates):,.0f} to {max(rates):,.0f}; "
            f"client {middle(rounds, 'client_share'):.0%} of a core)"
        )
    ]
    spent = [one.spent for one in rounds if one.spent is not None]
    return [*lines, Spent.middle(spent)] if spent else lines
