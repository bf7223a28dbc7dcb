"""Which ways moves have taken through gateways and rules servers: read from their metrics, so that a proof can say what it ran.

Most moves of a running system come to their operation from the HTTP protocol itself, as a whole. A proof that takes other ways
proves nothing of this one, and is as green. So each proof prints what it has counted, and fails where that is zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from prometheus_client import REGISTRY
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

Samples = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


def _sum(samples: Samples, name: str, **labels: str) -> float:
    return sum(
        value for (found, having), value in samples.items() if found == name and labels.items() <= set(having)
    )


def _served(by: str) -> Callable[[Samples], float]:
    return lambda samples: _sum(samples, "foldtable_hot_requests_total", operation="makeMove", by=by)


def _made(**labels: str) -> Callable[[Samples], float]:
    return lambda samples: _sum(samples, "foldtable_moves_total", **labels)


AS_A_WHOLE: Final = "gateway: from the HTTP protocol, as a whole"
IN_PARTS: Final = "gateway: as ASGI middleware"
ACCEPTED: Final = "rules server: accepted"
REPEATED: Final = "rules server: repeated"
STALE: Final = "rules server: stale"
REFUSED: Final = "rules server: refused"

_COUNTS: Final[dict[str, Callable[[Samples], float]]] = {
    AS_A_WHOLE: _served("protocol"),
    IN_PARTS: _served("asgi"),
    ACCEPTED: _made(answer="accepted"),
    REPEATED: _made(answer="repeated"),
    STALE: _made(answer="stale"),
    REFUSED: _made(answer="refused"),
}
"""How each way is counted. Where two of them become one, it is said here and nowhere else."""
EVERY: Final = tuple(_COUNTS)


@dataclass
class Ways:
    """How often each way was taken."""

    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of_this_process(cls) -> Self:
        """Count what this process has served since it began."""
        return cls._of(REGISTRY.collect())

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Count what other processes have served, each of which says so at its metrics port."""
        return cls._of(family for text in texts for family in text_string_to_metric_families(text))

    @classmethod
    def _of(cls, families: Iterable[Metric]) -> Self:
        samples: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}
        for family in families:
            for sample in family.samples:
                key = sample.name, frozenset(sample.labels.items())
                samples[key] = samples.get(key, 0) + sample.value
        return cls(Counter({way: round(count(samples)) for way, count in _COUNTS.items()}))

    def since(self, before: Ways) -> Ways:
        """Return what was counted after an earlier count."""
        return Ways(self.counts - before.counts)

    def __add__(self, other: Ways) -> Ways:
        return Ways(self.counts + other.counts)

    def missing(self, wanted: Iterable[str] = EVERY) -> list[str]:
        """Return the ways that nothing has taken."""
        return [way for way in wanted if not self.counts[way]]

    def __str__(self) -> str:
        lines = [f"  {way:<50}{self.counts[way]:>9,}" for way in EVERY]
        return "\n".join(["moves, by the way they took:", *lines])
