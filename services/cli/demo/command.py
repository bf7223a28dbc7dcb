"""`foldtable demo`: plays whole matches over REST, follows, replays and verifies them, and prints the results."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from engine.registry import GAMES, REFUSED
from foldtable_client import ProblemError, Unreachable
from services.cli.console import OUT, fail, say
from services.cli.demo.match import Report, Wanted, demo_match
from services.cli.languages import Lang, language_of
from services.cli.matches import options as match_options
from services.cli.running_system import USUAL_HOME, HomeOption, Key, key_of
from services.cli.up.child import ChildFailed
from services.cli.up.ports import free_port
from services.cli.up.stack import Stack, StackSettings
from services.cli.wanted_games import must_be_installed
from services.client.rest import Rest
from services.embedded_postgres import EmbeddedPostgresError
from services.rules.served_games import NoGames, usable_games

ANSWER_SECONDS: Final = 3.0


def demo(
    url: Annotated[
        str,
        typer.Option(help="A running gateway; without it a whole system is started for the demo."),
    ] = "",
    key: Key = "",
    games: Annotated[str, typer.Option(help="Games, separated by commas; all by default.")] = "",
    seats: Annotated[
        int, typer.Option(min=1, max=64, help="Players per match, as far as the game allows.")
    ] = 4,
    option: Annotated[
        list[str] | None, typer.Option(help=f"{match_options.HELP} Only for games that have it.")
    ] = None,
    lang: Lang = None,
    home: HomeOption = USUAL_HOME,
) -> None:
    """Play a match of every game over REST, follow it, replay it from its log, verify every hash and every draw.

    Exit code 0 only if everything agrees.
    """
    key = key_of(key, url, home) if url else ""
    named = [game.strip() for game in games.split(",") if game.strip()]
    must_be_installed(*named)
    wanted = named or list(usable_games((*GAMES, *REFUSED))[0])
    options = match_options.read_options(option or ())
    try:
        reports = asyncio.run(_demo(url, key, wanted, seats, options, language_of(lang)))
    except (ChildFailed, EmbeddedPostgresError, NoGames, Unreachable, ProblemError, OSError) as problem:
        fail(str(problem))
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


async def _demo(
    url: str, key: str, games: list[str], seats: int, options: dict[str, Any], language: str
) -> list[Report]:
    reports = []
    async with _gateway(url, key) as (address, credential), Rest(address, credential) as rest:
        await must_be_there(rest)
        for game in games:
            described = await rest.get(f"/v1/games/{game}")
            chosen = match_options.known_options(options, described["options_schema"])
            wanted = Wanted(game, fitting(seats, described["seat_counts"]), chosen, language)
            say(f"{described['title']}, {wanted.seats} players, over REST at {address}")
            report = await demo_match(rest, wanted)
            OUT.print(report_table(described["title"], report))
            reports.append(report)
    return reports


async def must_be_there(rest: Rest) -> None:
    """Check once that a gateway answers; later the demo tolerates that it is unreachable for a minute."""
    retry_for, rest.retry_for = rest.retry_for, ANSWER_SECONDS
    await rest.get("/v1/games")
    rest.retry_for = retry_for


@asynccontextmanager
async def _gateway(url: str, key: str) -> AsyncIterator[tuple[str, str]]:
    """Yield a gateway and a key: the named one, or those of a temporary system."""
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
    """Return the number of players that the game allows and that is nearest to the wanted one."""
    return min(allowed, key=lambda count: (abs(count - seats), count))


def report_table(title: str, report: Report) -> Table:
    """Return a table of what was played and checked."""
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
