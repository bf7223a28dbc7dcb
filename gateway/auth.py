"""Who calls: an API key, which only a service can judge, or a match token, whose signature is checked here.

Nothing is allowed here that the rules server does not check again; this only refuses early what cannot be valid, and
tells which game a token is for.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from pathlib import Path
from typing import Final, Literal

import jwt
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from starlette.requests import Request

from gateway.headers import header
from gateway.problem_documents import ProblemError

ISSUER: Final = "foldtable"
MAX_CREDENTIAL_CHARACTERS: Final = 2_048
REMEMBERED_TOKENS: Final = 16_384

_BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)
_JWT_START: Final = "eyJ"
"""Base64 of `{"`: where every match token begins, and no API key does."""
_OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "mid", "game", "gen", "iat", "exp"],
    "verify_iat": False,  # a token is good at once, also where the clock is behind the one it was minted by
}

Role = Literal["seat", "spectator", "referee", "invite"]
_SCOPE_KEY: Final = "foldtable.caller"
"""Where a request's caller stands in its ASGI scope: it is asked for more than once."""
_AT_A_SEAT: Final = frozenset({"seat", "invite"})


class MatchClaims(msgspec.Struct, frozen=True):
    """What a match token with a valid signature says."""

    mid: str
    game: str
    gen: int
    exp: int
    role: Role = "seat"
    """Tokens handed out before there were roles have none; they are for seats."""
    seat: int | None = None
    """The seat of a seat token or an invite; None for who watches."""


class Caller(msgspec.Struct, frozen=True):
    """A credential that may be valid. Never log it."""

    authorization: str
    """Goes to the rules server as it is."""
    claims: MatchClaims | None
    """None for an API key."""

    @property
    def holder(self) -> str:
        """Whose limits it counts for: a key's, a watch token's or an invite's own, and a seat's, whichever of its tokens.

        A player gets fresh tokens of the seat by repeating what gave the first one, and no fresh limits with them.
        """
        if self.claims is None or self.claims.role != "seat":
            return self.authorization
        return f"seat {self.claims.mid} {self.claims.seat} {self.claims.gen}"

    def __repr__(self) -> str:
        return f"Caller(claims={self.claims!r})"


class Authenticator:
    """Reads `Authorization`. Checked signatures are remembered: a busy seat costs one check."""

    def __init__(self, public_key: Ed25519PublicKey) -> None:
        self._public_key = public_key
        self._checked: OrderedDict[str, MatchClaims] = OrderedDict()

    def caller(self, request: Request) -> Caller:
        """Give the caller; ProblemError TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED."""
        known: Caller | None = request.scope.get(_SCOPE_KEY)
        if known is None:
            known = request.scope[_SCOPE_KEY] = self._read(request)
        return known

    def _read(self, request: Request) -> Caller:
        return self.read(header(request, b"authorization"))

    def read(self, authorization: str | None) -> Caller:
        """Give the caller of a header's value, or of a ticket's; ProblemError as `caller`."""
        if not authorization:
            raise ProblemError("TOKEN_MISSING")
        found = _BEARER.fullmatch(authorization)
        if found is None or len(found[1]) > MAX_CREDENTIAL_CHARACTERS:
            raise ProblemError("TOKEN_INVALID", "`Authorization` must be `Bearer <API key or match token>`")
        credential = found[1]
        claims = self._claims(credential) if credential.startswith(_JWT_START) else None
        return Caller(f"Bearer {credential}", claims)

    def _claims(self, token: str) -> MatchClaims:
        claims = self._checked.get(token)
        if claims is None:
            claims = self._checked[token] = self._check(token)
            if len(self._checked) > REMEMBERED_TOKENS:
                self._checked.popitem(last=False)
        if claims.exp <= time.time():
            raise ProblemError("TOKEN_EXPIRED")
        return claims

    def _check(self, token: str) -> MatchClaims:
        try:
            claims = jwt.decode(
                token, self._public_key, algorithms=["EdDSA"], issuer=ISSUER, options=_OPTIONS
            )
            read = msgspec.convert(claims, MatchClaims)
        except jwt.ExpiredSignatureError:
            raise ProblemError("TOKEN_EXPIRED") from None
        except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError):
            raise ProblemError("TOKEN_INVALID", "the token is not valid") from None
        if (read.seat is not None) is not (read.role in _AT_A_SEAT):
            raise ProblemError("TOKEN_INVALID", "the token is not valid")
        return read


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read a PEM file; ValueError names the file if it holds something else."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError(f"{path} holds no public key in PEM form") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{path} holds no Ed25519 public key")  # noqa: TRY004 - the file's content, not a type
    return key
