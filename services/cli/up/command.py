"""`foldtable up`: the whole system on this machine, until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Annotated, Literal

import typer

from services.cli.console import fail, say
from services.cli.up.child import ChildFailed
from services.cli.up.greeting import greeting
from services.cli.up.home import HomeInUse, Running
from services.cli.up.ports import port_near
from services.cli.up.stack import Stack, StackSettings
from services.embedded_postgres import EmbeddedPostgresError
from services.postgres.database import DatabaseSettings
from services.rules.served_games import NoGames

HomeOption = Annotated[
    Path,
    typer.Option(envvar="FOLDTABLE_HOME", help="Folder for Postgres's data, keys and logs."),
]


def up(
    home: HomeOption = Path(".foldtable"),
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port of the gateway; the next free one if it is taken.")
    ] = 8080,
    grpc_port: Annotated[
        int,
        typer.Option(min=0, max=65_535, help="Port of the rules server; the next free one if it is taken."),
    ] = 7100,
    metrics_port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65_535,
            help="Port of the gateway's metrics; the other servers use the next ones; 0: no metrics.",
        ),
    ] = 9090,
    process_per_game: Annotated[
        bool, typer.Option(help="One rules server per game, as in a cluster.")
    ] = False,
    own_servers: Annotated[
        bool,
        typer.Option(
            help="A rules server of its own for each package with games of others: what goes wrong there concerns only its games."
        ),
    ] = False,
    bots: Annotated[bool, typer.Option(help="Run a worker that plays the built-in bots.")] = True,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="Level of the servers' logs.")
    ] = "info",
) -> None:
    """Start Postgres, the rules server, the platform service, the gateway and the bots; stop all of it with Ctrl-C.

    FOLDTABLE_DATABASE_URL points at a Postgres of your own; without it an embedded one is started.
    """
    found = port_near(port)
    if port not in {0, found}:
        say(f"port {port} is taken; using {found}")
    database_url = os.environ.get("FOLDTABLE_DATABASE_URL") or None
    if database_url is not None:
        try:
            DatabaseSettings(database_url)
        except ValueError as problem:
            fail(str(problem), code=2)
    settings = StackSettings(
        home=home,
        port=found,
        grpc_port=grpc_port,
        metrics_port=metrics_port,
        database_url=database_url,
        process_per_game=process_per_game,
        own_servers=own_servers,
        bots=bots,
        cors_origins=os.environ.get("FOLDTABLE_CORS_ORIGINS", "*"),
        log_level=log_level,
    )
    asyncio.run(_run(settings))


async def _run(settings: StackSettings) -> None:
    stop_signal = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop_signal.set)
    stack = Stack(settings, say)
    starting = asyncio.create_task(stack.start())
    stopping = asyncio.create_task(stop_signal.wait())
    problem = ""
    try:
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            problem = problem_of(starting)
            if not problem:
                say(await greeting(stack, settings.home))
                await asyncio.wait({stopping, *stack.keepers()}, return_when=asyncio.FIRST_COMPLETED)
                say("stopping ...")
    finally:
        for task in (starting, stopping):
            task.cancel()
        await asyncio.gather(starting, stopping, return_exceptions=True)
        await stack.stop()
    if problem:
        fail(problem)
    say("stopped; the matches stay in " + str(settings.home))


def problem_of(starting: asyncio.Task[None]) -> str:
    """Return why the server did not start, as text for the user; raise anything unexpected."""
    problem = starting.exception()
    if isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    match problem:
        case None:
            return ""
        case HomeInUse(running=None):
            return "another `foldtable up` is just starting with this home"
        case HomeInUse(running=Running() as running):
            return f"Foldtable already runs with this home: {running.address} (process {running.pid})"
        case ChildFailed() | EmbeddedPostgresError() | NoGames() | OSError():
            return str(problem)
        case _:
            raise problem
