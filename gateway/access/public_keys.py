"""Public Ed25519 keys of the services, by key id: those that verify match tokens, and those that verify exports.

A file holds one PEM block after the other. It must contain a key before that key first signs, and for as long as anything
signed with it is to be accepted. No private key ever reaches this process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

import jwt
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from jwt.utils import base64url_encode

from gateway.schemas.signing_keys import Jwk, JwkSet

TOKEN_TYPE: Final = "JWT"  # noqa: S105 - a type of token
MAX_BYTES: Final = 64 * 1024
_BLOCK: Final = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)


class KeysUnusable(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A key file cannot be used. The message begins with the setting's name."""


def read_public_keys(path: Path, *, setting: str) -> tuple[Ed25519PublicKey, ...]:
    """Return the keys of a PEM file, in order.

    Raises KeysUnusable if the file cannot be read, is empty or holds anything else. The message never quotes the file.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return _keys_in(data)
    except OSError as error:
        raise KeysUnusable(f"{setting}: {error}") from error
    except ValueError as error:
        raise KeysUnusable(f"{setting}: {path} {error}") from error


def _keys_in(data: bytes) -> tuple[Ed25519PublicKey, ...]:
    blocks = _BLOCK.findall(data)
    if not blocks or data.count(b"-----BEGIN ") != len(blocks) or len(data) > MAX_BYTES:
        raise ValueError("holds no public key in PEM form, or more than public keys")
    try:
        keys = [load_pem_public_key(block) for block in blocks]
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError("holds no public key in PEM form") from error
    found = tuple(key for key in keys if isinstance(key, Ed25519PublicKey))
    if len(found) != len(keys):
        raise ValueError("holds no Ed25519 public key, or others too")
    return found


class TokenKeys:
    """The keys that verify match tokens. A token names its key by `kid`; a token without `kid` was signed with the first one."""

    def __init__(self, *keys: Ed25519PublicKey) -> None:
        self._first = keys[0]
        self._keys = {key_id(key): key for key in keys} | {_earlier_key_id(key): key for key in keys}

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


def key_id(key: Ed25519PublicKey) -> str:
    """Return the key id of a key: its JWK thumbprint (RFC 7638)."""
    members = f'{{"crv":"Ed25519","kty":"OKP","x":"{_x(key)}"}}'
    return base64url_encode(sha256(members.encode()).digest()).decode()


def _earlier_key_id(key: Ed25519PublicKey) -> str:
    """Return the key id that releases up to 0.1.0 wrote into tokens."""
    return sha256(_raw(key)).hexdigest()[:16]


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _x(key: Ed25519PublicKey) -> str:
    return base64url_encode(_raw(key)).decode()


class PublishedKeys:
    """The keys that verify exports, published as a JWK set (RFC 7517)."""

    def __init__(self, keys: Iterable[Ed25519PublicKey] = ()) -> None:
        each = {key_id(key): Jwk(kid=key_id(key), x=_x(key)) for key in keys}
        self.key_ids: Final = frozenset(each)
        self.document: Final = msgspec.json.encode(JwkSet(keys=list(each.values())))
        self.etag: Final = f'"{sha256(self.document).hexdigest()[:32]}"'


def read_keys(tokens: Path, exports: Path | None) -> tuple[tuple[Ed25519PublicKey, ...], PublishedKeys]:
    """Return the keys that verify match tokens and those that verify exports, from the files that the settings name.

    Raises KeysUnusable as `read_public_keys` does, and if a key is in both files: a key must sign one kind of thing only.
    """
    of_tokens = read_public_keys(tokens, setting="FOLDTABLE_TOKEN_PUBLIC_KEY_FILE")
    setting = "FOLDTABLE_EXPORT_PUBLIC_KEY_FILE"
    published = PublishedKeys(() if exports is None else read_public_keys(exports, setting=setting))
    if both := published.key_ids & {key_id(key) for key in of_tokens}:
        raise KeysUnusable(
            f"{setting}: the key {min(both)} is for match tokens too; exports need one of their own"
        )
    return of_tokens, published
