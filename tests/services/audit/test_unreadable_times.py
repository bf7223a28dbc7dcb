"""A time that no calendar has is named with its own match, table and row, and everything else is audited all the same."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.support.auditing import audit

TIMES = [
    ("matches", "created_at", "status = 'ended'", None),
    ("matches", "updated_at", "status = 'waiting'", None),
    ("moves", "recorded_at", "seq = 5", 5),
    ("clocks", "deadline_at", "deadline_at IS NOT NULL", ...),
    ("events", "recorded_at", "version = 3 AND type = 'move.applied'", 3),
]


@pytest.mark.parametrize(("table", "column", "where", "seq"), TIMES, ids=[".".join(one[:2]) for one in TIMES])
@pytest.mark.parametrize("time", ["infinity", "4000-01-01 BC"])
def test_it_is_named_in_its_place(
    few_matches: str, table: str, column: str, where: str, seq: Any, time: str
) -> None:
    key = "id" if table == "matches" else "match_id"
    with psycopg.connect(few_matches, autocommit=True) as connection:
        before: Any
        before, match, at = connection.execute(
            f"SELECT {column}, {key}, ctid::text FROM {table} WHERE {where} ORDER BY ctid LIMIT 1"
        ).fetchone()  # type: ignore[misc, arg-type]
        at = _set(connection, table, column, time, at)
        try:
            whole, alone = audit(few_matches, size=2), audit(few_matches, match=match)
        finally:
            _set(connection, table, column, before, at)
    for tally in (whole, alone):
        (found,) = tally.findings
        assert (found.match_id, found.table) == (match, table)
        assert column in found.column.split(" or ")
        assert "cannot be read" in found.what
        assert seq is ... or found.seq == seq
    assert isinstance(match, UUID)


def _set(connection: psycopg.Connection[Any], table: str, column: str, value: Any, at: str) -> str:
    query = f"UPDATE {table} SET {column} = %s WHERE ctid = %s::tid RETURNING ctid::text"
    row = connection.execute(query, (value, at)).fetchone()  # type: ignore[arg-type]
    assert row is not None
    return str(row[0])
