"""Public Ed25519 keys that the settings name: those that verify match tokens, and those that verify exports.

A key must be in its file before it first signs, and for as long as anything signed with it is to be accepted. No private key
ever reaches this process.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gateway.schemas.signing_keys import JwkSet
from services.process import public_keys
from services.process.public_keys import by_key_id, earlier_key_id, jwk_set, thumbprint

TOKEN_TYPE: Final = "JWT"  # noqa: S105 - a type of token


class KeysUnusable(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A key file cannot be used. The message begins with the setting's name."""


def read_public_keys(path: Path, *, setting: str) -> tuple[Ed25519PublicKey, ...]:
    """Return the keys of a PEM file, in order.

    Raises KeysUnusable if the file cannot be read, is empty or holds anything else. The message never quotes the file.
    """
    try:
        return public_keys.read_public_keys(path)
    except (OSError, ValueError) as error:
        raise KeysUnusable(f"{setting}: {error}") from error


class TokenKeys:
    """The keys that verify match tokens. A token names its key by `kid`; a token without `kid` was signed with the first one."""

    def __init__(self, *keys: Ed25519PublicKey) -> None:
        self._first = keys[0]
        self._keys = by_key_id(keys) | {earlier_key_id(key): key for key in keys}

    def of(self, token: str) -> Ed25519PublicKey:
        """Return the key that a token names. Raises jwt.InvalidTokenError for another type of token or an unknown key."""
        header = jwt.get_unverified_header(token)
        if header.get("typ", TOKEN_TYPE) != TOKEN_TYPE:
            raise jwt.InvalidTokenError
        if "kid" not in header:
            return self._first
        if (key := self._keys.get(header["kid"])) is None:
            raise jwt.InvalidTokenError
        return key


class PublishedKeys:
    """The keys that verify exports, published as a JWK set (RFC 7517)."""

    def __init__(self, keys: Iterable[Ed25519PublicKey] = ()) -> None:
        published = msgspec.convert(jwk_set(keys), JwkSet)
        self.key_ids: Final = frozenset(key.kid for key in published.keys)
        self.document: Final = msgspec.json.encode(published)
        self.etag: Final = f'"{sha256(self.document).hexdigest()[:32]}"'


def read_keys(tokens: Path, exports: Path | None) -> tuple[tuple[Ed25519PublicKey, ...], PublishedKeys]:
    """Return the keys that verify match tokens and those that verify exports, from the files that the settings name.

    Raises KeysUnusable as `read_public_keys` does, and if a key is in both files: a key must sign one kind of thing only.
    """
    of_tokens = read_public_keys(tokens, setting="FOLDTABLE_TOKEN_PUBLIC_KEY_FILE")
    setting = "FOLDTABLE_EXPORT_PUBLIC_KEY_FILE"
    published = PublishedKeys(() if exports is None else read_public_keys(exports, setting=setting))
    if both := published.key_ids & {thumbprint(key) for key in of_tokens}:
        raise KeysUnusable(
            f"{setting}: the key {min(both)} is for match tokens too; exports need one of their own"
        )
    return of_tokens, published
