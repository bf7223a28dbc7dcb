"""`foldtable export`: exports a match as one document, or many as lines or as Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.console import fail, say
from services.cli.matches.audience import WRITTEN, read_audience
from services.cli.matches.export_many import LINES, What, export_many
from services.cli.matches.place import GATEWAY_TROUBLE, Gateway, MatchAddress, place_of
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url, key_of, url_of


def export(
    match: Annotated[
        str, typer.Argument(help="The match's id, or its address; not with --all or --parquet.")
    ] = "",
    url: Url = "",
    key: Key = "",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help=f"File to write; default: <match id>.json, with --all {LINES}."),
    ] = None,
    look_as: Annotated[
        str,
        typer.Option("--as", help=f"Audience while the match runs: {WRITTEN}. Default: that of the key."),
    ] = "",
    all_matches: Annotated[
        bool,
        typer.Option(
            "--all", help="Export every match, a line of JSON each. A file that is there is continued."
        ),
    ] = False,
    parquet: Annotated[
        Path | None,
        typer.Option(help="Folder for Parquet files of every match: matches, seats, moves, events."),
    ] = None,
    what: Annotated[
        What, typer.Option(help="With --all: whole exports, or only match documents with their outcomes.")
    ] = What.MOVES,
    game: Annotated[str, typer.Option(help="Many matches: of this game only.")] = "",
    status: Annotated[str, typer.Option(help="Many matches: waiting, running or ended ones only.")] = "",
    player: Annotated[str, typer.Option(help="Many matches: those of this player only.")] = "",
    since: Annotated[
        str, typer.Option(help="Many matches: those changed since this time, such as 2026-01-31T00:00:00Z.")
    ] = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Export a match: everything once it has ended; before that, what the key's holder may know. Or export many."""
    if all_matches or parquet is not None:
        if match or look_as:
            fail("--all and --parquet export every match: leave out the match and --as", code=2)
        filters = {"game": game, "status": status, "player": player, "updated_since": since}
        address = url_of(url, home)
        export_many(
            address,
            key_of(key, address, home),
            {name: value for name, value in filters.items() if value},
            what=what,
            output=output,
            parquet=parquet,
        )
        return
    if not match:
        fail("name a match, or export every match with --all or --parquet", code=2)
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
