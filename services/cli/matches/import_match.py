"""`foldtable import`: imports an exported match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foldtable_client import ProblemError
from services.cli.console import fail, say
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway, bytes_of
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of


def import_match(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export (- reads standard input).")],
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Import the export of a match that has ended. The server verifies all of it first, and reports what is wrong.

    Importing a match again changes nothing, and reports that it is stored already.
    """
    address = url_of(url, home)
    try:
        document = bytes_of(Path(file))
        with Gateway(address, key_of(key, address, home)) as gateway:
            answer = gateway.take_in(document)
    except ProblemError as problem:
        places = ", ".join(str(error.get("pointer", "")) for error in problem.document.get("errors", ()))
        fail(f"{problem} (at {places})" if places else str(problem))
    except (*GATEWAY_TROUBLE, OSError) as problem:
        fail(str(problem))
    match = answer["match"]
    was = "was already imported" if answer["replayed"] else "imported"
    say(f"{match['game']} {match['match_id']} {was}: {match['version']} moves")
