"""The signature of an export: a server vouches for the match, while the hash chain is only consistent with itself.

Anybody who knows the secret, which is public once a match has ended, can compute a new chain over other moves. The
signature is a JWT (RFC 7519) of the type `foldtable-export+jwt`, signed with Ed25519 (EdDSA, RFC 8037), in the field
`signature` of the document. It names the head of the chain, and its claim `document` is the SHA-256 of the whole document
as compact JSON without `signature`, so that it also covers what no row's hash does: players, outcome, audience.

It cannot be confused with a match token: it has other keys, another type, and claims that no token has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.movelog.export.format import MatchDocument, unsigned_bytes
from services.process.public_keys import by_key_id, thumbprint

ALGORITHM: Final = "EdDSA"
TYPE: Final = "foldtable-export+jwt"
USUAL_ISSUER: Final = "foldtable"
_OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "iat"],
    "verify_iat": False,  # a verifier's clock may be behind the server's
}


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """The claims of a signature, for which the signer vouches."""

    iss: str
    """The signer."""
    iat: int
    """The time of signing, in seconds since 1970."""
    match_id: str
    game: str
    rules_version: str
    status: str
    version: int
    """The number of rows."""
    head: str | None
    """The hash of the last row; None before the first."""
    commitment: str
    document: str
    """SHA-256 of the document without its signature, compact JSON, as hex."""


class Standing(StrEnum):
    """The result of checking a document's signature."""

    UNSIGNED = "unsigned"
    UNCHECKED = "unchecked"
    """It is present and over this document; no keys were given to check the signer."""
    UNKNOWN_KEY = "unknown_key"
    """It names none of the given keys."""
    DOES_NOT_FIT = "does_not_fit"
    """It is malformed, over something else, or not made with the key it names."""
    FITS = "fits"
    """The holder of the key signed this very document."""


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about a document's signature."""

    standing: Standing
    key_id: str = ""
    """The key it names; empty if there is none."""
    issuer: str = ""
    signed_at: datetime | None = None
    problem: str = ""
    """Why it does not fit, as text."""


class ExportSigner:
    """Signs exports with a server's key. `key_id` names that key; `keys` are all keys it has ever signed with, by key id."""

    def __init__(
        self,
        private: Ed25519PrivateKey,
        *,
        issuer: str = USUAL_ISSUER,
        known: Iterable[Ed25519PublicKey] = (),
    ) -> None:
        self._private = private
        self.keys: Final = by_key_id((*known, private.public_key()))
        self._issuer = issuer
        self.key_id: Final = thumbprint(private.public_key())

    def sign(self, document: MatchDocument, written: bytes) -> str:
        """Return the signature over a document; `written` are its bytes, as `unsigned_bytes` would return them."""
        said = Claims(
            iss=self._issuer, iat=int(datetime.now(UTC).timestamp()), **_claims_of(document, written)
        )
        return jwt.encode(
            msgspec.structs.asdict(said),
            self._private,
            algorithm=ALGORITHM,
            headers={"typ": TYPE, "kid": self.key_id},
        )


def _claims_of(document: MatchDocument, written: bytes) -> dict[str, Any]:
    """Return the claims that follow from a document, the most informative differences first."""
    return {
        "match_id": str(document.match_id),
        "game": document.game,
        "rules_version": document.rules_version,
        "status": document.status.value,
        "version": document.version,
        "commitment": document.commitment,
        "head": document.moves[-1].hash if document.moves else None,
        "document": sha256(written).hexdigest(),
    }


def check_signature(document: MatchDocument, keys: Mapping[str, Ed25519PublicKey] | None = None) -> Signature:
    """Return the result of checking a document's signature with these keys, by key id; None: no keys are known.

    Without keys it can still be detected that the signature is over another document.
    """
    if isinstance(document.signature, msgspec.UnsetType):
        return Signature(standing=Standing.UNSIGNED)
    try:
        header = jwt.get_unverified_header(document.signature)
        said = _claims(jwt.decode(document.signature, options={"verify_signature": False}))
        signed_at = datetime.fromtimestamp(said.iat, UTC)
    except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, OverflowError, OSError):
        return Signature(standing=Standing.DOES_NOT_FIT, problem="it is no signature of an export")
    key_id = header.get("kid", "")

    def found(standing: Standing, problem: str = "") -> Signature:
        return Signature(
            standing=standing, key_id=key_id, issuer=said.iss, signed_at=signed_at, problem=problem
        )

    if (header.get("typ"), header.get("alg")) != (TYPE, ALGORITHM) or "crit" in header:
        return found(Standing.DOES_NOT_FIT, f"it is not of the type {TYPE}, signed with {ALGORITHM}")
    if (differs := _difference(said, document)) is not None:
        return found(Standing.DOES_NOT_FIT, differs)
    if keys is None:
        return found(Standing.UNCHECKED)
    if (key := keys.get(key_id)) is None:
        return found(Standing.UNKNOWN_KEY)
    try:
        jwt.decode(document.signature, key, algorithms=[ALGORITHM], options=_OPTIONS)
    except jwt.InvalidTokenError:
        return found(Standing.DOES_NOT_FIT, "it was not made with the key it names")
    return found(Standing.FITS)


def _claims(raw: dict[str, Any]) -> Claims:
    return msgspec.convert(raw, Claims)


def _difference(said: Claims, document: MatchDocument) -> str | None:
    """Return a text that names the claim that differs from the document; None if none does."""
    for name, value in _claims_of(document, unsigned_bytes(document)).items():
        if getattr(said, name) != value:
            if name == "document":
                return "something in the document is not what was signed"
            return f"it is over another `{name}`: {getattr(said, name)}, and here it is {value}"
    return None
