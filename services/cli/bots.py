"""`foldtable bots`: plays the seats of the house's bots, until Ctrl-C."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from services.bots.__main__ import run
from services.bots.settings import BotsSettings
from services.cli.console import fail
from services.cli.home import Home
from services.rpc.bot_names import LEVELS
from services.structured_logs import LogFormat, configure_logs


def bots(
    url: Annotated[
        str,
        typer.Option(envvar="FOLDTABLE_GATEWAY", help="A gateway; unsaid: the house that runs in `--home`."),
    ] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(
            envvar="FOLDTABLE_BOTS_KEY_FILE",
            help="API keys with the scope `bots:play`, one a line; unsaid: the house's own.",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(help=f"Which levels, separated by commas; all by default: {', '.join(LEVELS)}.")
    ] = ",".join(LEVELS),
    seconds: Annotated[
        float, typer.Option(min=0.01, max=60, help="How long a level that searches may think about a move.")
    ] = 0.5,
    processes: Annotated[int, typer.Option(min=1, max=64, help="In how many processes they think.")] = 1,
    home: Annotated[
        Path, typer.Option(envvar="FOLDTABLE_HOME", help="Folder of a house on this machine.")
    ] = Path(".foldtable"),
) -> None:
    """Play the seats of the house's bots over the public API; start as many as you like, stop each with Ctrl-C."""
    house = Home(home.absolute())
    if not url:
        running = house.running()
        if running is None:
            fail("no house runs here: say where, with --url and --key-file", code=2)
        url = running.address
    try:
        settings = BotsSettings(
            gateway=url,
            bots_key_file=key_file or house.bots_key,
            bot_levels=levels,  # type: ignore[arg-type]  # read by the settings
            bot_seconds=seconds,
            bot_processes=processes,
        )
    except ValidationError as error:
        fail("; ".join(str(one["msg"]) for one in error.errors()), code=2)
    console = "FOLDTABLE_LOG_FORMAT" not in os.environ
    configure_logs(settings.log_level, LogFormat.CONSOLE if console else settings.log_format)
    run(settings)
