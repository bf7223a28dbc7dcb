"""Match tokens: what somebody may do with one match, signed with Ed25519 (JWT, RFC 7519, RFC 8037).

Services with the private key mint tokens; a service with the public key can check them without calling another one. A token
names the key it was signed with (`kid`), so that keys can be replaced while tokens of the previous key are in use.

A token also names its role, its match and a generation. The log stores the present generations: one of each seat for its
tokens, one of each seat for its invites, and one of the match for spectators and referees. Raising a generation revokes the
tokens issued before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from typing import Final
from uuid import UUID

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.identity.player_sessions import ROLE as PLAYER
from services.identity.player_sessions import PlayerSession, session_claims, session_of
from services.process.bounds import MAX_TOKEN
from services.process.public_keys import by_key_id, earlier_key_id, thumbprint

ALGORITHM: Final = "EdDSA"
ISSUER: Final = "foldtable"
TYPE: Final = "JWT"
_OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "gen", "iat", "exp"],
    "verify_iat": False,  # a token is valid at once, even if this machine's clock is behind that of the service that minted it
}
_CHECKED_TOKENS: Final = 16_384
_SPELLING: Final = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]")
"""The one spelling of a token: base64 without padding (RFC 7515 §2), and no surplus bits set in the last
character of its 64-byte signature. Decoders accept other spellings too, and each would be another entry in a cache by token."""


class Role(StrEnum):
    """What a token allows."""

    SEAT = "seat"
    """Play one seat; see the match as that seat or as the public."""
    SPECTATOR = "spectator"
    """See the match as the public."""
    REFEREE = "referee"
    """See the match as any audience."""
    INVITE = "invite"
    """Take one seat, once."""


AT_A_SEAT: Final = frozenset({Role.SEAT, Role.INVITE})
"""Roles whose tokens name a seat; the others name none."""


class TokenRefused(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The token is invalid or has expired; `expired` says which. The error contains no part of the token."""

    def __init__(self, *, expired: bool) -> None:
        super().__init__("the token has expired" if expired else "the token is not valid")
        self.expired = expired


class MatchToken(msgspec.Struct, frozen=True, kw_only=True):
    """What a valid token says."""

    role: Role
    match_id: UUID
    game: str
    seat: int | None
    """The seat of a seat token or an invite; None for spectators and referees."""
    generation: int
    expires_at: datetime
    account: str
    """The account whose rate limits the token counts against. Tokens from the holder's forks and rematches have the same."""


class _Claims(msgspec.Struct):
    mid: UUID
    game: str
    gen: int
    exp: int
    role: Role = Role.SEAT
    """Tokens issued before there were roles have none; they are for seats."""
    seat: int | None = None
    acc: str = ""
    """The account of the token that the holder made a fork or a rematch with; empty: the token's own account."""


Token = MatchToken | PlayerSession
"""What any token says: one of a match, or a player's session."""


def seat_account(match_id: UUID, seat: int, generation: int) -> str:
    """Return the account of a seat's tokens that name no other. The gateway derives the same account from the same claims."""
    return f"{match_id}/{seat}/{generation}"


class TokenReader:
    """Reads tokens with public keys. Checked tokens are cached, so that many requests with one token cost one signature check."""

    def __init__(self, public: Ed25519PublicKey, *more: Ed25519PublicKey) -> None:
        """The keys are the present, previous and next ones; a token that names no key is checked with the first."""
        keys = (public, *more)
        self._first = public
        self._keys = by_key_id(keys) | {earlier_key_id(key): key for key in keys}
        self._checked = lru_cache(maxsize=_CHECKED_TOKENS)(self._check)

    def read(self, token: str) -> Token:
        """Return what the token says. Raises TokenRefused if it is forged, foreign, malformed or expired.

        The service that has the match checks whether the token has been revoked.
        """
        if len(token) > MAX_TOKEN:
            raise TokenRefused(expired=False)
        checked = self._checked(token)
        if checked.expires_at <= datetime.now(UTC):
            raise TokenRefused(expired=True)
        return checked

    def _check(self, token: str) -> Token:
        if _SPELLING.fullmatch(token) is None:
            raise TokenRefused(expired=False)
        try:
            raw = jwt.decode(
                token, self._key_of(token), algorithms=[ALGORITHM], issuer=ISSUER, options=_OPTIONS
            )
            if raw.get("role") == PLAYER:
                return session_of(raw)
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
            account=claims.acc or _account(token, claims),
        )

    def _key_of(self, token: str) -> Ed25519PublicKey:
        """Return the key that a token names. Raises InvalidTokenError for another type of token, and for a key that is not ours."""
        header = jwt.get_unverified_header(token)
        if header.get("typ", TYPE) != TYPE:
            raise jwt.InvalidTokenError
        if "kid" not in header:
            return self._first
        if (key := self._keys.get(header["kid"])) is None:
            raise jwt.InvalidTokenError
        return key


def _account(token: str, claims: _Claims) -> str:
    """Return a seat's account, or else one for this token alone, since nothing else distinguishes its holder."""
    if claims.role is Role.SEAT and claims.seat is not None:
        return seat_account(claims.mid, claims.seat, claims.gen)
    return f"token/{blake2b(token.encode(), digest_size=16).hexdigest()}"


class MatchTokens(TokenReader):
    """Mints tokens with the private key, and reads them back."""

    def __init__(
        self, private: Ed25519PrivateKey, *, lifetime: timedelta, known: Iterable[Ed25519PublicKey] = ()
    ) -> None:
        """`lifetime` is how long a token is valid by default; tokens of `known` keys are read too."""
        super().__init__(*known, private.public_key())
        self._private = private
        self._headers = {"typ": TYPE, "kid": thumbprint(private.public_key())}
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
        account: str = "",
        until: datetime | None = None,
    ) -> tuple[str, datetime]:
        """Return a token and when it expires. Raises ValueError if `seat` is missing for the role, or given although it has none.

        `account` is the account whose rate limits the token counts against; empty: its own. It expires at `until` at the latest.
        """
        if (seat is not None) is not (role in AT_A_SEAT):
            raise ValueError(f"a token of the role {role} {'needs' if role in AT_A_SEAT else 'has no'} seat")
        now = datetime.now(UTC).replace(microsecond=0)
        expires_at = now + (self._lifetime if lifetime is None else lifetime)
        if until is not None:
            expires_at = min(expires_at, until)
        claims: dict[str, object] = {
            "role": role.value,
            "mid": str(match_id),
            "game": game,
            "gen": generation,
        }
        if seat is not None:
            claims["seat"] = seat
        if account:
            claims["acc"] = account
        return self._signed(claims, now, expires_at), expires_at

    def mint_session(self, session: PlayerSession) -> str:
        """Return the token of a player's session."""
        return self._signed(session_claims(session), datetime.now(UTC), session.expires_at)

    def _signed(self, claims: dict[str, object], now: datetime, expires_at: datetime) -> str:
        claims = {"iss": ISSUER, **claims, "iat": now, "exp": expires_at}
        return jwt.encode(claims, self._private, algorithm=ALGORITHM, headers=self._headers)
