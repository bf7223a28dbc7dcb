"""Public Ed25519 keys: read from PEM files and from JWK sets (RFC 7517), and named by their thumbprints (RFC 7638).

A file may hold several keys, one PEM block after the other: so a key is known before it first signs, and for as long as
anything it signed may still be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from jwt.algorithms import OKPAlgorithm
from jwt.exceptions import InvalidKeyError
from jwt.utils import base64url_encode

from services.process.i_json import MAX_DEPTH, is_too_deep

MAX_KEYS: Final = 64
"""Of one file or set: a rotation a month, kept for five years."""
MAX_BYTES: Final = 64 * 1024
_BLOCK: Final = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----\s*", re.DOTALL)


def thumbprint(public: Ed25519PublicKey) -> str:
    """Return the key id of a key, its JWK thumbprint: base64url of SHA-256 over the members that make the key."""
    jwk = OKPAlgorithm.to_jwk(public, as_dict=True)
    members = {name: jwk[name] for name in ("crv", "kty", "x")}  # RFC 7638 §3.2: these, in this order
    return base64url_encode(sha256(msgspec.json.encode(members)).digest()).decode()


def earlier_key_id(public: Ed25519PublicKey) -> str:
    """Return the `kid` of a key in tokens of releases up to 0.1.0: the first 16 hex digits of the SHA-256 of its raw bytes."""
    raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]


def read_public_keys(path: Path) -> tuple[Ed25519PublicKey, ...]:
    """Return the keys of a PEM file, each once, in order.

    Raises ValueError with the file's name if it holds anything else, none, or more than MAX_KEYS; OSError if it cannot
    be read.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        return public_keys_in(data)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from error


def public_keys_in(data: bytes) -> tuple[Ed25519PublicKey, ...]:
    """Return the keys of PEM blocks, each once, in order. Raises ValueError (`holds …`) as `read_public_keys`."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"holds more than {MAX_BYTES} bytes")
    blocks = list(_BLOCK.finditer(data))
    if not blocks or data.count(b"-----BEGIN ") != len(blocks):
        raise ValueError("holds no public key in PEM form")
    found = {thumbprint(key): key for key in (_public_key(block) for block in blocks)}
    if len(found) > MAX_KEYS:
        raise ValueError(f"holds more than {MAX_KEYS} keys")
    return tuple(found.values())


def _public_key(block: re.Match[bytes]) -> Ed25519PublicKey:
    if block[1] != b"PUBLIC KEY":
        raise ValueError("holds no public key in PEM form, or more than public keys")
    try:
        key = load_pem_public_key(block[0])
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError("holds no public key in PEM form") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("holds a key that is no Ed25519 public key")  # noqa: TRY004 - the file's content, not a type
    return key


def by_key_id(keys: Iterable[Ed25519PublicKey]) -> dict[str, Ed25519PublicKey]:
    """Return the keys by their key ids."""
    return {thumbprint(key): key for key in keys}


def jwk_set(keys: Iterable[Ed25519PublicKey]) -> dict[str, Any]:
    """Return a JWK set that says of every key that it signs with EdDSA (RFC 8037)."""
    return {
        "keys": [
            {"kid": kid, "use": "sig", "alg": "EdDSA", **OKPAlgorithm.to_jwk(key, as_dict=True)}
            for kid, key in by_key_id(keys).items()
        ]
    }


class _Jwk(msgspec.Struct):
    kty: str
    crv: str = ""
    x: str = ""
    kid: str = ""
    use: str = "sig"
    alg: str = "EdDSA"


class _JwkSet(msgspec.Struct):
    keys: list[_Jwk]


def keys_in_jwk_set(data: bytes) -> Mapping[str, Ed25519PublicKey]:
    """Return the Ed25519 signing keys of a JWK set by their key ids; others in it are passed over (RFC 7517 §5).

    Raises ValueError (`holds …`, `is …`) if it is no JWK set, or one without such a key.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"holds more than {MAX_BYTES} bytes")
    if is_too_deep(data):  # also in members that are passed over: the decoder would raise RecursionError
        raise ValueError(f"is nested deeper than {MAX_DEPTH} levels")
    try:
        keys = msgspec.json.decode(data, type=_JwkSet).keys
        suitable = [
            key for key in keys if (key.kty, key.crv, key.use, key.alg) == ("OKP", "Ed25519", "sig", "EdDSA")
        ]
        read = [
            (jwk.kid, OKPAlgorithm.from_jwk({"kty": jwk.kty, "crv": jwk.crv, "x": jwk.x})) for jwk in suitable
        ]
    except (msgspec.DecodeError, InvalidKeyError, ValueError) as error:
        raise ValueError("holds no JWK set") from error
    found = {kid or thumbprint(key): key for kid, key in read if isinstance(key, Ed25519PublicKey)}
    if not found:
        raise ValueError("holds no Ed25519 key")
    return found
