"""Match tokens: what somebody may do with one match, signed with Ed25519 (JWT, RFC 7519, RFC 8037).

Services with the private key mint; whoever holds the public key can check a token without asking anybody.
A token names its role, its match and a generation. The log keeps the generation that counts: a seat's for
its token and its invite, the match's for spectators and referees. Raising one revokes what came before.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final
from uuid import UUID

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.platform.signing_keys import key_id

ALGORITHM: Final = "EdDSA"
ISSUER: Final = "foldtable"
_OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "mid", "game", "gen", "iat", "exp"],
    "verify_iat": False,  # a token is good at once, also where the clock is behind the one it was minted by
}
_CHECKED_TOKENS: Final = 16_384
MAX_TOKEN_CHARACTERS: Final = 2_048


class Role(StrEnum):
    """What a token is good for."""

    SEAT = "seat"
    """Play one seat, look as that seat or as the public."""
    SPECTATOR = "spectator"
    """Look as the public."""
    REFEREE = "referee"
    """Look as anybody."""
    INVITE = "invite"
    """Take one seat, once."""


AT_A_SEAT: Final = frozenset({Role.SEAT, Role.INVITE})
"""Roles whose tokens name a seat; the others name none."""


class TokenRefused(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The token is not one of ours, or no longer valid. `expired` tells which; nothing of the token is kept here."""

    def __init__(self, *, expired: bool) -> None:
        super().__init__("the token has expired" if expired else "the token is not valid")
        self.expired = expired


class MatchToken(msgspec.Struct, frozen=True, kw_only=True):
    """What a valid token says."""

    role: Role
    match_id: UUID
    game: str
    seat: int | None
    """The seat of a seat token or an invite; None for who watches."""
    generation: int
    expires_at: datetime


class _Claims(msgspec.Struct):
    mid: UUID
    game: str
    gen: int
    exp: int
    role: Role = Role.SEAT
    """Tokens handed out before there were roles have none; they are for seats."""
    seat: int | None = None


class TokenReader:
    """Reads tokens with the public key. Checked ones are remembered: a busy player costs one signature check."""

    def __init__(self, public: Ed25519PublicKey) -> None:
        self._public = public
        self._checked = lru_cache(maxsize=_CHECKED_TOKENS)(self._check)

    def read(self, token: str) -> MatchToken:
        """Give what the token says; TokenRefused if it is forged, foreign, malformed or expired.

        Whether its generation still counts is for whoever has the match to say.
        """
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise TokenRefused(expired=False)
        checked = self._checked(token)
        if checked.expires_at <= datetime.now(UTC):
            raise TokenRefused(expired=True)
        return checked

    def _check(self, token: str) -> MatchToken:
        try:
            raw = jwt.decode(token, self._public, algorithms=[ALGORITHM], issuer=ISSUER, options=_OPTIONS)
            claims = msgspec.convert(raw, _Claims)
            expires_at = datetime.fromtimestamp(claims.exp, UTC)
        except jwt.ExpiredSignatureError:
            raise TokenRefused(expired=True) from None
        except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError, OverflowError):
            raise TokenRefused(expired=False) from None
        if (claims.seat is not None) is not (claims.role in AT_A_SEAT):
            raise TokenRefused(expired=False)
        return MatchToken(
            role=claims.role,
            match_id=claims.mid,
            game=claims.game,
            seat=claims.seat,
            generation=claims.gen,
            expires_at=expires_at,
        )


class MatchTokens(TokenReader):
    """Mints tokens with the private key, and reads them back."""

    def __init__(self, private: Ed25519PrivateKey, *, lifetime: timedelta) -> None:
        """`lifetime` is how long a token is good for where nothing else is said."""
        super().__init__(private.public_key())
        self._private = private
        self._headers = {"kid": key_id(private.public_key())}
        self._lifetime = lifetime

    def mint(
        self,
        *,
        role: Role = Role.SEAT,
        match_id: UUID,
        game: str,
        seat: int | None = None,
        generation: int,
        lifetime: timedelta | None = None,
    ) -> tuple[str, datetime]:
        """Give a token and when it expires; ValueError for a seat where the role has none, or the other way round."""
        if (seat is not None) is not (role in AT_A_SEAT):
            raise ValueError(f"a token of the role {role} {'needs' if role in AT_A_SEAT else 'has no'} seat")
        now = datetime.now(UTC).replace(microsecond=0)
        expires_at = now + (self._lifetime if lifetime is None else lifetime)
        claims: dict[str, object] = {
            "iss": ISSUER,
            "role": role.value,
            "mid": str(match_id),
            "game": game,
            "gen": generation,
            "iat": now,
            "exp": expires_at,
        }
        if seat is not None:
            claims["seat"] = seat
        return jwt.encode(claims, self._private, algorithm=ALGORITHM, headers=self._headers), expires_at
