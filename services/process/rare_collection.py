"""Collects garbage rarely in a process of ours: import it before all else, since imports make most of what is scanned in vain.

Nearly everything is freed by counting references; the collector finds what little is in cycles, such as errors with their
tracebacks. With Python's own thresholds it took 5 % of the processor time of a move, a third of a gateway's imports, and two
thirds of the collection of our tests. Programs that embed us keep their own thresholds: only what begins a process imports this.
"""

from __future__ import annotations

import gc
from typing import Final

RARELY: Final = 50_000, 20, 50
"""Thresholds of the three generations."""

gc.set_threshold(*RARELY)


def exclude_what_exists() -> None:
    """Collect once, and scan what is left no more: what a process builds before it serves is needed to its end.

    Measured: this halves the slowest answers.
    """
    gc.collect()
    gc.freeze()
