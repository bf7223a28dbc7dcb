"""`foldtable audit`: checks everything stored about matches, and reports what is altered, missing or out of order."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final
from uuid import UUID

import msgspec
import psycopg
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.registry import GAMES
from services.audit import outbox, reading
from services.audit.auditing import Piece, audit_stretch
from services.audit.findings import Tally
from services.audit.outbox import audit_page
from services.audit.reading import FIRST_ID, Wanted
from services.cli.accounts.database import HomeOption, database_of, in_database
from services.cli.checks.audit_report import report, sentences
from services.cli.console import ERR, fail, say
from services.cli.simulate.workers import played
from services.cli.wanted_games import must_be_installed
from services.postgres.database import SchemaMismatch, check_schema

STRETCH: Final = 50
"""Matches that one process audits at a time, in one transaction."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells use it."""


def audit(
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one per core.")] = 0,
    match: Annotated[UUID | None, typer.Option(help="This match only.")] = None,
    game: Annotated[str, typer.Option(help=f"Matches of this game only: {', '.join(GAMES)}.")] = "",
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            help="Only matches changed since then (UTC); alterations of older ones are not found.",
        ),
    ] = None,
    after: Annotated[
        UUID | None, typer.Option(help="Continue after this match, where an audit was stopped.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Check every stored row of every match; exit code 1 if anything is altered, missing or out of order.

    It only reads, and matches may go on meanwhile. The database is that of FOLDTABLE_DATABASE_URL, or of the running server.
    """
    if game:
        must_be_installed(game)
    try:
        in_database(home, check_schema)
    except SchemaMismatch as problem:
        fail(str(problem))
    began, started = datetime.now(UTC), time.perf_counter()
    since = None if since is None else since.replace(tzinfo=UTC)
    wanted = Wanted(url=database_of(home), match=match, game=game, since=since)
    walk = Walk(wanted, after or FIRST_ID, 1 if match else workers or os.cpu_count() or 1)
    try:
        walk.run()
    except KeyboardInterrupt:
        _print(walk, time.perf_counter() - started, as_json=as_json)
        fail(f"stopped; continue with --after {walk.done}", code=INTERRUPTED)
    except BrokenProcessPool:
        fail(
            f"a worker process was killed; fewer --workers need less memory; continue with --after {walk.done}"
        )
    except psycopg.Error as problem:  # its text may quote a row or the address
        fail(f"the database does not answer: {problem.sqlstate or type(problem).__name__}")
    _print(walk, time.perf_counter() - started, as_json=as_json)
    if not as_json and match is None:
        say(
            f"to audit only matches changed from now on: --since {began:%Y-%m-%dT%H:%M:%S}; only a full audit finds alterations of older ones"
        )
    raise typer.Exit(1 if walk.tally.wrong else 0)


class Walk:
    """A running audit: its findings and its progress."""

    def __init__(self, wanted: Wanted, after: UUID, workers: int) -> None:
        self.tally = Tally()
        self.workers = workers
        self.done = after
        """Every match up to this one was audited."""
        self._wanted = wanted
        self._after = after
        self._waiting: list[UUID] = []
        """The ends of the stretches handed out, in order."""
        self._finished: set[UUID] = set()

    def run(self) -> None:
        """Audit everything. Raise psycopg.Error, BrokenProcessPool."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("[red]{task.fields[wrong]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
            total = reading.count(self._wanted, self._after)
            task = progress.add_task("matches", total=total, wrong="")
            with closing(self._matches()) as results:
                for _ in results:
                    progress.update(task, completed=self.tally.matches, wrong=self._wrong())
            task = progress.add_task("events", total=None, wrong=self._wrong())
            with closing(played(outbox.pages(self._wanted), self.workers, audit_page)) as results:
                for part in results:
                    self.tally.merge(part)
                    progress.update(task, completed=self.tally.rows["events"], wrong=self._wrong())

    def _matches(self) -> Generator[None, None, None]:
        for upto, part in played(self._pieces(), self.workers, audit_named):
            self.tally.merge(part)
            self._finished.add(upto)
            while self._waiting and self._waiting[0] in self._finished:
                self.done = self._waiting.pop(0)
                self._finished.remove(self.done)
            yield

    def _pieces(self) -> Iterator[Piece]:
        for stretch in reading.stretches(self._wanted, after=self._after, size=STRETCH):
            self._waiting.append(stretch.upto)
            yield Piece(wanted=self._wanted, stretch=stretch)

    def _wrong(self) -> str:
        return f"{self.tally.wrong} found" if self.tally.wrong else ""


def audit_named(piece: Piece) -> tuple[UUID, Tally]:
    """Audit a stretch, and return its end with the result."""
    return piece.stretch.upto, audit_stretch(piece)


def _print(walk: Walk, seconds: float, *, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.encode(report(walk.tally, seconds, walk.workers)))
        return
    for sentence in sentences(walk.tally, seconds, walk.workers):
        say(sentence)
