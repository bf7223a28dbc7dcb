"""How an audit's findings are reported: as lines, or as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from services.audit.findings import MAX_KEPT, Tally, place_of


def report(tally: Tally, seconds: float, workers: int) -> dict[str, Any]:
    """Return all results for tools."""
    return {
        "ok": not tally.wrong,
        "matches": tally.matches,
        "rows": dict(sorted(tally.rows.items())),
        "draws": tally.draws,
        "undecided": dict(tally.undecided),
        "wrong": tally.wrong,
        "doubtful": tally.doubtful,
        "findings": [msgspec.structs.asdict(finding) for finding in sorted(tally.findings, key=place_of)],
        "seconds": round(seconds, 3),
        "workers": workers,
    }


def sentences(tally: Tally, seconds: float, done_by: str) -> Iterator[str]:
    """Yield the report line by line: the findings, then how much was checked."""
    for finding in sorted(tally.findings, key=place_of):
        yield f"{'' if finding.certain else 'perhaps: '}{finding}"
    left_out = tally.wrong + tally.doubtful - len(tally.findings)
    if left_out:
        yield f"… and {left_out} more; only the first {MAX_KEPT} are listed"
    for why, matches in sorted(tally.undecided.items()):
        yield f"{matches} matches could not be decided again: {why}"
    rows = tally.rows.total()
    speed = rows / seconds if seconds else 0.0
    tables = ", ".join(f"{count} {table}" for table, count in sorted(tally.rows.items()))
    yield f"{rows} rows: {tables or 'none'}"
    yield f"{tally.draws} draws recomputed, {speed:,.0f} rows/s in {done_by}, {seconds:.1f} s"
    yield f"{tally.wrong or 'nothing'} altered, missing or out of order" + (
        f", {tally.doubtful} doubtful" if tally.doubtful else ""
    )
