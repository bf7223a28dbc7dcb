"""A system to be attacked: its processes as the system sees them, and what they wrote down."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services.embedded_postgres import EmbeddedPostgres
from tests.support.processes import Process
from tests.support.several_of_each import Several, several_on

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Footprint:
    """What a process holds."""

    resident_bytes: int
    handles: int

    @classmethod
    def of(cls, pid: int) -> Footprint:
        """Measure a process (Linux: /proc)."""
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return cls(pages * _PAGE, len(list(Path(f"/proc/{pid}/fd").iterdir())))


@contextmanager
def standing(**gateway_settings: str) -> Iterator[Several]:
    """Start a system with a Postgres of its own, and take it down in the end."""
    with (
        tempfile.TemporaryDirectory() as place,
        EmbeddedPostgres(Path(place) / "postgres") as postgres,
        several_on(postgres, Path(place), replicas=1, **gateway_settings) as system,
    ):
        yield system


def footprints(system: Several) -> dict[str, Footprint]:
    """Measure every process that a stranger's bytes reach."""
    parts: dict[str, Process] = {
        "gateway": system.gateways[0],
        "rules": system.rules[0],
        "platform": system.platform,
    }
    return {name: Footprint.of(process.pid) for name, process in parts.items()}


def faults(system: Several, since: dict[str, int] | None = None) -> list[dict[str, Any]]:
    """Return the log lines that tell of a fault of ours; `since` are the lengths of the logs to begin from.

    Whoever was told to come again (503, 504) was told so; who may be, whoever asks knows better.
    """
    found = []
    for name, lines in _lines(system).items():
        for line in lines[(since or {}).get(name, 0) :]:
            told_to_wait = line.get("event") == "request" and line.get("status") in (503, 504)
            wrong = line.get("level") in ("error", "critical") or "exception" in line
            if wrong and not told_to_wait:
                found.append({"process": name, **line})
    return found


def log_lengths(system: Several) -> dict[str, int]:
    """Return how many lines each process has logged."""
    return {name: len(lines) for name, lines in _lines(system).items()}


def _lines(system: Several) -> dict[str, list[dict[str, Any]]]:
    everybody = [system.platform, *system.rules, *system.gateways]
    return {process.log.name: process.lines() for process in everybody}
