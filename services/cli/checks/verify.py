"""`foldtable verify`: verifies an export offline, and names the first difference."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
import typer
from rich.table import Table

from engine.kernel.chance import DRAW_DOMAIN, Draw, raw_draw
from services.cli.checks.vouching import Keys, exit_code, read_keys, words
from services.cli.console import OUT, fail, say
from services.cli.matches.place import FileOrMatch, read_match
from services.cli.running_system import USUAL_HOME, HomeOption, Key, Url
from services.movelog.export.format import MatchDocument
from services.movelog.export.signature import Signature, Standing, check_signature
from services.movelog.export.verification import Verification, verify_document


def verify(
    match: FileOrMatch,
    draws: Annotated[bool, typer.Option("--draws", help="List every draw of luck with its inputs.")] = False,
    move: Annotated[int | None, typer.Option(min=1, help="List the draws of this move only.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for tools.")] = False,
    keys: Keys = "",
    url: Url = "",
    key: Key = "",
    home: HomeOption = USUAL_HOME,
) -> None:
    """Verify an export offline: commitment, hash chain, fold, every move decided again, every draw recomputed.

    Exit code 0 only if everything could be checked and agrees; with --keys, only if one of them signed the file (3: the
    signature does not fit, 4: there is none, or it is by another key).
    """
    public = read_keys(keys) if keys else None
    document = read_match(match, url, key, home)
    found = verify_document(document)
    signature = check_signature(document, public)
    signed = exit_code(signature, keys_given=bool(keys))
    listed = tuple(draw for draw in found.draws if move in {None, draw.move})
    if as_json:
        typer.echo(msgspec.json.encode(findings(document, found, listed, signature)))
        raise typer.Exit(signed if found.ok and found.decided_again else 1)
    say(f"{document.game} {document.rules_version}, match {document.match_id}, {document.status}")
    if (draws or move is not None) and document.secret is not None:
        _list_draws(bytes.fromhex(document.secret), listed)
    if not found.ok:
        if signature.standing is Standing.DOES_NOT_FIT:
            say(words(signature))
        where = f"move {found.difference_version}" if found.difference_version else "the match"
        fail(f"{where}: {found.difference}{_place(found)}")
    if signature.standing is Standing.DOES_NOT_FIT:
        fail(words(signature), code=signed)
    if not found.decided_again:
        say(words(signature))
        fail(f"the links of {found.moves} moves agree, but nothing more can be checked: {found.unchecked}")
    say(verdict(found))
    if signed:
        fail(words(signature), code=signed)
    say(words(signature))


def _place(found: Verification) -> str:
    """Return the place of the difference in the document, the value found and the value expected."""
    if not found.difference_pointer:
        return ""
    known = bool(found.found or found.expected)
    stands = f": {found.found or 'nothing'}, not {found.expected or 'nothing'}" if known else ""
    return f" (at {found.difference_pointer}{stands})"


_GIVEN: Final = "; it is a fork, and its first state was taken as given"


def _without_names(erased: int) -> str:
    """Return what to add about players who are erased."""
    return (
        f"; {erased} erased player{'' if erased == 1 else 's'}, known by a commitment only" if erased else ""
    )


def verdict(found: Verification) -> str:
    """Return a line that says what was verified."""
    return (
        f"verified: the commitment, the hashes of {found.moves} moves, {len(found.draws)} draws recomputed, "
        f"every move decided again, the outcome{_GIVEN if found.forked else ''}{_without_names(found.erased)}"
    )


def findings(
    document: MatchDocument, found: Verification, draws: tuple[Draw, ...], signature: Signature
) -> dict[str, Any]:
    """Return the result for tools; each draw with the message and the number it was computed from."""
    secret = None if document.secret is None else bytes.fromhex(document.secret)
    return {
        "match_id": document.match_id,
        "game": document.game,
        "rules_version": document.rules_version,
        **msgspec.structs.asdict(found),
        "secret": document.secret,
        "signature": signature,
        "draws": [
            {**msgspec.structs.asdict(draw), "message": message(draw).hex(), "raw": raw(secret, draw)}
            for draw in draws
            if secret is not None
        ],
    }


def message(draw: Draw) -> bytes:
    """Return the message that the HMAC of a draw is computed over."""
    return DRAW_DOMAIN + draw.move.to_bytes(8, "big") + draw.number.to_bytes(8, "big")


def raw(secret: bytes, draw: Draw) -> str:
    """Return the first eight bytes of a draw's HMAC, as hex."""
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
    """Return a table of draws, with their inputs and their results."""
    shown = Table()
    for name in ("move", "draw", "bound", "value", "first 8 bytes"):
        shown.add_column(name, justify="right")
    for draw in draws:
        shown.add_row(str(draw.move), str(draw.number), str(draw.bound), str(draw.value), raw(secret, draw))
    return shown
