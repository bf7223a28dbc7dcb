"""`foldtable simulate`: many whole random matches in process, with progress and a summary."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from typing import Annotated

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.requests import check_seat_count
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.cli.console import OUT, fail
from services.cli.simulation import Batch, MatchResult, Tally, batches, play_batch

MOST_MATCHES = 10_000_000


def simulate(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAMES)}.")],
    matches: Annotated[int, typer.Option(min=1, max=MOST_MATCHES, help="How many.")] = 20,
    seats: Annotated[int, typer.Option(min=1, max=64, help="Players per match.")] = 4,
    variant: Annotated[str, typer.Option(help="Of the game, if it has variants.")] = "",
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one per core.")] = 0,
    seed: Annotated[
        int, typer.Option(help="The same seed gives the same matches, whatever the number of jobs.")
    ] = 0,
) -> None:
    """Play whole random matches in process and show what they came to."""
    options = checked_options(game, seats, variant)
    jobs = min(jobs or os.cpu_count() or 1, matches)
    tally = Tally()
    began = time.perf_counter()
    columns = (TextColumn(game), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=OUT, transient=True) as progress:
        task = progress.add_task("", total=matches)
        for results in played(batches(game, options, seats, seed, matches), jobs):
            for result in results:
                tally.add(result)
            progress.advance(task, len(results))
    seconds = time.perf_counter() - began
    OUT.print(summary(registered_game(game), seats, tally, seconds, jobs))


def checked_options(game_id: str, seats: int, variant: str) -> bytes:
    """Give the options as JSON; says what is wrong with them and ends otherwise."""
    if game_id not in GAMES:
        fail(f"unknown game {game_id!r}; there are: {', '.join(GAMES)}", code=2)
    game = registered_game(game_id)
    options = msgspec.json.encode({"variant": variant} if variant else {})
    try:
        check_seat_count(game, seats)
        game.options_codec.decode(options)
    except RuleViolation as refusal:
        fail(str(refusal), code=2)
    except Unreadable as problem:
        fail(f"{problem.detail} at {problem.pointer}", code=2)
    return options


def played(work: Iterator[Batch], jobs: int) -> Iterator[list[MatchResult]]:
    """Play batches, in this process or in several, and give each one's results when it is done."""
    if jobs == 1:
        yield from map(play_batch, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: set[Future[list[MatchResult]]] = set()
        waiting.update(pool.submit(play_batch, batch) for batch in islice(work, jobs * 2))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting.update(pool.submit(play_batch, batch) for batch in islice(work, len(done)))
            for future in done:
                yield future.result()


def summary(game: AnyGame, seats: int, tally: Tally, seconds: float, jobs: int) -> Table:
    """Show lengths, outcomes, shares of wins and the mix of actions."""
    matches = len(tally.lengths)
    moves = sum(tally.lengths)
    shown = Table(
        title=f"{game.title}: {matches} random matches, {seats} players",
        title_justify="left",
        show_header=False,
    )
    shown.add_column(style="bold")
    shown.add_column()
    shown.add_row(
        "moves per match",
        f"{min(tally.lengths)} to {max(tally.lengths)}, median {statistics.median(tally.lengths):.0f}",
    )
    shown.add_row("ended by", shares(tally.reasons.most_common(), matches))
    seats_and_wins = [(f"seat {seat}", tally.wins[seat]) for seat in range(seats)]
    shown.add_row("won by", shares([*seats_and_wins, ("nobody", tally.without_winner)], matches))
    shown.add_row("actions", shares(tally.actions.most_common(), moves))
    shown.add_row(
        "speed",
        f"{moves / seconds:,.0f} moves/s, {matches / seconds:.1f} matches/s ({jobs} processes, {seconds:.1f} s)",
    )
    return shown


def shares(counts: list[tuple[str, int]], total: int) -> str:
    """Say what part of the total each count is, one per line."""
    return "\n".join(f"{count / total:6.1%}  {name}" for name, count in counts if count)
