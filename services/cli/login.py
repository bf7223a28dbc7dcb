"""`foldtable login`: prints a link that signs a player in, once."""

from __future__ import annotations

import asyncio
from typing import Annotated
from uuid import UUID

import typer

from foldtable_client import ProblemError, Unreachable
from services.cli.console import fail, say
from services.cli.login_link import HOURS, PLAYER, NoPage, login_link
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of


def login(
    player: Annotated[str, typer.Option(help="The player whom the link signs in.")] = PLAYER,
    hours: Annotated[
        float, typer.Option(min=0.01, max=720, help="How long the browser stays signed in, in hours.")
    ] = HOURS,
    match: Annotated[
        UUID | None, typer.Option(help="The match that the page shows then; without it, the lobby.")
    ] = None,
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Print a link that opens the page in a browser, signed in as a player. It works once, within a day."""
    place = url_of(url, home)
    try:
        link = asyncio.run(
            login_link(place, key_of(key, place, home), player=player, hours=hours, match=match)
        )
    except (NoPage, ProblemError, Unreachable) as problem:
        fail(str(problem))
    say(link)
