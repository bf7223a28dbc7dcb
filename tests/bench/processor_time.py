"""Processor time of each process of a system, per move, and how idle the machine was meanwhile (Linux, proc(5))."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.running_system import System

_TICKS = os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")


@dataclass(frozen=True)
class Reading:
    """Seconds of the processor since each process began, and the machine's since it started."""

    by_process: Mapping[str, float]
    idle: float
    all_cores: float


@dataclass(frozen=True)
class Parts:
    """Names of processes and their ids. A process counts with its children."""

    pids: Mapping[str, int]

    def read(self) -> Reading:
        """Read the processor time of all of them now."""
        fields = [int(word) for word in (_PROC / "stat").read_text().splitlines()[0].split()[1:9]]
        spent = {name: sum(map(_seconds, children_of(pid))) for name, pid in self.pids.items()}
        return Reading(spent, (fields[3] + fields[4]) / _TICKS, sum(fields) / _TICKS)


@dataclass(frozen=True)
class Spent:
    """What a measurement cost."""

    per_move: Mapping[str, float]
    """Microseconds of the processor, by process."""
    idle: float
    """The share of all cores that was idle."""

    @staticmethod
    def middle(several: Sequence[Spent]) -> str:
        """Describe the medians of several measurements in one line."""
        names = several[0].per_move
        middles = {name: statistics.median(one.per_move[name] for one in several) for name in names}
        each = ", ".join(f"{name} {spent:.0f}" for name, spent in middles.items())
        idle = statistics.median(one.idle for one in several)
        return f"processor, us a move: {each}; together {sum(middles.values()):.0f}; idle {idle:.0%} of the machine"


def parts_of(system: System) -> Parts:
    """Return the gateway, the rules server and Postgres of a running system."""
    names = {part["name"]: part["pid"] for part in system.running["parts"]}
    return Parts({name: pid for name, pid in names.items() if name != "platform"})


def spent_between(before: Reading, after: Reading, *, client: float, moves: int) -> Spent | None:
    """Return what was spent between two readings; None if no process is known. `client`: seconds of the benchmark itself."""
    if not after.by_process:
        return None
    spent = {name: after.by_process[name] - before.by_process.get(name, 0.0) for name in after.by_process}
    per_move = {name: seconds / moves * 1e6 for name, seconds in {**spent, "client": client}.items()}
    return Spent(per_move, (after.idle - before.idle) / (after.all_cores - before.all_cores))


def children_of(pid: int) -> Iterator[int]:
    """Yield a process, its children, and theirs; those of one that has just ended are left out."""
    yield pid
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in (_PROC / str(pid) / "task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from children_of(int(child))


def _seconds(pid: int) -> float:
    """Return user and system time, with that of children that have ended; a process that has just ended counts as none."""
    try:
        after_name = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, after_name[11:15])) / _TICKS
