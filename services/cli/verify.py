"""`foldtable verify`: checks an export offline, and names the first thing that does not agree."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
import typer
from rich.table import Table

from engine.kernel.chance import DRAW_DOMAIN, Draw, raw_draw
from services.cli.console import OUT, fail, say
from services.cli.match_place import USUAL_URL, FileOrMatch, Key, Url, read_match
from services.movelog.export_format import MatchDocument
from services.movelog.verification import Verification, verify_document


def verify(
    match: FileOrMatch,
    draws: Annotated[
        bool, typer.Option("--draws", help="List every draw of luck with what it was made from.")
    ] = False,
    move: Annotated[int | None, typer.Option(min=1, help="List the draws of this move only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    url: Url = USUAL_URL,
    key: Key = "",
) -> None:
    """Check an export offline: commitment, hash chain, fold, every move decided again, every draw made again.

    Exit code 0 only if everything could be checked and agrees.
    """
    document = read_match(match, url, key)
    found = verify_document(document)
    listed = tuple(draw for draw in found.draws if move in {None, draw.move})
    if as_json:
        typer.echo(msgspec.json.encode(findings(document, found, listed)))
        raise typer.Exit(0 if found.ok and found.decided_again else 1)
    say(f"{document.game} {document.rules_version}, match {document.match_id}, {document.status}")
    if (draws or move is not None) and document.secret is not None:
        _list_draws(bytes.fromhex(document.secret), listed)
    if not found.ok:
        where = f"move {found.difference_version}" if found.difference_version else "the match"
        fail(f"{where}: {found.difference}{_place(found)}")
    if not found.decided_again:
        fail(f"the links of {found.moves} moves agree, but nothing more can be checked: {found.unchecked}")
    say(verdict(found))


def _place(found: Verification) -> str:
    """Say where in the document it is, what stands there and what should."""
    if not found.difference_pointer:
        return ""
    known = bool(found.found or found.expected)
    stands = f": {found.found or 'nothing'}, not {found.expected or 'nothing'}" if known else ""
    return f" (at {found.difference_pointer}{stands})"


_GIVEN: Final = "; it is a fork, and the table it begins at was taken as given"


def verdict(found: Verification) -> str:
    """Say what was checked."""
    return (
        f"verified: the commitment, the hashes of {found.moves} moves, {len(found.draws)} draws made again, "
        f"every move decided again, the outcome{_GIVEN if found.forked else ''}"
    )


def findings(document: MatchDocument, found: Verification, draws: tuple[Draw, ...]) -> dict[str, Any]:
    """Give what was found, for tools; each draw with the message and the number it was made from."""
    secret = None if document.secret is None else bytes.fromhex(document.secret)
    return {
        "match_id": document.match_id,
        "game": document.game,
        "rules_version": document.rules_version,
        **msgspec.structs.asdict(found),
        "secret": document.secret,
        "draws": [
            {**msgspec.structs.asdict(draw), "message": message(draw).hex(), "raw": raw(secret, draw)}
            for draw in draws
            if secret is not None
        ],
    }


def message(draw: Draw) -> bytes:
    """Give what the HMAC of a draw is over."""
    return DRAW_DOMAIN + draw.move.to_bytes(8, "big") + draw.number.to_bytes(8, "big")


def raw(secret: bytes, draw: Draw) -> str:
    """Give the first eight bytes of a draw's HMAC, as hex."""
    return f"{raw_draw(secret, draw.move, draw.number):016x}"


def _list_draws(secret: bytes, draws: tuple[Draw, ...]) -> None:
    say(f"match secret {secret.hex()}")
    say(
        f'a draw is HMAC-SHA-256(secret, "{DRAW_DOMAIN.decode()}" | move | draw), numbers as 8 bytes big-endian;'
    )
    say("its first 8 bytes as a number, modulo the bound")
    OUT.print(draws_table(secret, draws))
    if draws:
        say("the first of these by hand:")
        say(
            f"  echo {message(draws[0]).hex()} | xxd -r -p | openssl dgst -sha256 -mac HMAC -macopt hexkey:{secret.hex()}"
        )


def draws_table(secret: bytes, draws: tuple[Draw, ...]) -> Table:
    """List draws with what they were made from, and what was made of them."""
    shown = Table()
    for name in ("move", "draw", "bound", "value", "first 8 bytes"):
        shown.add_column(name, justify="right")
    for draw in draws:
        shown.add_row(str(draw.move), str(draw.number), str(draw.bound), str(draw.value), raw(secret, draw))
    return shown
