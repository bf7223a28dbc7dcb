"""`foldtable import`: takes an exported match in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.console import fail, say
from services.cli.match_place import GATEWAY_TROUBLE, USUAL_URL, Gateway, Key, Url, bytes_of
from services.cli.rest import RestProblem


def import_match(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export (- reads standard input).")],
    url: Url = USUAL_URL,
    key: Key = "",
) -> None:
    """Take in the export of a match that has ended. The gateway checks all of it first, and says what is wrong.

    A repeat is told that the match is there, and changes nothing.
    """
    try:
        document = bytes_of(Path(file))
        with Gateway(url, key) as gateway:
            answer = gateway.take_in(document)
    except RestProblem as problem:
        places = ", ".join(str(error.get("pointer", "")) for error in problem.document.get("errors", ()))
        fail(f"{problem} (at {places})" if places else str(problem))
    except (*GATEWAY_TROUBLE, OSError) as problem:
        fail(str(problem))
    match = answer["match"]
    was = "was here already" if answer["replayed"] else "is here"
    say(f"{match['game']} {match['match_id']} {was}: {match['version']} moves")
