"""Many matches: lines of NDJSON in a file that can be continued, and Parquet files made of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import aclosing
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from foldtable_client import ProblemError, Unreachable
from services.cli.batch.tables import duckdb_or_fail
from services.cli.console import ERR, fail, say
from services.cli.matches.parquet import write_parquet
from services.client.rest import Rest

LINES: Final = "matches.ndjson"
PATH: Final = "/v1/matches/export"
INTERRUPTED: Final = 130
RETRY_SECONDS: Final = 60.0
_TAIL: Final = 1 << 20
_SHORT: Final = 50
_BEGUN: Final = re.compile(rb'\Z|\{\Z|\{"match_id":"[0-9a-f-]*\Z|\{"match_id":"[0-9a-f-]{36}"(,|\Z)')
"""How a file begins that was cut off within its first line."""


class What(StrEnum):
    """What is exported of each match."""

    MOVES = "moves"
    RESULTS = "results"


class _Line(msgspec.Struct):
    """What is read of a line here."""

    match_id: str
    page_token: str
    problem: dict[str, Any] | None = None
    match: dict[str, Any] | None = None


_read: Final = msgspec.json.Decoder(_Line).decode


def export_many(
    url: str,
    key: str,
    filters: Mapping[str, str],
    *,
    what: What,
    output: Path | None,
    parquet: Path | None,
) -> None:
    """Export every match that the filters leave, and end with a message if that fails.

    A file that was begun is continued after its last whole line.
    """
    if parquet is not None:
        if what is not What.MOVES:
            fail("--parquet needs the moves: leave out --what", code=2)
        duckdb_or_fail()
        try:
            parquet.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            fail(f"{parquet}: {problem.strerror}", code=2)
    place = output or (Path(LINES) if parquet is None else parquet / LINES)
    try:
        number, failed = asyncio.run(_export(url, key, {**filters, "what": what.value}, place))
    except KeyboardInterrupt:
        fail(f"stopped; the same command continues {place}", code=INTERRUPTED)
    except ProblemError as problem:
        fail(str(problem))
    except (Unreachable, OSError) as problem:
        fail(f"{problem}; the same command continues {place}")
    for match_id, reason in failed:
        ERR.print(f"{match_id}: {reason}", markup=False)
    say(f"{place}: {number} lines more" + (f", {len(failed)} could not be exported" if failed else ""))
    if parquet is not None:
        for table, rows in write_parquet(place, parquet):
            say(f"{parquet / table}.parquet: {rows} rows")


async def _export(
    url: str, key: str, query: dict[str, str], place: Path
) -> tuple[int, list[tuple[str, str]]]:
    """Append the lines to a file. Return how many, and the matches that could not be exported, with the reason.

    Raises ProblemError, Unreachable, OSError.
    """
    number, failed = 0, []
    with _continued(place) as file, _progress() as progress:
        task = progress.add_task("")
        last = _last_line(file, query["what"])
        if last is not None:
            query = {**query, "page_token": last.page_token}
        async with Rest(url, key, retry_for=RETRY_SECONDS) as rest:
            lines = rest.lines(PATH, params=query, resume=lambda line: {"page_token": _read(line).page_token})
            async with aclosing(lines):
                async for line in lines:
                    file.write(line + b"\n")
                    number += 1
                    read = _read(line)
                    if read.problem is not None:
                        failed.append((read.match_id, str(read.problem.get("reason", ""))))
                    progress.update(task, completed=number)
    return number, failed


def _progress() -> Progress:
    columns = (SpinnerColumn(), TextColumn("{task.completed:.0f} matches"), TimeElapsedColumn())
    return Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal)


def _continued(place: Path) -> BinaryIO:
    """Open a file for reading and writing, and create it if it is not there."""
    place.touch()
    return place.open("r+b")


def _last_line(file: BinaryIO, what: str) -> _Line | None:
    """Return the last whole line of a file, cut off what follows it, and stay at its end; None for a file without one.

    End with a message for a file that is no such export, and leave it as it is.
    """
    end = file.seek(0, 2)
    found, start = b"", end
    while start > 0 and found.rstrip(b"\n").count(b"\n") < 1 + (not found.endswith(b"\n")):
        start = max(0, start - _TAIL)
        file.seek(start)
        found = file.read(end - start)
    whole = found.rfind(b"\n") + 1
    line = _line_of(found[:whole].rstrip(b"\n").rpartition(b"\n")[2]) if whole else None
    if (whole and line is None) or (not whole and not _BEGUN.match(found[:_SHORT])):
        fail(f"{file.name} is there, and is not an export that could be continued", code=2)
    if line is not None and line.problem is None and (line.match is None) != (what == What.MOVES):
        fail(f"{file.name} was begun with another --what", code=2)
    file.seek(start + whole)
    file.truncate()
    return line


def _line_of(text: bytes) -> _Line | None:
    try:
        return _read(text)
    except msgspec.DecodeError:
        return None
