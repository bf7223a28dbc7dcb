"""`foldtable arena`: levels of bots play each other in parallel processes; shows how often each wins."""

from __future__ import annotations

import os
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Annotated

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.bots.levels import LEVELS
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.cli.arena.matches import Arena, matches_of, play
from services.cli.arena.report import report, shown
from services.cli.arena.tally import ArenaTally
from services.cli.console import ERR, OUT, fail
from services.cli.languages import Lang, language_of
from services.cli.matches import options as match_options
from services.cli.simulate.command import INTERRUPTED, checked
from services.cli.simulate.simulation import MatchFailed
from services.cli.simulate.workers import played
from services.cli.wanted_games import playable_games

MAX_MATCHES = 1_000_000
MAX_PLAYOUTS = 1_000_000
MAX_SECONDS = 600.0


def arena(
    games: Annotated[
        list[str] | None, typer.Argument(help=f"Some of: {', '.join(GAMES)}; without any, all of them.")
    ] = None,
    levels: Annotated[str, typer.Option(help=f"Two or more of: {', '.join(LEVELS)}.")] = "greedy,random",
    matches: Annotated[
        int,
        typer.Option(
            min=1,
            max=MAX_MATCHES,
            help="How many matches; rounded up so that every level has every seat equally often.",
        ),
    ] = 20,
    seats: Annotated[int, typer.Option(min=2, max=64, help="Players per match, no fewer than levels.")] = 2,
    budget: Annotated[
        int, typer.Option(min=1, max=MAX_PLAYOUTS, help="Playouts of `search` for each move.")
    ] = 24,
    seconds: Annotated[
        float,
        typer.Option(
            min=0,
            max=MAX_SECONDS,
            help="Thinking time for each move instead; then runs are not reproducible.",
        ),
    ] = 0.0,
    option: Annotated[list[str] | None, typer.Option(help=match_options.HELP)] = None,
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one per core.")] = 0,
    seed: Annotated[int, typer.Option(help="The same seed and budget give the same matches.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per game, for tools.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Let levels of bots play each other, and show how often each wins."""
    language = language_of(lang)
    chosen = _levels(levels, seats)
    options = match_options.read_options(option or ())
    arenas = [
        Arena(checked(game, "", options, seats, seed, None, language), chosen, budget, seconds)
        for game in dict.fromkeys(games or playable_games())
    ]
    matches += -matches % len(chosen)
    for one in arenas:
        tally = ArenaTally()
        stopped = False
        try:
            play_all(one, matches, min(workers or os.cpu_count() or 1, matches), tally)
        except KeyboardInterrupt:
            stopped = True
        except MatchFailed as problem:
            fail(str(problem))
        except BrokenProcessPool:
            fail("a worker process was killed; fewer --workers need less memory")
        if tally.matches:
            if as_json:
                typer.echo(msgspec.json.encode(report(one, matches, tally)))
            else:
                OUT.print(shown(registered_game(one.simulation.game), one, tally, language))
        if stopped:
            fail(f"stopped after {tally.matches} of {matches} matches", code=INTERRUPTED)


def _levels(text: str, seats: int) -> tuple[str, ...]:
    """Return the levels; end with a message if they are wrong."""
    levels = tuple(text.split(","))
    for level in levels:
        if level not in LEVELS:
            fail(f"unknown level {level!r}; there are: {', '.join(LEVELS)}", code=2)
    if len(set(levels)) < len(levels) or len(levels) < 2:
        fail("--levels: name two or more different levels", code=2)
    if len(levels) > seats:
        fail(f"{len(levels)} levels need as many --seats", code=2)
    return levels


def play_all(arena: Arena, matches: int, workers: int, tally: ArenaTally) -> None:
    """Play all matches; at any moment the tally contains those that are finished."""
    columns = (
        TextColumn(arena.simulation.game),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("eta"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
        task = progress.add_task("", total=matches)
        with closing(played(matches_of(arena, matches), workers, play)) as results:
            for one in results:
                tally.merge(one)
                progress.update(task, completed=tally.matches)
