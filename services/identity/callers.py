"""Who calls: a tenant with its API key, a player with a session, the holder of a match token, or nobody known.

Only this module turns credentials into callers. The called service decides what a caller may do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol
from uuid import UUID

import grpc

from engine.kernel.seats import Seat
from services.identity.api_keys import ApiKey
from services.identity.match_tokens import MatchToken, Role, Token, TokenRefused
from services.identity.player_sessions import PlayerSession, SessionScope, player_account
from services.process.reasons import Reason
from services.rpc.refusals import Refused

Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True)
class TenantCaller:
    """A platform, known by its API key."""

    tenant: str
    scopes: frozenset[str]
    key_id: UUID


@dataclass(frozen=True)
class PlayerCaller:
    """A player of a tenant, known by a session. At a match, permissions.py makes a SeatCaller or a WatchCaller of it."""

    tenant: str
    player: str
    scopes: frozenset[SessionScope]
    expires_at: datetime

    @property
    def account(self) -> str:
        """The account whose rate limits all sessions of the player count against."""
        return player_account(self.tenant, self.player)


@dataclass(frozen=True)
class SeatCaller:
    """One seat of one match, known by its token, or by the session of its player."""

    match_id: UUID
    seat: Seat
    generation: int
    account: str = ""
    """The account whose rate limits the caller's requests count against."""
    session: PlayerCaller | None = None
    """The session of the player who has the seat; None: a seat token."""


@dataclass(frozen=True)
class WatchCaller:
    """Somebody who may watch one match: `role` is SPECTATOR or REFEREE."""

    match_id: UUID
    role: Role
    generation: int
    account: str = ""
    """As in SeatCaller."""
    session: PlayerCaller | None = None
    """The session of a player who watches a public match; None: a watch token, or nobody."""


@dataclass(frozen=True)
class AnonymousCaller:
    """Somebody without a credential, who may read some public matches. At a match, a WatchCaller is made of it."""

    account: str = "anonymous"
    """Nothing distinguishes such callers here; the gateway counts them by address."""


@dataclass(frozen=True)
class InviteCaller:
    """Somebody who is invited to one seat of one match: may read the match as the public until it is taken, and take it."""

    match_id: UUID
    seat: Seat
    generation: int


MatchCaller = SeatCaller | WatchCaller | InviteCaller
"""Callers whose credential is for one match, or was resolved for one."""
Caller = TenantCaller | MatchCaller
"""Callers whose rights at a match are known."""
AnyCaller = Caller | PlayerCaller | AnonymousCaller
"""Also callers whose rights depend on the match they name."""
ANONYMOUS: Final = AnonymousCaller()


class Keys(Protocol):
    """Finds API keys; services.identity.key_ring.KeyRing is one."""

    async def lookup(self, presented: str, *, fresh: bool = False) -> ApiKey | None:
        """Return the key, or None for one that is unknown or revoked; `fresh`: not a cached answer."""
        ...


class Tokens(Protocol):
    """Reads tokens; services.identity.match_tokens.TokenReader is one."""

    def read(self, token: str) -> Token:
        """Return what a token says. Raises TokenRefused if it is invalid or has expired."""
        ...


class Sessions(Protocol):
    """Knows which sessions were revoked; services.identity.session_ring.SessionRing is one."""

    async def generation(self, tenant: str, player: str, *, fresh: bool = False) -> int:
        """Return the present generation of a player's sessions; `fresh`: not a cached one."""
        ...


TOKEN_MISSING: Final = "send `authorization: Bearer <API key or token>`"  # noqa: S105 - a message
MAX_KNOWN: Final = 16_384
"""Most authorizations of match tokens that are remembered."""
_JWT_START: Final = "eyJ"
"""Base64 of `{"`: every token begins with it, and no API key does."""


class KnownCaller(NamedTuple):
    """What a token says that was checked before."""

    caller: MatchCaller
    match_name: str
    """The id of its match as text."""
    expires_at: datetime


class Callers:
    """Turns the `authorization` of a call into a caller."""

    def __init__(self, keys: Keys, tokens: Tokens, sessions: Sessions) -> None:
        self._keys = keys
        self._tokens = tokens
        self._sessions = sessions
        self._known: dict[str, KnownCaller] = {}
        """Holders of match tokens by their `authorization`; the oldest come first."""

    def known(self, authorization: str | None) -> KnownCaller | None:
        """Return the holder of a match token that was authenticated before and has not expired; None for anybody else."""
        known = self._known.get(authorization or "")
        return None if known is None or known.expires_at <= datetime.now(UTC) else known

    async def authenticate(self, authorization: str | None) -> AnyCaller:
        """Return the caller. Raises Refused TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED; no message contains the credential."""
        credential = credential_of(authorization)
        if is_token(credential):
            token = self.token(credential)
            if isinstance(token, PlayerSession):
                return await self.player(token)
            return self._remember(authorization or "", credential, token)
        key = await self.key(credential)
        return TenantCaller(key.tenant, key.scopes, key.id)

    def _remember(self, authorization: str, credential: str, token: MatchToken) -> MatchCaller:
        """Return the holder of a token, whose `authorization` `known` knows from now on."""
        caller = caller_of(token)
        if len(authorization) > len("Bearer ") + len(credential):
            return caller  # surplus spaces could be any number of bytes to keep
        self._known.pop(authorization, None)
        while len(self._known) >= MAX_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[authorization] = KnownCaller(caller, str(token.match_id), token.expires_at)
        return caller

    async def key(self, credential: str, *, fresh: bool = False) -> ApiKey:
        """Return the API key that was presented; `fresh`: not from a cache. Raises Refused TOKEN_INVALID or TOKEN_EXPIRED."""
        key = await self._keys.lookup(credential, fresh=fresh)
        if key is None:
            raise Refused(Reason.TOKEN_INVALID, "this is neither a valid API key nor a token")
        if key.has_expired(datetime.now(UTC)):
            raise Refused(Reason.TOKEN_EXPIRED, "this API key has expired")
        return key

    async def player(self, session: PlayerSession, *, fresh: bool = False) -> PlayerCaller:
        """Return the player of a session; `fresh`: not from a cache. Raises Refused TOKEN_INVALID if it was revoked."""
        present = await self._sessions.generation(session.tenant, session.player, fresh=fresh)
        if present < session.generation:  # it was issued after a revocation that is not known here yet
            present = await self._sessions.generation(session.tenant, session.player, fresh=True)
        if present != session.generation:
            raise Refused(Reason.TOKEN_INVALID, "this session has been revoked")
        return PlayerCaller(session.tenant, session.player, session.scopes, session.expires_at)

    def token(self, credential: str) -> Token:
        """Return what a token says, without checking its generation. Raises Refused TOKEN_INVALID or TOKEN_EXPIRED."""
        try:
            return self._tokens.read(credential)
        except TokenRefused as refused:
            reason = Reason.TOKEN_EXPIRED if refused.expired else Reason.TOKEN_INVALID
            raise Refused(reason, str(refused)) from None


def credential_of(authorization: str | None) -> str:
    """Return the credential of `Bearer <credential>` (RFC 6750). Raises Refused TOKEN_MISSING or TOKEN_INVALID."""
    if not authorization:
        raise Refused(Reason.TOKEN_MISSING, TOKEN_MISSING)
    scheme, _, credential = authorization.partition(" ")
    credential = credential.strip()
    if scheme.lower() != "bearer" or not credential:
        raise Refused(Reason.TOKEN_INVALID, "authorization must be `Bearer <API key or token>`")
    return credential


def is_token(credential: str) -> bool:
    """Return whether a credential is a match token or a session, not an API key."""
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
