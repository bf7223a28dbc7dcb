"""What calls cost that are made one after another: how long each takes, and processor time by process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tests.bench.processor_time import Parts

Call = Callable[[], object]


@dataclass(frozen=True)
class Cost:
    """The cost of one call."""

    p50: float
    p99: float
    """Seconds."""
    spent: Mapping[str, float]
    """Microseconds of the processor, by process."""

    def of(self, *names: str) -> float:
        """Return the microseconds of some processes together."""
        return sum(self.spent.get(name, 0.0) for name in names)


def cost_of(parts: Parts, calls: Iterable[Call]) -> Cost:
    """Make calls, and return what one of them costs."""
    took = []
    before = parts.read().by_process
    for call in calls:
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    after = parts.read().by_process
    spent = {name: (after[name] - before.get(name, 0.0)) / len(took) * 1e6 for name in after}
    cuts = statistics.quantiles(took, n=100)
    return Cost(cuts[49], cuts[98], spent)


def middle_cost(costs: Sequence[Cost]) -> Cost:
    """Return the medians of several costs."""
    median = statistics.median
    names = costs[0].spent
    return Cost(
        median(one.p50 for one in costs),
        median(one.p99 for one in costs),
        {name: median(one.spent[name] for one in costs) for name in names},
    )
