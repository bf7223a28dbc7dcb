"""`foldtable games`: the games that are installed, who brings them, and why some cannot be used."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from engine.registry import GAMES, REFUSED, SHADOWED, distribution
from services.cli.console import ERR, printable, say
from services.rules.served_games import usable_games


class InstalledGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a server here would serve."""

    game: str
    title: str
    distribution: str
    """Name and version of the distribution that brings it, such as `ladders 0.3.0`."""
    interface: str
    rules_versions: tuple[str, ...]
    """Newest first."""


class RefusedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A package that cannot be used."""

    game: str
    why: str


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """What `foldtable games --json` prints."""

    games: tuple[InstalledGame, ...]
    refused: tuple[RefusedGame, ...]


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """List the games that are installed. Ends with 1 if one of them cannot be used."""
    found = installed()
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        _print(found)
    if found.refused:
        raise typer.Exit(1)


def installed() -> Installed:
    """Return every installed game, checked as a rules server checks it when it starts."""
    usable, refused = usable_games((*GAMES, *REFUSED))
    return Installed(
        games=tuple(
            InstalledGame(
                game=game_id,
                title=game.title,
                distribution=distribution(game_id),
                interface=GAMES[game_id].interface,
                rules_versions=tuple(one.version for one in game.versions),
            )
            for game_id, game in usable.items()
        ),
        refused=tuple(
            RefusedGame(game=problem.game_id, why=str(problem)) for problem in (*refused, *SHADOWED)
        ),
    )


def _print(found: Installed) -> None:
    rows = [
        (
            game.game,
            game.distribution,
            f"interface {game.interface}",
            f"rules {', '.join(game.rules_versions)}",
        )
        for game in found.games
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(map(str.ljust, row, widths)).rstrip())
    for refused in found.refused:
        ERR.print(f"refused: {printable(refused.why)}", markup=False, soft_wrap=True, emoji=False)
