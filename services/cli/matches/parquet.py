"""Parquet files of exported matches: tables for DuckDB, pandas, Polars, Spark and whatever else reads Parquet.

DuckDB reads the lines and writes the tables. It is not installed with Foldtable but with its extra `parquet`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from services.cli.batch.tables import quoted
from services.movelog.export.format import MAX_DOCUMENT_BYTES

TABLES: Final = {
    "matches": """
        SELECT match_id, export.game AS game, export.rules_version AS rules_version, export.seats AS seats,
            export.status AS status, export.version AS version, export.created_at AS created_at,
            export.moves[-1].recorded_at AS updated_at, export.options AS options,
            export.outcome->>'reason' AS reason, CAST(export.outcome->'winners' AS INTEGER[]) AS winners
        FROM lines
    """,
    "seats": """
        SELECT match_id, seat.seat AS seat, seat.player AS player, seat.name AS name,
            CAST(result->>'rank' AS INTEGER) AS rank, CAST(result->>'score' AS INTEGER) AS score
        FROM (SELECT match_id, export, unnest(export.players) AS seat FROM lines)
        LEFT JOIN LATERAL (
            SELECT unnest(CAST(export.outcome->'results' AS JSON[])) AS result
        ) ON CAST(result->>'seat' AS INTEGER) = seat.seat
    """,
    "moves": """
        SELECT match_id, move.seq AS version, move.seat AS seat, move.request->>'type' AS type,
            move.request AS request, move.recorded_at AS recorded_at
        FROM (SELECT match_id, unnest(export.moves) AS move FROM lines)
    """,
    "events": """
        SELECT match_id, version, number, event->>'type' AS type, event
        FROM (
            SELECT match_id, move.seq AS version, generate_subscripts(move.events, 1) AS number,
                unnest(move.events) AS event
            FROM (SELECT match_id, unnest(export.moves) AS move FROM lines)
        )
    """,
}
"""Each table of the folder, as it is made of the lines. Later lines of a match replace earlier ones."""

_LINES: Final = """
    CREATE TEMP VIEW lines AS
    SELECT match_id, export FROM (
        SELECT match_id, export, row_number() OVER (PARTITION BY match_id ORDER BY ordinal DESC) AS newest
        FROM (
            SELECT *, row_number() OVER () AS ordinal
            FROM read_json($lines, format = 'newline_delimited', maximum_object_size = $bytes, columns = {
                match_id: 'UUID',
                export: 'STRUCT(
                    game VARCHAR, rules_version VARCHAR, seats INTEGER, options JSON, created_at TIMESTAMPTZ,
                    status VARCHAR, version INTEGER, outcome JSON,
                    players STRUCT(seat INTEGER, player VARCHAR, name VARCHAR)[],
                    moves STRUCT(seq INTEGER, seat INTEGER, request JSON, events JSON[], recorded_at TIMESTAMPTZ)[])'
            })
        )
        WHERE export IS NOT NULL
    ) WHERE newest = 1
"""


def write_parquet(lines: Path, folder: Path) -> Iterator[tuple[str, int]]:
    """Write the tables of a file of exported matches into a folder; yield each table's name and number of rows."""
    duckdb = import_module("duckdb")
    with duckdb.connect() as database:
        database.execute(
            _LINES.replace("$lines", quoted(str(lines))).replace("$bytes", str(2 * MAX_DOCUMENT_BYTES))
        )
        for name, table in TABLES.items():
            place = quoted(str(folder / f"{name}.parquet"))
            written = database.execute(f"COPY ({table}) TO {place} (FORMAT parquet, COMPRESSION zstd)")
            (rows,) = written.fetchone() or (0,)
            yield name, rows
