"""`foldtable export`: fetches a match as one document."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.cli.console import fail, say
from services.cli.rest import OutOfPatience, Rest, RestProblem

PATIENCE_SECONDS = 10.0


def export(
    match: Annotated[UUID, typer.Argument(help="The match's id.")],
    url: Annotated[str, typer.Option(help="Address of the gateway.")] = "http://127.0.0.1:8080",
    key: Annotated[str, typer.Option(envvar="FOLDTABLE_KEY", help="An API key, or a seat's token.")] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; default: <match id>.json.")
    ] = None,
) -> None:
    """Fetch a match: everything once it has ended, before that what the key's holder may know."""
    if not key:
        fail("a key is needed: --key, or FOLDTABLE_KEY", code=2)
    place = output or Path(f"{match}.json")
    try:
        document = asyncio.run(_fetch(url, key, match))
        place.write_bytes(document)
    except (OutOfPatience, RestProblem, OSError) as problem:
        fail(str(problem))
    say(f"{place}: {len(document)} bytes")


async def _fetch(url: str, key: str, match: UUID) -> bytes:
    async with Rest(url, key, patience=PATIENCE_SECONDS) as rest:
        return await rest.get_bytes(f"/v1/matches/{match}/export")
