"""Moves held against the version they were decided on: nothing that mattered to it may lie between.

A move names a version. It is made on that version, or else on a later one if all that lies between are decisions of
other seats that were open together with its own (docs/play/rest.md, Moves). From outside that shows in who was waited for:
the seat was, at the version named and at each one after it, and made no move of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.proofs.faults.history import Event, MatchHistory, Row
from tests.proofs.faults.notes import What
from tests.proofs.faults.requests_checked import Attempts, Request
from tests.proofs.faults.violations import Rule, Violation

WaitedFor = Mapping[int, Sequence[int]]
"""Seats, by version."""


def waited_for(feed: Sequence[Event]) -> dict[str, dict[int, Sequence[int]]]:
    """Return who was waited for at which version, by match, as its events tell it."""
    found: dict[str, dict[int, Sequence[int]]] = defaultdict(dict)
    for event in feed:
        found[event.match].setdefault(event.version, event.to_act)
    return found


def check_expected(
    match: MatchHistory, asked: Mapping[Request, Attempts], waited: WaitedFor
) -> Iterator[Violation]:
    """Every move of the log was decided on a version it may stand on, be it acknowledged or not."""
    rows = {row.request_id: row for row in match.rows}
    for (request_id, seat, what, body), attempts in asked.items():
        row = rows.get(request_id)
        if what is not What.MOVE or row is None or (row.seat, row.request) != (seat, body):
            continue
        reasons = [_against(row, one.expected, match.rows, waited) for one in attempts.sent]
        if all(reasons):
            where = f"{match.game} {match.match} request {request_id}"
            yield Violation(Rule.EXPECTED, f"{where}: {reasons[0]}")


def _against(row: Row, expected: int | None, rows: Sequence[Row], waited: WaitedFor) -> str:
    """Return what speaks against a move at its place that was decided on a version; empty: nothing."""
    if expected is None:
        return ""
    made = f"decided on version {expected}, and is move {row.version}"
    if not 0 < expected < row.version:
        return made
    for between in rows:
        if expected < between.version < row.version and between.seat == row.seat:
            return f"{made}; seat {row.seat} has made move {between.version} itself"
    for version in range(expected, row.version):
        if version in waited and row.seat not in waited[version]:
            return f"{made}; seat {row.seat} had nothing to decide at version {version}"
    return ""
