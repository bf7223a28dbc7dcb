"""Seat tokens: the right to play one seat of one match, signed with Ed25519 (JWT, RFC 7519, RFC 8037).

Services hold the private key and mint; whoever holds the public key can check a token without asking
anybody. A token names its match, seat and generation; the match keeps the generation that counts.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final
from uuid import UUID

import jwt
import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM: Final = "EdDSA"
ISSUER: Final = "foldtable"
_REQUIRED: Final = ["iss", "mid", "game", "seat", "gen", "iat", "exp"]
_CHECKED_TOKENS: Final = 16_384
MAX_TOKEN_CHARACTERS: Final = 2_048


class TokenRefused(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The token is not one of ours, or no longer valid. `expired` tells which; nothing of the token is kept here."""

    def __init__(self, *, expired: bool) -> None:
        super().__init__("the token has expired" if expired else "the token is not valid")
        self.expired = expired


class SeatToken(msgspec.Struct, frozen=True, kw_only=True):
    """What a valid seat token says."""

    match_id: UUID
    game: str
    seat: int
    generation: int
    expires_at: datetime


class _Claims(msgspec.Struct):
    mid: UUID
    game: str
    seat: int
    gen: int
    exp: int


def key_id(public: Ed25519PublicKey) -> str:
    """Give the `kid` of a key: the first 16 hex digits of SHA-256 over its raw bytes."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read an unencrypted PEM file (PKCS 8); ValueError if it holds another kind of key."""
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 private key")  # noqa: TRY004 - the file's content, not a type
    return key


def write_key_pair(private_path: Path, public_path: Path) -> None:
    """Make a new key pair; the private half is readable by its owner only."""
    private = Ed25519PrivateKey.generate()
    private_path.touch(mode=0o600)
    private_path.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    public_path.write_bytes(
        private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )


class SeatTokens:
    """Mints tokens and reads them back. Checked tokens are remembered, so that a busy seat costs one signature check."""

    def __init__(self, private: Ed25519PrivateKey, *, lifetime: timedelta) -> None:
        self._private = private
        self._public = private.public_key()
        self._headers = {"kid": key_id(self._public)}
        self._lifetime = lifetime
        self._checked = lru_cache(maxsize=_CHECKED_TOKENS)(self._check)

    def mint(self, *, match_id: UUID, game: str, seat: int, generation: int) -> tuple[str, datetime]:
        """Give a token and when it expires."""
        now = datetime.now(UTC).replace(microsecond=0)
        expires_at = now + self._lifetime
        claims = {
            "iss": ISSUER,
            "mid": str(match_id),
            "game": game,
            "seat": seat,
            "gen": generation,
            "iat": now,
            "exp": expires_at,
        }
        return jwt.encode(claims, self._private, algorithm=ALGORITHM, headers=self._headers), expires_at

    def read(self, token: str) -> SeatToken:
        """Give what the token says; TokenRefused if it is forged, foreign, malformed or expired."""
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise TokenRefused(expired=False)
        checked = self._checked(token)
        if checked.expires_at <= datetime.now(UTC):
            raise TokenRefused(expired=True)
        return checked

    def _check(self, token: str) -> SeatToken:
        try:
            raw = jwt.decode(
                token, self._public, algorithms=[ALGORITHM], issuer=ISSUER, options={"require": _REQUIRED}
            )
            claims = msgspec.convert(raw, _Claims)
            return SeatToken(
                match_id=claims.mid,
                game=claims.game,
                seat=claims.seat,
                generation=claims.gen,
                expires_at=datetime.fromtimestamp(claims.exp, UTC),
            )
        except jwt.ExpiredSignatureError:
            raise TokenRefused(expired=True) from None
        except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, OverflowError):
            raise TokenRefused(expired=False) from None
