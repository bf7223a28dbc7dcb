"""What came of a race between revocations and what revoked tokens do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.ways import ACCEPTED, AS_A_WHOLE, IN_PARTS, REFUSED, STALE, Ways


@dataclass
class Report:
    """The sum of all rounds."""

    revocations: int = 0
    writes: int = 0
    """That were answered well, before a revocation or at the same moment."""
    at_the_moment: int = 0
    """Of these, under way when the revocation was acknowledged."""
    answered: int = 0
    """Writes that were sent after the acknowledgement and answered well: must be none."""
    committed: int = 0
    """Rows that were committed after the acknowledgement: must be none."""
    went_on: int = 0
    """Who was never refused: must be nobody."""
    odd: list[str] = field(default_factory=list)
    """Answers that nobody should get."""
    reads: dict[str, list[float]] = field(default_factory=dict)
    """By kind, how many seconds after each acknowledgement the last was let in, or the last stream ended."""
    seconds: float = 0.0
    ways: Ways = field(default_factory=Ways)
    """Those that moves took."""

    @property
    def not_taken(self) -> list[str]:
        """Ways of moves that nothing was tried in."""
        return self.ways.missing((AS_A_WHOLE, IN_PARTS, ACCEPTED, STALE, REFUSED))

    @property
    def violations(self) -> int:
        return self.answered + self.committed + self.went_on + len(self.odd) + len(self.not_taken)

    def __str__(self) -> str:
        lines = [
            f"{self.revocations} revocations in {self.seconds:.0f} s",
            f"writes answered well before: {self.writes}, of which under way at that moment: {self.at_the_moment}",
            f"writes sent after the acknowledgement and answered well: {self.answered}",
            f"rows committed after the acknowledgement: {self.committed}",
            f"never refused: {self.went_on}",
            f"answers nobody should get: {len(self.odd)}",
            str(self.ways),
            *(f"no move went this way: {way}" for way in self.not_taken),
            f"{'reads end after, in ms':<28}{'p50':>8}{'p99':>8}{'max':>8}{'of':>8}",
        ]
        lines += [
            f"  {kind:<26}"
            + "".join(f"{1000 * at(waits, share):>8.1f}" for share in (0.5, 0.99, 1.0))
            + f"{len(waits):>8}"
            for kind, waits in sorted(self.reads.items())
        ]
        return "\n".join(lines + self.odd[:10])


def at(values: Sequence[float], share: float) -> float:
    """Return the smallest value that so large a share of all does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
