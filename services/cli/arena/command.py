"""`foldtable arena`: levels of bots play each other on many processes, here or on a cluster; shows how often each wins."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any

import msgspec
import typer

from engine.bots.levels import LEVELS
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.batch.journal import Journal
from services.batch.running import results
from services.batch.tasks import Executor
from services.cli.arena.matches import Arena, ArenaResult, matches_of, play
from services.cli.arena.report import report, shown
from services.cli.arena.tables import SHAPE, TABLES
from services.cli.arena.tally import ArenaTally
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
from services.cli.console import OUT, fail
from services.cli.languages import Lang, language_of
from services.cli.matches import options as match_options
from services.cli.simulate.command import checked
from services.cli.simulate.simulation import MatchFailed
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
    workers: Workers = 0,
    seed: Annotated[int, typer.Option(help="The same seed and budget give the same matches.")] = 0,
    cluster: ClusterAddress = "",
    resume: Resume = None,
    parquet: Parquet = None,
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
        Arena(checked(game, "", options, seats, seed, language), chosen, budget, seconds)
        for game in dict.fromkeys(games or playable_games())
    ]
    matches += -matches % len(chosen)
    with (
        executor_of(cluster, workers, matches) as executor,
        journal_of(resume, parquet, _configuration(arenas, matches), ArenaResult) as journal,
        failing_clearly(journal),
    ):
        for one in arenas:
            tally = ArenaTally()
            stopped = False
            try:
                play_all(one, matches, executor, tally, journal)
            except KeyboardInterrupt:
                stopped = True
            except MatchFailed as problem:
                fail(str(problem))
            if tally.matches:
                if as_json:
                    typer.echo(msgspec.json.encode(report(one, matches, tally)))
                else:
                    OUT.print(shown(registered_game(one.simulation.game), one, tally, language))
            if stopped:
                fail(f"stopped after {tally.matches} of {matches} matches", code=INTERRUPTED)
        if parquet is not None and journal is not None:
            write_tables(journal.path, SHAPE, TABLES, parquet)


def _configuration(arenas: list[Arena], matches: int) -> dict[str, Any]:
    """Return everything that determines the results of a run."""
    first = arenas[0]
    return {
        "command": "arena",
        "games": [f"{one.simulation.game} {one.simulation.rules_version}" for one in arenas],
        "options": [msgspec.Raw(one.simulation.options) for one in arenas],
        "levels": first.levels,
        "matches": matches,
        "seats": first.simulation.seats,
        "seed": first.simulation.seed,
        "budget": first.playouts,
        "seconds": first.seconds,
    }


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


def play_all(
    arena: Arena,
    matches: int,
    executor: Executor,
    tally: ArenaTally,
    journal: Journal[ArenaResult] | None = None,
) -> None:
    """Play all matches of an arena; at any moment the tally contains those that are finished."""
    game = arena.simulation.game
    with progress("matches") as shown_progress:
        task = shown_progress.add_task(game, total=matches, note="")
        with closing(results(executor, matches_of(arena, matches), play, journal)) as played:
            for _, one in played:
                if one.match.game == game:  # a journal holds the matches of all games
                    tally.merge(one.tally)
                    shown_progress.update(task, completed=tally.matches)
