"""`foldtable simulate`: plays thousands of random matches in parallel processes, and shows the results."""

from __future__ import annotations

import os
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.match.certain_end import must_end
from engine.match.requests import check_seat_count
from engine.registry import GAMES
from services.cli.console import ERR, OUT, fail
from services.cli.languages import Lang, language_of
from services.cli.matches import options as match_options
from services.cli.sentences import refused
from services.cli.simulate.report import report, shown
from services.cli.simulate.simulation import MatchFailed, Simulation, batches, log_name, play_batch
from services.cli.simulate.tally import Tally
from services.cli.simulate.workers import played
from services.cli.wanted_games import wanted_game

MAX_MATCHES = 10_000_000
USUAL_SEATS = 4
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells use it."""


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
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one per core.")] = 0,
    seed: Annotated[
        int, typer.Option(help="The same seed results in the same matches, whatever the number of workers.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="An empty or new folder for every match's log, to `replay` and to `verify`."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    lang: Lang = None,
) -> None:
    """Play whole random matches in parallel processes, and show the results."""
    language = language_of(lang)
    options = match_options.read_options(option or ())
    simulation = checked(game, rules_version, options, seats, seed, out, language)
    workers = min(workers or os.cpu_count() or 1, matches)
    tally = Tally()
    began = time.perf_counter()
    stopped = False
    try:
        _play(simulation, matches, workers, tally)
    except KeyboardInterrupt:
        stopped = True
    except (MatchFailed, OSError) as problem:
        fail(str(problem))
    except BrokenProcessPool:
        fail("a worker process was killed; fewer --workers need less memory")
    speed = _speed(tally, workers, time.perf_counter() - began)
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


def checked(
    game_id: str,
    rules_version: str,
    options: dict[str, Any],
    seats: int,
    seed: int,
    out: Path | None,
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
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            if any(out.iterdir()):
                fail(f"{out} is not empty", code=2)
        except OSError as problem:
            fail(f"{out}: {problem.strerror}", code=2)
    return Simulation(game_id, encode(chosen), seats, seed, out, game.rules_version)


def usual_seats(game: AnyGame) -> int:
    """Return the default number of seats."""
    return USUAL_SEATS if USUAL_SEATS in game.seat_counts else max(game.seat_counts)


def _play(simulation: Simulation, matches: int, workers: int, tally: Tally) -> None:
    """Play all matches; at any moment the tally contains those that are finished."""
    columns = (
        TextColumn(simulation.game),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TextColumn("eta"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
        task = progress.add_task("", total=matches)
        with closing(played(batches(simulation, matches), workers, play_batch)) as results:
            for batch in results:
                tally.merge(batch)
                progress.update(task, completed=tally.matches)


class Rate(ProgressColumn):
    """Matches per second."""

    def render(self, task: Task) -> Text:
        """Return the recent rate; empty before there is one."""
        return Text(f"{task.speed:.0f} matches/s" if task.speed else "")


def _speed(tally: Tally, workers: int, seconds: float) -> str:
    moves = tally.lengths.total()
    processes = "1 process" if workers == 1 else f"{workers} processes"
    return f"{moves / seconds:,.0f} moves/s, {tally.matches / seconds:.1f} matches/s, {processes}, {seconds:.1f} s"
