"""What came of a siege: a line for each attack, and what should not have been."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.proofs.hostile.bystanders import Seen
from tests.proofs.hostile.system import Footprint
from tests.proofs.hostile.wire import Told
from tests.support.ways import Ways

MEGABYTE: Final = 1024 * 1024
_SERVERS: Final = ("rules", "platform")


@dataclass
class Row:
    """What came of one attack."""

    name: str
    told: Told
    before: dict[str, Footprint]
    after: dict[str, Footprint]
    seen: Seen
    violations: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What came of a siege."""

    rows: list[Row] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    matches: int = 0
    """The newest of those that were played meanwhile, each replayed and checked afterwards."""
    ways: Ways = field(default_factory=Ways)
    """Those that moves took meanwhile."""

    @property
    def answers(self) -> int:
        return sum(sum(row.told.answers.values()) for row in self.rows)

    def all_violations(self) -> list[str]:
        """Return them with the names of their attacks."""
        return [*(f"{row.name}: {one}" for row in self.rows for one in row.violations), *self.violations]

    def __str__(self) -> str:
        head = f"{'attack':24}{'answers':34}{'worst':>7}{'gateway MB':>12}{'servers MB':>12}{'handles':>11}{'others':>8}{'p50':>11}{'p99':>9}"
        lines = [head, *map(_line, self.rows)]
        lines.append(
            f"{self.matches} matches of bystanders verified; violations: {len(self.all_violations())}"
        )
        lines.append(str(self.ways))
        return "\n".join([*lines, *(f"  {one}" for one in self.all_violations())])


def _line(row: Row) -> str:
    answers = ", ".join(f"{count}x {name}" for name, count in row.told.answers.most_common(3))
    gateway = f"{_megabytes(row.before, 'gateway')} > {_megabytes(row.after, 'gateway')}"
    servers = f"{_megabytes(row.before, *_SERVERS)} > {_megabytes(row.after, *_SERVERS)}"
    handles = f"{_handles(row.before)} > {_handles(row.after)}"
    return (
        f"{row.name:24}{answers[:33]:34}{row.told.worst:6.1f}s{gateway:>12}{servers:>12}{handles:>11}"
        f"{len(row.seen.seconds):8}{row.seen.quantile(0.5) * 1000:8.1f} ms{row.seen.quantile(0.99) * 1000:6.0f} ms"
    )


def _megabytes(measured: dict[str, Footprint], *names: str) -> int:
    return sum(measured[name].resident_bytes for name in names) // MEGABYTE


def _handles(measured: dict[str, Footprint]) -> int:
    return sum(one.handles for one in measured.values())
