"""Who calls: a tenant with its API key, or the holder of a match token.

Only this module turns credentials into callers. The called service decides what a caller may do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from uuid import UUID

import grpc

from engine.kernel.seats import Seat
from services.identity.api_keys import ApiKey
from services.identity.match_tokens import MatchToken, Role, TokenRefused
from services.rpc.refusals import Reason, Refused

Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True)
class TenantCaller:
    """A platform, known by its API key."""

    tenant: str
    scopes: frozenset[str]
    key_id: UUID


@dataclass(frozen=True)
class SeatCaller:
    """One seat of one match, known by its token."""

    match_id: UUID
    seat: Seat
    generation: int
    account: str = ""
    """The account whose rate limits the caller's requests count against."""


@dataclass(frozen=True)
class WatchCaller:
    """Somebody who may watch one match: `role` is SPECTATOR or REFEREE."""

    match_id: UUID
    role: Role
    generation: int
    account: str = ""
    """As in SeatCaller."""


@dataclass(frozen=True)
class InviteCaller:
    """Somebody who is invited to one seat of one match, and may do nothing but take it."""

    match_id: UUID
    seat: Seat
    generation: int


MatchCaller = SeatCaller | WatchCaller | InviteCaller
"""Callers whose credential is for one match."""
Caller = TenantCaller | MatchCaller


class Keys(Protocol):
    """Finds API keys; services.identity.key_ring.KeyRing is one."""

    async def lookup(self, presented: str) -> ApiKey | None:
        """Return the key, or None for one that is unknown or revoked."""
        ...


class Tokens(Protocol):
    """Reads match tokens; services.identity.match_tokens.TokenReader is one."""

    def read(self, token: str) -> MatchToken:
        """Return what a token says. Raise TokenRefused if it is invalid or has expired."""
        ...


_JWT_START: Final = "eyJ"
"""Base64 of `{"`: every match token begins with it, and no API key does."""


class Callers:
    """Turns the `authorization` of a call into a caller."""

    def __init__(self, keys: Keys, tokens: Tokens) -> None:
        self._keys = keys
        self._tokens = tokens

    async def authenticate(self, authorization: str | None) -> Caller:
        """Return the caller. Raise Refused TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED; no message contains the credential."""
        credential = credential_of(authorization)
        if is_match_token(credential):
            return caller_of(self.token(credential))
        key = await self.key(credential)
        return TenantCaller(key.tenant, key.scopes, key.id)

    async def key(self, credential: str) -> ApiKey:
        """Return the API key that was presented. Raise Refused TOKEN_INVALID or TOKEN_EXPIRED."""
        key = await self._keys.lookup(credential)
        if key is None:
            raise Refused(Reason.TOKEN_INVALID, "this is neither a valid API key nor a match token")
        if key.has_expired(datetime.now(UTC)):
            raise Refused(Reason.TOKEN_EXPIRED, "this API key has expired")
        return key

    def token(self, credential: str) -> MatchToken:
        """Return what a match token says, without checking its generation. Raise Refused TOKEN_INVALID or TOKEN_EXPIRED."""
        try:
            return self._tokens.read(credential)
        except TokenRefused as refused:
            reason = Reason.TOKEN_EXPIRED if refused.expired else Reason.TOKEN_INVALID
            raise Refused(reason, str(refused)) from None


def credential_of(authorization: str | None) -> str:
    """Return the credential of `Bearer <credential>` (RFC 6750). Raise Refused TOKEN_MISSING or TOKEN_INVALID."""
    if not authorization:
        raise Refused(Reason.TOKEN_MISSING, "send `authorization: Bearer <API key or match token>`")
    scheme, _, credential = authorization.partition(" ")
    credential = credential.strip()
    if scheme.lower() != "bearer" or not credential:
        raise Refused(Reason.TOKEN_INVALID, "authorization must be `Bearer <API key or match token>`")
    return credential


def is_match_token(credential: str) -> bool:
    """Return whether a credential is a match token, not an API key."""
    return credential.startswith(_JWT_START)


def caller_of(token: MatchToken) -> MatchCaller:
    """Return the caller a match token stands for."""
    match token.role:
        case Role.SPECTATOR | Role.REFEREE:
            return WatchCaller(token.match_id, token.role, token.generation, token.account)
        case Role.SEAT:
            return SeatCaller(token.match_id, _seat(token), token.generation, token.account)
        case Role.INVITE:
            return InviteCaller(token.match_id, _seat(token), token.generation)


def _seat(token: MatchToken) -> Seat:
    assert token.seat is not None  # the reader lets no other token of these roles pass
    return Seat(token.seat)


def authorization_of(context: Context) -> str | None:
    """Return the `authorization` of a call's metadata."""
    for name, value in context.invocation_metadata() or ():
        if name == "authorization":
            return value.decode("latin-1") if isinstance(value, bytes) else value
    return None
