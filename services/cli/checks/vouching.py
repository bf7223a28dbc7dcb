"""Signatures of exports: the keys that `--keys` names, and the result of checking a signature, as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import httpx
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.cli.console import fail
from services.movelog.export.signature import Signature, Standing
from services.process.public_keys import MAX_BYTES, by_key_id, keys_in_jwk_set, public_keys_in

WELL_KNOWN: Final = "/.well-known/jwks.json"
SECONDS: Final = 10.0
DOES_NOT_FIT: Final = 3
"""Exit code: the signature is over something else, or was not made with the key it names."""
NOT_VOUCHED_FOR: Final = 4
"""Exit code: keys were given, and the file is signed with none of them."""

Keys = Annotated[
    str,
    typer.Option(
        "--keys",
        metavar="JWKS|URL|PEM",
        help="Public keys of the server that should have signed: a JWK set, its address, or a PEM file.",
    ),
]

_CAVEAT: Final = (
    "A file alone proves that its dice and cards follow from its secret and that its moves are legal. It does not prove "
    "that this match was played: anybody who knows the secret, which is public once a match has ended, can make "
    "another file that is just as consistent."
)


def read_keys(place: str) -> Mapping[str, Ed25519PublicKey]:
    """Return the keys of a file or an address, by key id. End with a message if there are none."""
    try:
        data = _fetch(place) if place.startswith(("http://", "https://")) else _read(Path(place))
        if b"-----BEGIN " in data:
            return by_key_id(public_keys_in(data))
        return keys_in_jwk_set(data)
    except (ValueError, httpx.HTTPError, httpx.InvalidURL) as problem:
        fail(f"{place} {problem}", code=2)
    except OSError as problem:
        fail(f"{place}: {problem.strerror}", code=2)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _fetch(address: str) -> bytes:
    """Return the response of an address (for a server's, the set it publishes), at most one byte over the limit."""
    url = address.rstrip("/") + WELL_KNOWN if urlsplit(address).path in {"", "/"} else address
    with (
        httpx.Client(timeout=SECONDS, trust_env=False) as client,
        client.stream("GET", url, headers={"accept": "application/jwk-set+json, application/json"}) as answer,
    ):
        if answer.status_code != httpx.codes.OK:
            raise ValueError(f"answers {answer.status_code}")
        data = b""
        for part in answer.iter_bytes():
            data += part
            if len(data) > MAX_BYTES:
                break
        return data


def words(signature: Signature) -> str:
    """Return the signature's result as text, and what the file proves if nobody vouches for it."""
    by = f"signed with the key {signature.key_id} of {signature.issuer}, at {signature.signed_at or '-'}"
    match signature.standing:
        case Standing.FITS:
            return f"{by}: that server vouches for this match"
        case Standing.DOES_NOT_FIT:
            return f"the signature does not fit: {signature.problem}"
        case Standing.UNKNOWN_KEY:
            return f"{by}: none of the given keys, so the signature proves nothing here. {_CAVEAT}"
        case Standing.UNCHECKED:
            return f"{by}, which was not checked: give the server's public keys with --keys. {_CAVEAT}"
        case Standing.UNSIGNED:
            return f"not signed. {_CAVEAT}"


def exit_code(signature: Signature, *, keys_given: bool) -> int:
    """Return the exit code for a file in which everything else agrees."""
    if signature.standing is Standing.DOES_NOT_FIT:
        return DOES_NOT_FIT
    if keys_given and signature.standing is not Standing.FITS:
        return NOT_VOUCHED_FOR
    return 0
