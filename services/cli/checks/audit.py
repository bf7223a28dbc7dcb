"""`foldtable audit`: checks everything stored about matches, and reports what is altered, missing or out of order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

import msgspec
import psycopg
import typer

from engine.registry import GAMES
from services.audit.auditing import audit_piece
from services.audit.findings import Tally
from services.audit.pieces import Piece, pieces
from services.audit.reading import FIRST_ID, NoDatabase, Wanted
from services.audit.stretches import count, key_of, range_of
from services.batch.journal import Journal
from services.batch.running import results
from services.batch.tasks import Executor, Task
from services.cli.accounts.database import HomeOption, database_of, in_database
from services.cli.batch.options import (
    INTERRUPTED,
    ClusterAddress,
    Parquet,
    Resume,
    Workers,
    executor_of,
    failing_clearly,
    journal_of,
)
from services.cli.batch.progress import progress
from services.cli.batch.tables import write_tables
from services.cli.checks.audit_report import report, sentences
from services.cli.checks.audit_tables import SHAPE, TABLES
from services.cli.console import fail, say
from services.cli.wanted_games import must_be_installed
from services.postgres.database import SchemaMismatch, check_schema


def audit(
    workers: Workers = 0,
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
    cluster: ClusterAddress = "",
    resume: Resume = None,
    parquet: Parquet = None,
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
    configuration = {"command": "audit", "match": match, "game": game, "since": since, "after": after}
    with (
        executor_of(cluster, workers, 1 if match else None) as executor,
        journal_of(resume, parquet, configuration, Tally) as journal,
        failing_clearly(journal),
    ):
        walk = Walk(wanted, after or FIRST_ID, executor, journal)
        go_on = (
            "continue with --after {}" if journal is None else f"the same command continues {journal.path}"
        )
        try:
            walk.run()
        except KeyboardInterrupt:
            _print(walk, time.perf_counter() - started, as_json=as_json)
            fail(f"stopped; {go_on.format(walk.done)}", code=INTERRUPTED)
        except (NoDatabase, ValueError) as problem:
            fail(f"{problem}; {go_on.format(walk.done)}")
        except psycopg.Error as problem:  # its text may quote a row or the address
            fail(f"the database does not answer: {problem.sqlstate or type(problem).__name__}")
        if parquet is not None and journal is not None:
            write_tables(journal.path, SHAPE, TABLES, parquet)
    _print(walk, time.perf_counter() - started, as_json=as_json)
    if not as_json and match is None:
        say(
            f"to audit only matches changed from now on: --since {began:%Y-%m-%dT%H:%M:%S}; only a full audit finds alterations of older ones"
        )
    raise typer.Exit(1 if walk.tally.wrong else 0)


class Walk:
    """A running audit: its findings and its progress."""

    def __init__(
        self, wanted: Wanted, after: UUID, executor: Executor, journal: Journal[Tally] | None = None
    ) -> None:
        self.tally = Tally()
        self.executor = executor
        self.done = after
        """Every match up to this one was audited."""
        self._wanted = wanted
        self._after = after
        self._journal = journal
        self._finished: dict[UUID, UUID] = {}
        """The stretches that were audited: the id after which each begins, and its last id."""

    def run(self) -> None:
        """Audit everything. Raise psycopg.Error, NoDatabase, and what executors raise."""
        with progress("matches") as shown:
            task = shown.add_task("audit", total=count(self._wanted, self._after), note="")
            audited = results(self.executor, self._tasks(), audit_piece, self._journal)
            with closing(audited):
                for key, part in audited:
                    self.tally.merge(part)
                    self._note(key)
                    note = f"{self.tally.wrong} found" if self.tally.wrong else ""
                    shown.update(task, completed=self.tally.matches, note=note)

    def _note(self, key: str) -> None:
        after, upto = range_of(key)
        if after != upto:
            self._finished[after] = upto
        while self.done in self._finished:
            self.done = self._finished.pop(self.done)

    def _tasks(self) -> Iterator[Task[Piece]]:
        keys = () if self._journal is None else self._journal.finished
        done = {after: upto for after, upto in map(range_of, keys) if after != upto}
        wanted = msgspec.structs.replace(self._wanted, url="") if self.executor.is_remote else self._wanted
        for number, piece in enumerate(pieces(self._wanted, after=self._after, done=done)):
            after, upto = piece.stretch.after, piece.stretch.upto
            again = (
                "" if after != upto else f"..{number}.{time.time_ns()}"
            )  # events of no match: read each time
            yield Task(key_of(piece.stretch) + again, msgspec.structs.replace(piece, wanted=wanted))


def _print(walk: Walk, seconds: float, *, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.encode(report(walk.tally, seconds, walk.executor.size)))
        return
    for sentence in sentences(walk.tally, seconds, str(walk.executor)):
        say(sentence)
