"""Who calls, and what that caller may do.

A tenant's API key may do everything with the tenant's own matches. A seat token may play and look as its
own seat, and see what the public sees. Every call passes here; nothing else decides who may do what.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from foldtable.rules.v1 import table_pb2
from services.movelog.records import Match, SeatClaim
from services.platform.api_keys import ApiKey
from services.platform.seat_tokens import SeatTokens, TokenRefused
from services.rules.refusals import Reason, Refused, malformed, match_not_found


@dataclass(frozen=True)
class TenantCaller:
    """A platform, by its API key."""

    tenant: str
    scopes: frozenset[str]


@dataclass(frozen=True)
class SeatCaller:
    """One seat of one match, by its token."""

    match_id: UUID
    seat: Seat
    generation: int


Caller = TenantCaller | SeatCaller


class Keys(Protocol):
    """Finds API keys; services.platform.key_ring.KeyRing is one."""

    async def lookup(self, presented: str) -> ApiKey | None:
        """Give the key, or None for one that is unknown or revoked."""
        ...


READ: Final = "matches:read"
WRITE: Final = "matches:write"
"""Scopes of API keys; who may write may read."""
_JWT_START: Final = "eyJ"
"""Base64 of `{"`: where every seat token begins, and no API key does."""


class Callers:
    """Turns the `authorization` of a call into a caller."""

    def __init__(self, keys: Keys, tokens: SeatTokens) -> None:
        self._keys = keys
        self._tokens = tokens

    async def authenticate(self, authorization: str | None) -> Caller:
        """Refused TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED; the credential itself is in no message."""
        if not authorization:
            raise Refused(Reason.TOKEN_MISSING, "send `authorization: Bearer <API key or seat token>`")
        scheme, _, credential = authorization.partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise Refused(Reason.TOKEN_INVALID, "authorization must be `Bearer <API key or seat token>`")
        if not credential.startswith(_JWT_START):
            key = await self._keys.lookup(credential)
            if key is None:
                raise Refused(Reason.TOKEN_INVALID, "this is neither a valid API key nor a seat token")
            return TenantCaller(key.tenant, key.scopes)
        try:
            token = self._tokens.read(credential)
        except TokenRefused as refused:
            reason = Reason.TOKEN_EXPIRED if refused.expired else Reason.TOKEN_INVALID
            raise Refused(reason, str(refused)) from None
        return SeatCaller(token.match_id, Seat(token.seat), token.generation)


def may_name(caller: Caller, match_id: UUID) -> None:
    """Refuse a seat token used on another match, before anybody looks whether that match exists."""
    if isinstance(caller, SeatCaller) and caller.match_id != match_id:
        raise _forbidden("this token is for another match")


def may_enter(caller: Caller, match: Match, claims: tuple[SeatClaim, ...]) -> None:
    """Refuse a foreign tenant as if the match did not exist, and a seat token that was revoked."""
    match caller:
        case TenantCaller(tenant):
            _may_look(caller)
            if match.tenant != tenant:
                raise match_not_found()
        case SeatCaller(match_id, seat, generation):
            valid = any(claim.seat == seat and claim.generation == generation for claim in claims)
            if match.id != match_id or not valid:
                raise _forbidden("this token is no longer valid for this seat")


def tenant_only(caller: Caller) -> TenantCaller:
    """Refuse anybody but a tenant; what only tenants do changes something."""
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may do this")
    may_change(caller)
    return caller


def may_change(caller: Caller) -> None:
    """Refuse an API key that is good for looking only; a seat token is always good for its seat."""
    if isinstance(caller, TenantCaller) and WRITE not in caller.scopes:
        raise Refused(
            Reason.SCOPE_MISSING, f"this API key lacks the scope {WRITE}", metadata={"scope": WRITE}
        )


def _may_look(caller: TenantCaller) -> None:
    if not caller.scopes & {READ, WRITE}:
        raise Refused(Reason.SCOPE_MISSING, f"this API key lacks the scope {READ}", metadata={"scope": READ})


def acting_seat(caller: Caller, match: Match, seat: int | None) -> Seat:
    """Give the seat a call acts for: a token's own, or the one a tenant names."""
    match caller:
        case SeatCaller(seat=own):
            if seat is not None and seat != own:
                raise _forbidden("this token is for another seat", seat=own)
            return own
        case TenantCaller():
            if seat is None:
                raise malformed("$.seat", "an API key acts for a seat it names: add `seat`")
            return _existing(match, seat)


def audience(caller: Caller, match: Match, wanted: table_pb2.Audience) -> Audience:
    """Give the audience a call may look as; unsaid, the token's own seat, or the public for an API key."""
    kinds = table_pb2.Audience
    own = caller.seat if isinstance(caller, SeatCaller) else None
    match wanted.kind:
        case kinds.KIND_UNSPECIFIED:
            return PUBLIC if own is None else seat_audience(own)
        case kinds.KIND_PUBLIC:
            return PUBLIC
        case kinds.KIND_REFEREE:
            if own is not None:
                raise _forbidden("a seat may not look as the referee", seat=own)
            return REFEREE
        case kinds.KIND_SEAT:
            if not wanted.HasField("seat"):
                raise malformed("$.audience.seat", "a seat audience names its seat")
            if own is not None and wanted.seat != own:
                raise _forbidden("this token is for another seat", seat=own)
            return seat_audience(_existing(match, wanted.seat))
        case _:
            raise malformed("$.audience.kind", "is not a kind of audience")


def _existing(match: Match, seat: int) -> Seat:
    if not 0 <= seat < match.seats:
        raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
    return Seat(seat)


def _forbidden(message: str, **metadata: int) -> Refused:
    return Refused(Reason.SEAT_FORBIDDEN, message, metadata=metadata)
