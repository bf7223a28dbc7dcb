"""Parquet files of the results of a run, made of its lines by DuckDB, which comes with the extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from services.cli.console import fail, say

LINES: Final = "results.ndjson"
MAX_LINE_BYTES: Final = 256 * 1024 * 1024


def duckdb_or_fail() -> None:
    """End with a message if DuckDB is not installed."""
    if find_spec("duckdb") is None:
        fail("--parquet needs DuckDB: pip install 'foldtable[parquet]'", code=2)


def write_tables(lines: Path, shape: str, tables: Mapping[str, str], folder: Path) -> None:
    """Write tables of a run's results into a folder, and say how many rows each has.

    `shape` is the type of a result in DuckDB's words, as far as the tables need it; each table is a query of `results`,
    which has the columns `task`, its key, and `result`.
    """
    for name, rows in _written(lines, shape, tables, folder):
        say(f"{folder / name}.parquet: {rows} rows")


def _written(lines: Path, shape: str, tables: Mapping[str, str], folder: Path) -> Iterator[tuple[str, int]]:
    duckdb = import_module("duckdb")
    with duckdb.connect() as database:
        database.execute(f"""
            CREATE TEMP VIEW results AS SELECT task, result FROM read_json({quoted(str(lines))},
                format = 'newline_delimited', maximum_object_size = {MAX_LINE_BYTES},
                columns = {{task: 'VARCHAR', result: {quoted(shape)}}}) WHERE result IS NOT NULL
        """)  # noqa: S608 - our own words, and a file name as a literal
        for name, table in tables.items():
            place = quoted(str(folder / f"{name}.parquet"))
            written = database.execute(f"COPY ({table}) TO {place} (FORMAT parquet, COMPRESSION zstd)")
            (rows,) = written.fetchone() or (0,)
            yield name, rows


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
