"""`foldtable export`: exports a match as one document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.console import fail, say
from services.cli.matches.audience import WRITTEN, read_audience
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway, MatchAddress, place_of
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of


def export(
    match: Annotated[str, typer.Argument(help="The match's id, or its address.")],
    url: Url = "",
    key: Key = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; default: <match id>.json.")
    ] = None,
    look_as: Annotated[
        str,
        typer.Option("--as", help=f"Audience while the match runs: {WRITTEN}. Default: that of the key."),
    ] = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Export a match: everything once it has ended; before that, what the key's holder may know."""
    audience = None if not look_as else read_audience(look_as)
    if look_as and audience is None:
        fail(f"--as {look_as}: not {WRITTEN}", code=2)
    found = place_of(match, url_of(url, home))
    if not isinstance(found, MatchAddress):
        fail(f"{match} is neither the id nor the address of a match", code=2)
    place = output or Path(f"{found.match_id}.json")
    try:
        with Gateway(found.url, key_of(key, found.url, home)) as gateway:
            document = gateway.export(found.match_id, audience)
        place.write_bytes(document)
    except (*GATEWAY_TROUBLE, OSError) as problem:
        fail(str(problem))
    say(f"{place}: {len(document)} bytes")
