"""`foldtable players`: everything that a running system keeps of one player, exported or erased."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Annotated, Any, Final

import typer

from services.cli.console import ERR, fail, say
from services.cli.forgetting.delete import Yes
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of
from services.identity.key_ring import REMEMBER_SECONDS

app = typer.Typer(help="Everything that is kept of one player.", no_args_is_help=True)

PlayerArgument = Annotated[str, typer.Argument(help="The platform's own id of the player.")]
WAIT_SECONDS: Final = REMEMBER_SECONDS + 1
"""After this no server takes a session of the player for good, so nobody can take a seat with it any more."""
_COUNTS: Final = ("seats", "events", "vacations", "login_codes")


@app.command()
def export(
    player: PlayerArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; default: standard output.")
    ] = None,
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Write everything that is kept of a player, one JSON record a line. Moves are in the exports of the matches that it names."""
    address = url_of(url, home)
    try:
        with Gateway(address, key_of(key, address, home)) as gateway:
            records = gateway.kept_of(player)
        if output is None:
            typer.echo(records.decode(), nl=False)
        else:
            output.write_bytes(records)
            say(f"{output}: {len(records.splitlines())} records")
    except (*GATEWAY_TROUBLE, OSError) as problem:
        fail(str(problem))


@app.command()
def erase(
    player: PlayerArgument,
    url: Url = "",
    key: Key = "",
    yes: Yes = False,
    home: HomeOption = USUAL_HOME,
) -> None:
    """Erase a player: the id, the name and the data everywhere, sessions, login codes and vacations. Moves stay, and still verify.

    It asks once more after ten seconds, for so long a server may still take a session of the player for good. Ctrl-C stops it; the same command goes on.
    """
    if not yes:
        typer.confirm(f"Erase everything that is kept of player {player!r}?", abort=True)
    address = url_of(url, home)
    counts = dict.fromkeys(_COUNTS, 0)
    try:
        with (
            Gateway(address, key_of(key, address, home)) as gateway,
            ERR.status("erasing …") as progress,
        ):
            for wait in (0.0, WAIT_SECONDS):
                if wait:
                    progress.update("waiting until no session of the player is remembered …")
                    sleep(wait)
                while not _add(counts, gateway.erase(player)):
                    progress.update(f"erasing … {counts['seats']} seats, {counts['events']} events")
    except GATEWAY_TROUBLE as problem:
        fail(str(problem))
    say("erased: " + ", ".join(f"{counts[name]} {name.replace('_', ' ')}" for name in _COUNTS))


def _add(counts: dict[str, int], done: dict[str, Any]) -> bool:
    """Count what a request has erased; return whether nothing is left."""
    for name in counts:
        counts[name] += done[name]
    return bool(done["done"])
