"""`foldtable bots`: plays the seats of the built-in bots, until Ctrl-C."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from services.bots.__main__ import run
from services.bots.settings import BotsSettings
from services.cli.console import fail
from services.cli.running_system import USUAL_HOME, HomeOption, running_in
from services.cli.up.home import Home
from services.process.structured_logs import LogFormat, configure_logs
from services.rpc.bot_names import LEVELS


def bots(
    url: Annotated[
        str,
        typer.Option(
            envvar="FOLDTABLE_GATEWAY",
            help="Address of a gateway; without it, that of the server running in `--home`.",
        ),
    ] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(
            envvar="FOLDTABLE_BOTS_KEY_FILE",
            help="API keys with the scope `bots:play`, one per line; without it, the server's own.",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(help=f"Levels to play, separated by commas; all by default: {', '.join(LEVELS)}.")
    ] = ",".join(LEVELS),
    seconds: Annotated[
        float, typer.Option(min=0.01, max=60, help="How long a level that searches may think about a move.")
    ] = 0.5,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes that the bots think in.")
    ] = 1,
    home: HomeOption = USUAL_HOME,
) -> None:
    """Play the seats of the built-in bots over the public API. Several may run at once; stop each with Ctrl-C."""
    system = Home(home.absolute())
    if not url:
        running = running_in(home)
        if running is None:
            fail("no system runs here: give --url and --key-file", code=2)
        url = running.address
    try:
        settings = BotsSettings(
            gateway=url,
            bots_key_file=key_file or system.bots_key,
            bot_levels=levels,  # type: ignore[arg-type]  # read by the settings
            bot_seconds=seconds,
            bot_processes=processes,
        )
    except ValidationError as error:
        fail("; ".join(str(one["msg"]) for one in error.errors()), code=2)
    console = "FOLDTABLE_LOG_FORMAT" not in os.environ
    configure_logs(settings.log_level, LogFormat.CONSOLE if console else settings.log_format)
    run(settings)
