"""The findings of an audit, and how much it has checked."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final
from uuid import UUID

import msgspec

MAX_KEPT: Final = 1_000
"""Most findings that are kept in full; all are counted."""
MAX_SHOWN: Final = 200
"""Most characters shown of a value."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A place whose value is wrong."""

    table: str
    match_id: UUID | None
    seq: int | None = None
    """The row of the match: a move's, a seat's, or the version that a snapshot or an event belongs to."""
    column: str
    """The column, as far as it is known; columns that can only be checked together are separated by ` or `."""
    what: str
    expected: str = ""
    """The expected value; empty if it is unknown, or hidden."""
    found: str = ""
    certain: bool = True
    """False: there may be a legitimate reason, which `what` names."""

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
    """Return a finding in a table with one row per seat."""
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
    """The result of auditing a stretch; results can be merged."""

    matches: int = 0
    rows: Counter[str] = msgspec.field(default_factory=Counter)
    """Rows checked, by table."""
    draws: int = 0
    """Recomputed draws of luck."""
    undecided: Counter[str] = msgspec.field(default_factory=Counter)
    """Matches whose moves could not be decided again, by the reason."""
    findings: list[Finding] = msgspec.field(default_factory=list)
    """If there are too many to keep, certain findings are kept before doubtful ones, and then those of older matches, so that the
    order in which results are merged changes nothing."""
    wrong: int = 0
    """Number of certain findings, including those not kept."""
    doubtful: int = 0

    def add(self, found: Finding) -> None:
        """Add a finding."""
        self.wrong += found.certain
        self.doubtful += not found.certain
        self._keep([found])

    def merge(self, other: Tally) -> None:
        """Add the result of another stretch."""
        self.matches += other.matches
        self.rows += other.rows
        self.draws += other.draws
        self.undecided += other.undecided
        self.wrong += other.wrong
        self.doubtful += other.doubtful
        self._keep(other.findings)

    def _keep(self, found: list[Finding]) -> None:
        self.findings += found
        if len(self.findings) > MAX_KEPT:
            self.findings = sorted(self.findings, key=_rank)[:MAX_KEPT]


def _rank(finding: Finding) -> tuple[bool, str, str, int, str, str]:
    return not finding.certain, *place_of(finding), finding.column, finding.what


def place_of(finding: Finding) -> tuple[str, str, int]:
    """Return the place of a finding, to sort by."""
    return str(finding.match_id), finding.table, finding.seq or 0


def shown(value: Any) -> str:
    """Return a readable text of a column's value, limited in length."""
    match value:
        case None:
            return ""
        case bytes():
            text = value.hex()
        case _:
            text = str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
