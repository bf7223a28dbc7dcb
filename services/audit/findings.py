"""What an audit finds, and how much it has looked at."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final
from uuid import UUID

import msgspec

MOST_KEPT: Final = 1_000
"""Findings that are kept word for word; all are counted."""
MOST_SHOWN: Final = 200
"""Characters of a value."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A place that is not as it should be."""

    table: str
    match_id: UUID | None
    seq: int | None = None
    """The row of the match: a move's, a seat's, or the version that a snapshot or an event tells of."""
    column: str
    """Which one, as far as that can be told; several that only together can be checked are parted by ` or `."""
    what: str
    expected: str = ""
    """What should stand there; empty where that is not known, or not for everybody's eyes."""
    found: str = ""
    certain: bool = True
    """False: there may be an honest reason, which `what` names."""

    def __str__(self) -> str:
        row = "" if self.seq is None else f" {self.seq}"
        values = f": {self.found or 'nothing'}, not {self.expected}" if self.expected else ""
        return f"{self.match_id or '-'} {self.table}{row} {self.column}: {self.what}{values}"


def of_seat(
    table: str,
    match_id: UUID,
    seat: int,
    column: str,
    what: str,
    expected: object = "",
    found: object = "",
) -> Finding:
    """Give a finding in a table that has a row for each seat."""
    return Finding(
        table=table,
        match_id=match_id,
        seq=seat,
        column=column,
        what=what,
        expected=str(expected),
        found=str(found),
    )


class Tally(msgspec.Struct, kw_only=True):
    """What a stretch of the log came to; adds up."""

    matches: int = 0
    rows: Counter[str] = msgspec.field(default_factory=Counter)
    """Rows looked at, by table."""
    draws: int = 0
    """Draws of luck made again."""
    undecided: Counter[str] = msgspec.field(default_factory=Counter)
    """Matches whose moves could not be decided again, by the reason."""
    findings: list[Finding] = msgspec.field(default_factory=list)
    """Certain ones before doubtful ones, where there are too many to keep."""
    wrong: int = 0
    """Certain findings, also those not kept."""
    doubtful: int = 0

    def add(self, found: Finding) -> None:
        """Take in a finding."""
        self.wrong += found.certain
        self.doubtful += not found.certain
        self._keep([found])

    def merge(self, other: Tally) -> None:
        """Take in another stretch."""
        self.matches += other.matches
        self.rows += other.rows
        self.draws += other.draws
        self.undecided += other.undecided
        self.wrong += other.wrong
        self.doubtful += other.doubtful
        self._keep(other.findings)

    def _keep(self, found: list[Finding]) -> None:
        self.findings += found
        if len(self.findings) > MOST_KEPT:
            self.findings = sorted(self.findings, key=_doubtful)[:MOST_KEPT]


def _doubtful(finding: Finding) -> bool:
    return not finding.certain


def shown(value: Any) -> str:
    """Write a value of a column for people, not too long of it."""
    match value:
        case None:
            return ""
        case bytes():
            text = value.hex()
        case _:
            text = str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
