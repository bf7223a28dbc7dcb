"""`foldtable verify`: checks an export offline, and names the first thing that does not agree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from engine.kernel.chance import DRAW_DOMAIN, Draw
from engine.kernel.errors import Unreadable
from services.cli.console import OUT, fail, say
from services.movelog.export_format import MAX_DOCUMENT_BYTES, MatchDocument, read_document
from services.movelog.verification import Verification, verify_document

ExportFile = Annotated[
    Path, typer.Argument(help="An export, as `foldtable export` or GET …/export writes it.")
]


def verify(
    file: ExportFile,
    draws: Annotated[
        bool, typer.Option("--draws", help="List every draw of luck with what it was made from.")
    ] = False,
) -> None:
    """Check an export offline: commitment, hash chain, fold, every move decided again, every draw made again.

    Exit code 0 only if everything could be checked and agrees.
    """
    document = read_export(file)
    found = verify_document(document)
    say(f"{document.game} {document.rules_version}, match {document.match_id}, {document.status}")
    if draws and document.secret is not None:
        say(f"match secret {document.secret}")
        say(
            f'a draw is HMAC-SHA-256(secret, "{DRAW_DOMAIN.decode()}" | move | draw), numbers as 8 bytes big-endian;'
        )
        say("its first 8 bytes as a number, modulo the bound")
        OUT.print(draws_table(found.draws))
    if not found.ok:
        where = f"move {found.difference_version}" if found.difference_version else "the match"
        fail(f"{where}: {found.difference}")
    if not found.decided_again:
        fail(f"the links of {found.moves} moves agree, but nothing more can be checked: {found.unchecked}")
    say(verdict(found))


def read_export(file: Path) -> MatchDocument:
    """Read an export; says what is wrong with it, and where, and ends otherwise."""
    try:
        with file.open("rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            if size > MAX_DOCUMENT_BYTES:
                fail(f"{file}: {size} bytes; an export has at most {MAX_DOCUMENT_BYTES}", code=2)
            data = opened.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as problem:
        fail(f"{file}: {problem.strerror}", code=2)
    try:
        return read_document(data)
    except Unreadable as problem:
        fail(f"{file} is not a match export: {problem.detail} (at {problem.pointer})", code=2)


def verdict(found: Verification) -> str:
    """Say what was checked."""
    return (
        f"verified: the commitment, the hashes of {found.moves} moves, {len(found.draws)} draws made again, "
        "every move decided again, the outcome"
    )


def draws_table(draws: tuple[Draw, ...]) -> Table:
    """List draws with what they were made from."""
    shown = Table()
    for name in ("move", "draw", "bound", "value"):
        shown.add_column(name, justify="right")
    for draw in draws:
        shown.add_row(str(draw.move), str(draw.number), str(draw.bound), str(draw.value))
    return shown
