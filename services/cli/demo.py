"""`foldtable demo`: plays whole matches over REST, follows them, replays them, verifies them, and says so."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from engine.registry import GAMES
from services.cli import match_options
from services.cli.child import ChildFailed
from services.cli.console import OUT, fail, say
from services.cli.demo_match import Report, Wanted, demo_match
from services.cli.ports import free_port
from services.cli.rest import OutOfPatience, Rest, RestProblem
from services.cli.stack import Stack, StackSettings
from services.embedded_postgres import EmbeddedPostgresError

ANSWER_SECONDS: Final = 3.0


def demo(
    url: Annotated[
        str,
        typer.Option(help="A gateway that runs already; without it a whole house is started for the demo."),
    ] = "",
    key: Annotated[str, typer.Option(envvar="FOLDTABLE_KEY", help="An API key of that gateway.")] = "",
    games: Annotated[str, typer.Option(help="Which games, separated by commas; all by default.")] = "",
    seats: Annotated[
        int, typer.Option(min=1, max=64, help="Players per match, as far as the game allows.")
    ] = 4,
    option: Annotated[
        list[str] | None, typer.Option(help=f"{match_options.HELP} For the games that know it.")
    ] = None,
) -> None:
    """Play a match of every game over REST, follow it, replay it from its log, verify every hash and every draw.

    Exit code 0 only if everything agrees.
    """
    if url and not key:
        fail("a gateway that runs already wants its key: --key, or FOLDTABLE_KEY", code=2)
    wanted = [game.strip() for game in games.split(",") if game.strip()] or list(GAMES)
    if unknown := sorted(set(wanted) - set(GAMES)):
        fail(f"unknown games: {', '.join(unknown)}; there are: {', '.join(GAMES)}", code=2)
    options = match_options.read_options(option or ())
    try:
        reports = asyncio.run(_demo(url, key, wanted, seats, options))
    except (ChildFailed, EmbeddedPostgresError, OutOfPatience, RestProblem, OSError) as problem:
        fail(str(problem))
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


async def _demo(url: str, key: str, games: list[str], seats: int, options: dict[str, Any]) -> list[Report]:
    reports = []
    async with _gateway(url, key) as (address, credential), Rest(address, credential) as rest:
        await must_be_there(rest)
        for game in games:
            described = await rest.get(f"/v1/games/{game}")
            chosen = match_options.known_options(options, described["options_schema"])
            wanted = Wanted(game, fitting(seats, described["seat_counts"]), chosen)
            say(f"{described['title']}, {wanted.seats} players, over REST at {address}")
            report = await demo_match(rest, wanted)
            OUT.print(report_table(described["title"], report))
            reports.append(report)
    return reports


async def must_be_there(rest: Rest) -> None:
    """Ask once whether there is a gateway at all; later it may be away for a minute and the demo goes on."""
    patience, rest.patience = rest.patience, ANSWER_SECONDS
    await rest.get("/v1/games")
    rest.patience = patience


@asynccontextmanager
async def _gateway(url: str, key: str) -> AsyncIterator[tuple[str, str]]:
    """Give a gateway and a key: the named one, or a house of the demo's own that is gone afterwards."""
    if url:
        yield url, key
        return
    with tempfile.TemporaryDirectory(prefix="foldtable-demo-") as folder:
        stack = Stack(StackSettings(home=Path(folder), port=free_port()), say)
        try:
            await stack.start()
            yield stack.address, stack.key
        finally:
            await stack.stop()


def fitting(seats: int, allowed: list[int]) -> int:
    """Give the number of players the game allows that is nearest to the wished one."""
    return min(allowed, key=lambda count: (abs(count - seats), count))


def report_table(title: str, report: Report) -> Table:
    """Show what was played, and what was checked."""
    shown = Table(title=f"{title}: match {report.match_id}", title_justify="left", show_header=False)
    shown.add_column(style="bold")
    shown.add_column(overflow="fold")
    for name, value in report.facts:
        shown.add_row(name, value)
    shown.add_section()
    for check in report.checks:
        mark = "[green]agrees[/]" if check.ok else "[red bold]DIFFERS[/]"
        shown.add_row(check.name, f"{mark}  {check.detail}")
    return shown
