"""`foldtable simulate`: plays thousands of random matches on many processes, here or on a cluster, and shows the results."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.match.certain_end import must_end
from engine.match.requests import check_seat_count
from engine.registry import GAMES
from services.batch.journal import Journal
from services.batch.running import results
from services.batch.tasks import Executor
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
from services.cli.console import ERR, OUT, fail
from services.cli.languages import Lang, language_of
from services.cli.matches import options as match_options
from services.cli.sentences import refused
from services.cli.simulate.report import report, shown
from services.cli.simulate.simulation import (
    MATCHES_PER_BATCH,
    BatchResult,
    MatchFailed,
    Simulation,
    batch_size,
    batches,
    log_name,
    play_batch,
)
from services.cli.simulate.tables import SHAPE, TABLES
from services.cli.simulate.tally import Tally
from services.cli.wanted_games import wanted_game

MAX_MATCHES = 10_000_000
USUAL_SEATS = 4


def simulate(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}.")],
    matches: Annotated[int, typer.Option(min=1, max=MAX_MATCHES, help="Number of matches.")] = 1_000,
    seats: Annotated[
        int, typer.Option(min=0, max=64, help="Players per match; 0: four, or as many as the game allows.")
    ] = 0,
    option: Annotated[list[str] | None, typer.Option(help=match_options.HELP)] = None,
    rules_version: Annotated[
        str, typer.Option(help="Version of the rules, such as 1.0.0; by default the newest.")
    ] = "",
    workers: Workers = 0,
    seed: Annotated[
        int, typer.Option(help="The same seed results in the same matches, whatever the number of workers.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="An empty or new folder for every match's log, to `replay` and to `verify`."),
    ] = None,
    cluster: ClusterAddress = "",
    resume: Resume = None,
    parquet: Parquet = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    lang: Lang = None,
) -> None:
    """Play whole random matches in parallel, and show the results."""
    language = language_of(lang)
    options = match_options.read_options(option or ())
    simulation = checked(game, rules_version, options, seats, seed, language)
    simulation = replace(simulation, folder=out, listed=parquet is not None)
    size = MATCHES_PER_BATCH if not cluster and resume is parquet is None else batch_size(matches)
    tally, began, stopped = Tally(), time.perf_counter(), False
    with (
        executor_of(cluster, workers, matches) as executor,
        journal_of(resume, parquet, _configuration(simulation, matches, size), BatchResult) as journal,
        failing_clearly(journal),
    ):
        if out is not None:
            _prepare(out, executor, journal)
        try:
            _play(simulation, matches, size, executor, journal, tally)
        except KeyboardInterrupt:
            stopped = True
        except MatchFailed as problem:
            fail(str(problem))
        speed = _speed(tally, executor, time.perf_counter() - began)
        if parquet is not None and journal is not None and not stopped:
            write_tables(journal.path, SHAPE, TABLES, parquet)
    if tally.matches:
        if as_json:
            typer.echo(msgspec.json.encode(report(simulation, matches, tally)))
            ERR.print(speed, markup=False)
        else:
            OUT.print(shown(wanted_game(game), simulation, tally, speed, language))
            if out is not None:
                OUT.print(f"logs: {out}, {log_name(simulation, 0)} and on", markup=False, soft_wrap=True)
    if stopped:
        fail(f"stopped after {tally.matches} of {matches} matches", code=INTERRUPTED)


def _configuration(simulation: Simulation, matches: int, size: int) -> dict[str, Any]:
    """Return everything that determines the results of a run, and how they are divided."""
    chosen = msgspec.structs.asdict(simulation) | {"options": msgspec.Raw(simulation.options)}
    chosen["parquet"] = chosen.pop("listed")
    chosen["out"] = None if chosen.pop("folder") is None else str(simulation.folder)
    return {"command": "simulate", **chosen, "matches": matches, "matches_per_task": size}


def checked(
    game_id: str,
    rules_version: str,
    options: dict[str, Any],
    seats: int,
    seed: int,
    language: str,
) -> Simulation:
    """Return the simulation to play; end with a message, a refusal in this language, if the options are wrong."""
    newest = wanted_game(game_id)
    try:
        game = newest.by(rules_version) if rules_version else newest
    except KeyError as unknown:
        fail(f"--rules-version: {unknown.args[0]}", code=2)
    try:
        seats = seats or usual_seats(game)
        check_seat_count(game, seats)
        chosen = game.options_codec.decode(msgspec.json.encode(options))
        game.check_options(chosen, seats, game.rules_version)
        must_end(game, chosen)
    except RuleViolation as refusal:
        fail(refused(game, language, refusal), code=2)
    except Unreadable as problem:
        fail(f"--option: {problem.detail} at {problem.pointer}", code=2)
    return Simulation(game_id, encode(chosen), seats, seed, rules_version=game.rules_version)


def _prepare(out: Path, executor: Executor, journal: Journal[Any] | None) -> None:
    """Make the folder of the logs; end with a message if it is not empty, unless the run is continued."""
    if executor.is_remote:
        fail("--out writes on the disk of who plays: leave it out with --cluster", code=2)
    try:
        out.mkdir(parents=True, exist_ok=True)
        is_continued = journal is not None and journal.finished
        if not is_continued and any(out.iterdir()):
            fail(f"{out} is not empty", code=2)
    except OSError as problem:
        fail(f"{out}: {problem.strerror}", code=2)


def usual_seats(game: AnyGame) -> int:
    """Return the default number of seats."""
    return USUAL_SEATS if USUAL_SEATS in game.seat_counts else max(game.seat_counts)


def _play(
    simulation: Simulation,
    matches: int,
    size: int,
    executor: Executor,
    journal: Journal[BatchResult] | None,
    tally: Tally,
) -> None:
    """Play all matches; at any moment the tally contains those that are finished."""
    with progress("matches") as shown_progress:
        task = shown_progress.add_task(simulation.game, total=matches, note="")
        tasks = batches(simulation, matches, size=size)
        with closing(results(executor, tasks, play_batch, journal)) as played:
            for _, batch in played:
                tally.merge(batch.tally)
                shown_progress.update(task, completed=tally.matches)


def _speed(tally: Tally, executor: Executor, seconds: float) -> str:
    moves = tally.lengths.total()
    return f"{moves / seconds:,.0f} moves/s, {tally.matches / seconds:.1f} matches/s, {executor}, {seconds:.1f} s"
