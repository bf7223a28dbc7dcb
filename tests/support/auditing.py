"""Runs an audit in this process, and alters what it should find. For tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg import sql

from services.audit import reading
from services.audit.auditing import audit_piece
from services.audit.findings import Finding, Tally
from services.audit.pieces import pieces

ALTERED: Final = {
    "text": "left({c}, -1) || CASE right({c}, 1) WHEN 'x' THEN 'y' ELSE 'x' END",
    "bytea": "set_byte({c}, length({c}) / 2, get_byte({c}, length({c}) / 2) # 1)",
    "uuid": "overlay({c}::text placing CASE right({c}::text, 1) WHEN '0' THEN '1' ELSE '0' END from 36)::uuid",
    "bool": "NOT {c}",
    "int2": "({c} # 1::int2)::int2",
    "int4": "{c} # 1",
    "int8": "{c} # 1",
    "xid8": "({c}::text::int8 # 256)::text::xid8",
    "_int2": "array_append({c}, 1::int2)",
    "timestamptz": "{c} + interval '256 microseconds'",
    "jsonb": "jsonb_set({c}, '{{kind}}', '\"per_year\"')",
}
"""One byte of a value, by the type of its column."""
OTHERWISE: Final = {
    (
        "clocks",
        "deadline_at",
    ): "{c} + interval '4294967296 microseconds'",  # differences within a minute cannot be detected
    ("moves", "seq"): "{c} # 64",
    ("seats", "seat"): "({c} # 64::int2)::int2",
    ("clocks", "seat"): "({c} # 64::int2)::int2",
}
"""Another byte than the lowest, where that one is another row's key, or means nothing."""


def audit(url: str, *, size: int = 0, match: UUID | None = None) -> Tally:
    """Audit everything there is, so many matches at a time (0: as many as usual), or one match."""
    wanted = reading.Wanted(url=url, match=match)
    tally = Tally()
    for piece in pieces(wanted, size=size):
        tally.merge(audit_piece(piece))
    return tally


def names(tally: Tally, table: str, column: str) -> list[Finding]:
    """Return the findings that name a column, alone or with others that only together can be checked."""
    return [one for one in tally.findings if one.table == table and column in one.column.split(" or ")]


@contextmanager
def altered(
    url: str, table: str, column: str, kind: str, where: str = "true", *, as_told: str = ""
) -> Iterator[dict[str, Any]]:
    """Alter one byte of a column in one row, the last there is, and put it right again afterwards; give the row as it was.

    `as_told` says otherwise how: an expression like those of ALTERED.
    """
    name, at = sql.Identifier(column), sql.Identifier(table)
    expression = (as_told or OTHERWISE.get((table, column), ALTERED[kind])).format(c=f'"{column}"')
    with psycopg.connect(url, autocommit=True, row_factory=psycopg.rows.dict_row) as connection:
        row = connection.execute(
            sql.SQL(
                "SELECT ctid::text, * FROM {} WHERE {} IS NOT NULL AND ({}) ORDER BY ctid DESC LIMIT 1"
            ).format(at, name, sql.SQL(where))
        ).fetchone()
        assert row is not None, f"no row to alter {column} of {table}"
        changed = connection.execute(
            sql.SQL("UPDATE {} SET {} = {} WHERE ctid = %s::tid RETURNING ctid::text").format(
                at, name, sql.SQL(expression)
            ),
            (row["ctid"],),
        ).fetchone()
        assert changed is not None
        try:
            yield row
        finally:
            connection.execute(
                sql.SQL("UPDATE {} SET {} = %s WHERE ctid = %s::tid").format(at, name),
                (row[column], changed["ctid"]),
            )
