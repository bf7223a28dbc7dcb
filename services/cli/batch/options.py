"""The options of the commands that do much work: where, and how a run that was cut off is continued."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

from services.batch.cluster import Cluster
from services.batch.installation import installed
from services.batch.journal import Journal, JournalUnusable
from services.batch.processes import Processes
from services.batch.tasks import ClusterUnusable, Executor, WorkersKilled
from services.cli.batch.tables import LINES, duckdb_or_fail
from services.cli.console import fail

R = TypeVar("R")

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells use it."""

Workers = Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one per core.")]
ClusterAddress = Annotated[
    str,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Scheduler of a Dask cluster whose workers do the work, such as tcp://10.0.0.5:8786.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume",
        metavar="FILE",
        help="File for the results of finished work; the same command with it continues a run that was cut off.",
    ),
]
Parquet = Annotated[
    Path | None,
    typer.Option(
        "--parquet",
        metavar="FOLDER",
        help="Folder for the results as Parquet files; also continues, as --resume does.",
    ),
]


@contextmanager
def executor_of(cluster: str, workers: int, most: int | None = None) -> Iterator[Executor]:
    """Return what carries out the tasks; end the command with a message if it cannot. `most`: workers that are of use."""
    if not cluster:
        here = Processes(workers)
        yield here if most is None else Processes(min(here.size, most))
        return
    if workers:
        fail("--workers counts processes of this machine: leave it out with --cluster", code=2)
    try:
        connected = Cluster(cluster)
    except ClusterUnusable as problem:
        fail(str(problem), code=2)
    try:
        yield connected
    finally:
        connected.close()


@contextmanager
def journal_of(
    resume: Path | None, parquet: Path | None, configuration: Mapping[str, Any], result: type[R]
) -> Iterator[Journal[R] | None]:
    """Return the file that a run is continued from, if one is wanted; end the command with a message if it cannot be."""
    if parquet is not None:
        duckdb_or_fail()
    path = resume or (None if parquet is None else parquet / LINES)
    if path is None:
        yield None
        return
    try:
        for folder in (path.parent, parquet or path.parent):
            folder.mkdir(parents=True, exist_ok=True)
        journal = Journal(path, {**configuration, "installed": installed()}, result)
    except JournalUnusable as problem:
        fail(str(problem), code=2)
    except OSError as problem:
        fail(f"{problem.filename or path}: {problem.strerror}", code=2)
    with journal:
        yield journal


@contextmanager
def failing_clearly(journal: Journal[R] | None) -> Iterator[None]:
    """End the command with a message if what carries out its tasks fails."""
    again = "" if journal is None else f"; the same command continues {journal.path}"
    try:
        yield
    except (WorkersKilled, ClusterUnusable) as problem:
        fail(f"{problem}{again}")
    except OSError as problem:
        fail(f"{problem}{again}")
