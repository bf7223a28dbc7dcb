"""Who calls: the holder of an API key, which only a service can check, or of a match token or a player's session, whose
signatures are checked here; or nobody known, where a match may be readable without a credential.

The rules server checks everything again. This module only refuses early what cannot be valid, and reads which game a token
is for.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from hashlib import blake2b
from typing import Final, Literal

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from starlette.requests import Request

from gateway.access.networks import client_network
from gateway.access.public_keys import TokenKeys
from gateway.headers import header
from gateway.problems.document import ProblemError
from services.process.bounds import MAX_TOKEN

ISSUER: Final = "foldtable"
REMEMBERED_TOKENS: Final = 16_384

_BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)
_JWT_START: Final = "eyJ"
"""Base64 of `{"`: every token begins with it, and no API key does."""
_JWT: Final = re.compile(r"eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]")
"""The only accepted spelling of a match token: base64 without padding (RFC 7515 §2), and no surplus bits in the last
character of the 64-byte signature. Decoders accept other spellings of the same token, and each would be a separate key
in everything that is stored by token."""
_OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "gen", "iat", "exp"],
    "verify_iat": False,  # a token is valid at once, even if this clock is behind the issuer's
}

Role = Literal["seat", "spectator", "referee", "invite"]
_SCOPE_KEY: Final = "foldtable.caller"
"""Key of the ASGI scope under which a request's caller is kept: it is needed more than once."""
_AT_A_SEAT: Final = frozenset({"seat", "invite"})
_PLAYER: Final = "player"
"""The role of a session."""


class MatchClaims(msgspec.Struct, frozen=True):
    """The claims of a match token with a valid signature."""

    mid: str
    game: str
    gen: int
    exp: int
    role: Role = "seat"
    """Tokens issued before there were roles have none; they are seat tokens."""
    seat: int | None = None
    """The seat of a seat token or an invite; None for a spectator or a referee."""
    acc: str = ""
    """Account whose limits its requests count against; empty: its own. A fork's tokens count against the fork's creator."""


class SessionClaims(msgspec.Struct, frozen=True):
    """The claims of a player's session with a valid signature."""

    ten: str
    sub: str
    """The player, by the tenant's own id."""
    gen: int
    exp: int


Claims = MatchClaims | SessionClaims


class Caller(msgspec.Struct, frozen=True):
    """A credential that may be valid, or none. Never log it."""

    authorization: str
    """The header's value, forwarded to the services unchanged; empty: there is none."""
    claims: MatchClaims | None
    """None for an API key, a session, and without a credential."""
    session: SessionClaims | None = None
    """The session of a player."""
    address: str = ""
    """The client's network, without a credential."""

    @property
    def is_key(self) -> bool:
        """Whether the credential is an API key."""
        return bool(self.authorization) and self.claims is None and self.session is None

    @property
    def identity(self) -> tuple[str, ...]:
        """What responses may depend on: two callers with the same identity get the same response to the same request.

        Tokens of a seat that differ only in when they expire have one identity.
        """
        if self.session is not None:
            return "player", self.session.ten, self.session.sub, str(self.session.gen)
        claims = self.claims
        if claims is not None:
            return claims.role, claims.mid, str(claims.seat), str(claims.gen)
        return ("key", self.authorization) if self.authorization else ("nobody",)

    @property
    def holder(self) -> str:
        """The name of the account whose limits a request counts against.

        All sessions of a player share one; without a credential, it is that of the client's network.

        An API key, a watch token and an invite each have their own account; all tokens of one seat share one. So a player
        who repeats the request for a seat's token gets a fresh token, but no fresh limits. Nor does a fork or a rematch
        bring any: its tokens name the account of the match the player came from. The services derive the same account
        from the same token (`match_tokens.seat_account`).
        """
        if not self.authorization:
            return f"address/{self.address}"
        if self.session is not None:
            return f"player/{self.session.ten}/{self.session.sub}"
        claims = self.claims
        if claims is None:
            return self.authorization
        if claims.role == "seat":
            return claims.acc or f"{claims.mid}/{claims.seat}/{claims.gen}"
        token = self.authorization.removeprefix("Bearer ")
        return f"token/{blake2b(token.encode(), digest_size=16).hexdigest()}"

    def __repr__(self) -> str:
        return f"Caller(claims={self.claims!r}, session={self.session!r})"


class Authenticator:
    """Reads `Authorization`. Caches checked signatures, so that a busy seat's token is verified once."""

    def __init__(self, public_key: Ed25519PublicKey, *more: Ed25519PublicKey) -> None:
        """Takes the current, former and coming public keys. A token that names no key was signed with the first one."""
        self._keys = TokenKeys(public_key, *more)
        self._checked: OrderedDict[str, tuple[Caller, int]] = OrderedDict()
        """Callers with a signed credential, by their header in its usual spelling, and when the credential expires."""

    def caller(self, request: Request) -> Caller:
        """Return the caller. Raises ProblemError TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED."""
        known: Caller | None = request.scope.get(_SCOPE_KEY)
        if known is None:
            known = request.scope[_SCOPE_KEY] = self._read(request)
        return known

    def reader(self, request: Request) -> Caller:
        """Return the caller of an operation that a match may allow to anybody: the client's network without a credential.

        Raises ProblemError TOKEN_INVALID or TOKEN_EXPIRED.
        """
        if header(request, b"authorization"):
            return self.caller(request)
        return Caller("", None, address=client_network(request))

    def _read(self, request: Request) -> Caller:
        return self.read(header(request, b"authorization"))

    def read(self, authorization: str | None) -> Caller:
        """Return the caller for the value of a header or of a ticket. Raises ProblemError as `caller` does."""
        if not authorization:
            raise ProblemError("TOKEN_MISSING")
        known = self._checked.get(authorization)
        if known is not None:
            if known[1] <= time.time():
                raise ProblemError("TOKEN_EXPIRED")
            return known[0]
        found = _BEARER.fullmatch(authorization)
        if found is None or len(found[1]) > MAX_TOKEN:
            raise ProblemError("TOKEN_INVALID", "`Authorization` must be `Bearer <API key or token>`")
        usual = f"Bearer {found[1]}"
        if not found[1].startswith(_JWT_START):
            return Caller(usual, None)
        return self.read(usual) if usual in self._checked else self._signed(usual, found[1])

    def _signed(self, authorization: str, token: str) -> Caller:
        """Return the caller of a token that was not seen before, or was forgotten."""
        claims = self._check(token)
        if isinstance(claims, SessionClaims):
            caller = Caller(authorization, None, claims)
        else:
            caller = Caller(authorization, claims)
        if claims.exp <= time.time():
            raise ProblemError("TOKEN_EXPIRED")
        self._checked[authorization] = caller, claims.exp
        if len(self._checked) > REMEMBERED_TOKENS:
            self._checked.popitem(last=False)
        return caller

    def _check(self, token: str) -> Claims:
        if _JWT.fullmatch(token) is None:
            raise ProblemError("TOKEN_INVALID", "the token is not valid")
        try:
            claims = jwt.decode(
                token, self._keys.of(token), algorithms=["EdDSA"], issuer=ISSUER, options=_OPTIONS
            )
            if claims.get("role") == _PLAYER:
                return msgspec.convert(claims, SessionClaims)
            read = msgspec.convert(claims, MatchClaims)
        except jwt.ExpiredSignatureError:
            raise ProblemError("TOKEN_EXPIRED") from None
        except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError):
            raise ProblemError("TOKEN_INVALID", "the token is not valid") from None
        if (read.seat is not None) is not (read.role in _AT_A_SEAT):
            raise ProblemError("TOKEN_INVALID", "the token is not valid")
        return read
