"""`foldtable delete`: deletes a match of a running system."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.console import fail, say
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway, MatchAddress, place_of
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before.")]


def delete(
    match: Annotated[str, typer.Argument(help="The match's id, or its address.")],
    url: Url = "",
    key: Key = "",
    yes: Yes = False,
    home: HomeOption = USUAL_HOME,
) -> None:
    """Delete a match with everything that belongs to it. It cannot be undone: `foldtable export` it before."""
    found = place_of(match, url_of(url, home))
    if not isinstance(found, MatchAddress):
        fail(f"{match} is neither the id nor the address of a match", code=2)
    if not yes:
        typer.confirm(f"Delete match {found.match_id} for good?", abort=True)
    try:
        with Gateway(found.url, key_of(key, found.url, home)) as gateway:
            gateway.delete(found.match_id)
    except GATEWAY_TROUBLE as problem:
        fail(str(problem))
    say(f"match {found.match_id} is deleted")
