"""The rows of a database as lines of JSON, and back: small, readable, and nothing of them depends on a Postgres.

    {"table": "moves", "row": {"seq": "1", "seat": null, "events": {"text": "[…]"}, "hash": {"hex": "00ff…"}, …}}

A value is what Postgres writes for it; bytes are text where they are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
from psycopg import sql

Row = dict[str, Any]
MatchCache = dict[str, list[Row]]

ORDER: Final = ("schema_support", "tenants", "api_keys", "matches", "seats", "moves")
"""Who is referred to comes first; the others follow by name."""
ALEMBIC: Final = "alembic_version"
COLUMNS: Final = """
SELECT column_name, data_type FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position
"""
TABLES: Final = """
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
"""


def dump(connection: psycopg.Connection, *, but: Iterable[str] = ()) -> MatchCache:
    """Return every row of ours, tables and rows in an order of their own; `but` are tables that are not wanted."""
    names = {name for (name,) in connection.execute(TABLES)} - {ALEMBIC, *but}
    ranks = {name: rank for rank, name in enumerate(ORDER)}
    ordered = sorted(names, key=lambda name: (ranks.get(name, len(ranks)), name))
    return {name: list(_rows(connection, name)) for name in ordered}


def load(connection: psycopg.Connection, tables: MatchCache) -> None:
    """Put rows into a database that is empty but for its schema, as they were: triggers stay out of it."""
    connection.execute("DELETE FROM schema_support")
    for name, rows in tables.items():
        table = sql.Identifier(name)
        connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
        for row in sorted(
            rows, key=lambda row: row.get("replaces") is not None
        ):  # a key after the one it replaces
            columns = sql.SQL(", ").join(map(sql.Identifier, row))
            places = sql.SQL(", ").join(sql.Placeholder() * len(row))
            connection.execute(
                sql.SQL("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({})").format(
                    table, columns, places
                ),
                [_value(value) for value in row.values()],
            )
        connection.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(table))
    for name, column in _identities(connection):
        connection.execute(
            sql.SQL(
                "SELECT setval(pg_get_serial_sequence({}, {}), max({}) + 1) FROM {} HAVING count(*) > 0"
            ).format(sql.Literal(name), sql.Literal(column), sql.Identifier(column), sql.Identifier(name))
        )


def write(path: Path, tables: MatchCache) -> None:
    """Write rows to a file."""
    lines = [
        msgspec.json.encode({"table": name, "row": row}) for name, rows in tables.items() for row in rows
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")


def read(path: Path) -> MatchCache:
    """Read a file that `write` wrote."""
    tables: MatchCache = {}
    for line in path.read_bytes().splitlines():
        entry = msgspec.json.decode(line)
        tables.setdefault(entry["table"], []).append(entry["row"])
    return tables


def _rows(connection: psycopg.Connection, table: str) -> Iterator[Row]:
    columns = connection.execute(COLUMNS, (table,)).fetchall()
    wanted = [
        sql.Identifier(name) if kind == "bytea" else sql.SQL("{}::text").format(sql.Identifier(name))
        for name, kind in columns
    ]
    query = sql.SQL("SELECT {} FROM {} ORDER BY {}").format(
        sql.SQL(", ").join(wanted),
        sql.Identifier(table),
        sql.SQL(", ").join(sql.Literal(number) for number in range(1, len(columns) + 1)),
    )
    for row in connection.execute(query):
        yield {name: _told(value) for (name, _), value in zip(columns, row, strict=True)}


def _told(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return {"text": value.decode()}
    except UnicodeDecodeError:
        return {"hex": value.hex()}


def _value(told: Any) -> Any:
    if not isinstance(told, dict):
        return told
    return told["text"].encode() if "text" in told else bytes.fromhex(told["hex"])


def _identities(connection: psycopg.Connection) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = 'public' AND is_identity = 'YES'"
    ).fetchall()
