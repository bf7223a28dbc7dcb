"""`foldtable new-game`: writes a complete small game as a package, to be changed into another one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from services.cli.console import fail, say
from services.cli.new_game.names import NameUnusable, names
from services.cli.new_game.writing import FolderTaken, write


def new_game(
    name: Annotated[str, typer.Argument(help="The id of the game and of its Python package: three_bowls.")],
    title: Annotated[
        str | None, typer.Option(help="Its name for people; without it, it is made of the id.")
    ] = None,
    into: Annotated[
        Path | None, typer.Option(help="A new or empty folder; without it, one of the game's name.")
    ] = None,
) -> None:
    """Write a complete small game as a package of its own: a tutorial to read, and a beginning to change."""
    folder = Path(name) if into is None else into
    try:
        chosen = names(name, title)
        written = write(chosen, folder)
    except (NameUnusable, FolderTaken, OSError) as problem:
        fail(str(problem), code=2)
    say(f"{chosen.title}: {len(written)} files in {folder}. Next:")
    say(f"  pip install -e {shlex.quote(str(folder))}")
    say(f"  foldtable check-game {chosen.module}")
    say("  foldtable up")
