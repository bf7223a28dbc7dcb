"""`foldtable replay-all`: replays stored matches by the installed rules or by others, and reports those that differ."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import psycopg
import typer

from engine.registry import GAMES, versions
from services.audit.reading import FIRST_ID, NoDatabase, Wanted
from services.audit.stretches import count, key_of, range_of, stretches
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
from services.cli.console import fail, say
from services.cli.replay_all.report import report, sentences
from services.cli.replay_all.tables import SHAPE, TABLES
from services.cli.wanted_games import must_be_installed, playable_games
from services.postgres.database import SchemaMismatch, check_schema
from services.replays.files import NoExport, files_of, parts_of
from services.replays.judgements import NEWEST
from services.replays.tally import ReplayTally
from services.replays.work import FilePart, Judged, LogPart, judge_documents, judge_log


@dataclass(frozen=True)
class Source:
    """Where the matches come from."""

    total: int | None
    """Matches that there are; None if nobody has counted them."""
    do: Callable[[Any], Judged]
    tasks: Callable[[Executor, frozenset[str]], Iterator[Task[Any]]]
    """Returns the tasks that are not finished; it is given the keys of those that are."""


def replay_all(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Exports, files of many matches (`foldtable export --all`), folders of them; without any: the database."
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            help="Rules to decide by: a version such as 1.2.0, or `newest`. Default: those that each match was played by."
        ),
    ] = "",
    game: Annotated[str, typer.Option(help=f"Matches of this game only: {', '.join(GAMES)}.")] = "",
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            help="Only matches of the database changed since then (UTC).",
        ),
    ] = None,
    workers: Workers = 0,
    cluster: ClusterAddress = "",
    resume: Resume = None,
    parquet: Parquet = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Replay stored matches; report those that rules would have decided otherwise, and what all of them were.

    Exit code 1 if a match differs from the rules that it was played by.
    """
    _check(rules, game)
    since = None if since is None else since.replace(tzinfo=UTC)
    source, configuration = (
        _of_files(files, rules, game, since) if files else _of_log(home, rules, game, since)
    )
    tally, began = ReplayTally(), time.perf_counter()
    with (
        executor_of(cluster, workers) as executor,
        journal_of(resume, parquet, {"command": "replay-all", **configuration}, Judged) as journal,
        failing_clearly(journal),
    ):
        try:
            _run(source, executor, journal, tally, game)
        except KeyboardInterrupt:
            again = "" if journal is None else f"; the same command continues {journal.path}"
            fail(f"stopped after {tally.matches} matches{again}", code=INTERRUPTED)
        except (NoDatabase, NoExport, ValueError) as problem:
            fail(str(problem))
        except psycopg.Error as problem:  # its text may quote a row or the address
            fail(f"the database does not answer: {problem.sqlstate or type(problem).__name__}")
        done_by = str(executor)
        if parquet is not None and journal is not None:
            write_tables(journal.path, SHAPE, TABLES, parquet)
    if as_json:
        typer.echo(msgspec.json.encode(report(tally, rules)))
    else:
        for sentence in sentences(tally, rules, done_by, time.perf_counter() - began):
            say(sentence)
    raise typer.Exit(1 if tally.differ and not rules else 0)


def _check(rules: str, game: str) -> None:
    """End with a message if a game, or the version of its rules, is not installed."""
    if game:
        must_be_installed(game)
    if rules in {"", NEWEST}:
        return
    there_are = {
        one: [version.version for version in versions(one)] for one in ([game] if game else playable_games())
    }
    if not any(rules in of_game for of_game in there_are.values()):
        listed = "; ".join(f"{one} has {', '.join(of_game)}" for one, of_game in there_are.items())
        fail(f"--rules: no game has the rules {rules!r}: {listed}", code=2)


def _of_log(home: Path, rules: str, game: str, since: datetime | None) -> tuple[Source, dict[str, Any]]:
    """Return the matches of the database, and what determines them; end with a message if it cannot be used."""
    try:
        in_database(home, check_schema)
    except SchemaMismatch as problem:
        fail(str(problem))
    wanted = Wanted(url=database_of(home), game=game, since=since)

    def tasks(executor: Executor, finished: frozenset[str]) -> Iterator[Task[LogPart]]:
        done = dict(map(range_of, finished))
        sent = msgspec.structs.replace(wanted, url="") if executor.is_remote else wanted
        for stretch in stretches(wanted, after=FIRST_ID, done=done):
            yield Task(key_of(stretch), LogPart(wanted=sent, stretch=stretch, rules=rules))

    source = Source(count(wanted), judge_log, tasks)
    return source, {"rules": rules, "game": game, "since": since}


def _of_files(
    places: list[Path], rules: str, game: str, since: datetime | None
) -> tuple[Source, dict[str, Any]]:
    """Return the matches of files, and what determines them; end with a message if they cannot be read."""
    if since is not None:
        fail("--since is for the matches of the database: leave it out with files", code=2)
    try:
        files = files_of(places)
    except NoExport as problem:
        fail(str(problem), code=2)

    def tasks(_: Executor, finished: frozenset[str]) -> Iterator[Task[FilePart]]:
        for number, file in enumerate(files):
            for part, documents in enumerate(parts_of(file)):
                if (key := f"{number}-{part}") not in finished:
                    yield Task(key, FilePart(documents=documents, rules=rules))

    read = [f"{file} {file.stat().st_size} bytes" for file in files]
    return Source(None, judge_documents, tasks), {"rules": rules, "game": game, "files": read}


def _run(
    source: Source, executor: Executor, journal: Journal[Judged] | None, tally: ReplayTally, game: str
) -> None:
    finished = frozenset() if journal is None else frozenset(journal.finished)
    with progress("matches") as shown:
        task = shown.add_task("replay", total=source.total, note="")
        with closing(results(executor, source.tasks(executor, finished), source.do, journal)) as judged:
            for _, part in judged:
                for one in part.matches:
                    if not game or one.game == game:
                        tally.count(one)
                note = f"{tally.differ} differ" if tally.differ else ""
                shown.update(task, completed=tally.matches, note=note)
