"""Where in a database something stands that should stand nowhere. For tests."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterator
from typing import Any, Final

import psycopg

TABLES: Final = """
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1
"""


def columns_of(url: str) -> set[tuple[str, str]]:
    """Return every column of every table."""
    with psycopg.connect(url) as connection:
        return set(
            connection.execute(
                "SELECT table_name::text, column_name::text FROM information_schema.columns JOIN "
                "information_schema.tables USING (table_schema, table_name) "
                "WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
            ).fetchall()
        )


def traces(url: str, marks: Collection[str]) -> set[tuple[str, str, str]]:
    """Return the table, the column and the mark wherever a mark stands: as text, in bytes, in JSON, in hex, in base64."""
    found = set()
    for table, column, value in _values(url):
        text = _text(value)
        found |= {(table, column, mark) for mark in marks if any(one in text for one in spellings(mark))}
    return found


def spellings(mark: str) -> Iterator[bytes]:
    """Yield a mark as text, as it stands in JSON, in hex, and in base64 at each of three offsets."""
    raw = mark.encode()
    yield raw
    yield json.dumps(mark)[1:-1].encode()
    yield raw.hex().encode()
    for offset in range(3):  # the characters that depend on what stands around are left out
        yield base64.b64encode(bytes(offset) + raw)[4 if offset else 0 : -4]


def _values(url: str) -> Iterator[tuple[str, str, Any]]:
    with psycopg.connect(url) as connection:
        for (table,) in connection.execute(TABLES).fetchall():
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            names = [column.name for column in cursor.description or ()]
            for row in cursor:
                yield from ((table, name, value) for name, value in zip(names, row, strict=True))


def _text(value: Any) -> bytes:
    match value:
        case None:
            return b""
        case bytes():
            return value + b" " + value.hex().encode()
        case dict() | list():
            return json.dumps(value, ensure_ascii=False, default=str).encode()
        case _:
            return str(value).encode()
