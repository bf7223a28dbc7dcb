"""What a caller may do with a match.

A tenant's API key may do everything with the tenant's own matches. A seat token may play and look as its own
seat, and see what the public sees. A spectator looks as the public, a referee as anybody; neither changes
anything. Once a match is over, whoever may enter looks as anybody. An invite takes its seat. Every call passes here; nothing else decides who may do what.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from foldtable.rules.v1 import table_pb2
from services.movelog.records import Match, SeatClaim, Seating, SeatState
from services.platform.match_tokens import Role
from services.rpc.callers import Caller, InviteCaller, SeatCaller, TenantCaller, WatchCaller
from services.rpc.refusals import Reason, Refused, malformed, match_not_found

READ: Final = "matches:read"
WRITE: Final = "matches:write"
"""Scopes of API keys; who may write may read."""
BOTS: Final = "bots:play"
"""Scope of who runs bots: tokens for the seats of bots, and nothing else at their matches."""


def may_name(caller: Caller, match_id: UUID, *, bots: bool = False) -> None:
    """Refuse a token used on another match, and a key for no match at all, before anybody looks whether it exists.

    `bots`: who runs bots may name matches, too.
    """
    if isinstance(caller, TenantCaller):
        if not (bots and BOTS in caller.scopes):
            _may_look(caller)
    elif caller.match_id != match_id:
        raise _forbidden("this token is for another match")


def may_enter(caller: Caller, match: Match, claims: tuple[SeatClaim, ...], *, bots: bool = False) -> None:
    """Refuse a foreign tenant as if the match did not exist, a token that was revoked, and an invite: it only joins.

    `bots`: who runs bots may enter where a bot sits.
    """
    match caller:
        case TenantCaller(tenant):
            may_name(caller, match.id, bots=bots)
            if match.tenant != tenant:
                raise match_not_found()
            if not any(claim.bot for claim in claims):
                _may_look(caller)
        case SeatCaller(match_id, seat, generation):
            valid = any(claim.seat == seat and claim.generation == generation for claim in claims)
            if match.id != match_id or not valid:
                raise _forbidden("this token is no longer valid for this seat")
        case WatchCaller(match_id, _, generation):
            if match.id != match_id or match.watch_generation != generation:
                raise _forbidden("this token is no longer valid for this match")
        case InviteCaller():
            raise _forbidden("an invite is good for taking its seat: join first")


def may_use_invite(caller: InviteCaller, match: Match, seating: Seating) -> None:
    """Refuse an invite that was revoked, or whose seat was given up since it was used.

    One that was used finds its seat taken, which is for joining to say: a join leaves the generation as it is.
    """
    row = seating.seats[caller.seat] if caller.seat < len(seating.seats) else None
    if (
        row is None
        or match.id != caller.match_id
        or row.state not in {SeatState.INVITED, SeatState.TAKEN}
        or row.invite_generation != caller.generation
    ):
        raise Refused(Reason.INVITE_INVALID, "this invite is no longer good")


def tenant_only(caller: Caller) -> TenantCaller:
    """Refuse anybody but a tenant; what only tenants do changes something."""
    tenant = key_only(caller)
    may_change(tenant)
    return tenant


def key_only(caller: Caller) -> TenantCaller:
    """Refuse anybody at a match, whatever the key is good for: that is told only where the match may be known."""
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may do this")
    return caller


def may_change(caller: Caller) -> None:
    """Refuse who may only look. A seat token is always good for its seat."""
    if isinstance(caller, WatchCaller | InviteCaller):
        raise _forbidden("this token is not for a seat at the table")
    if isinstance(caller, TenantCaller) and WRITE not in caller.scopes:
        raise Refused(
            Reason.SCOPE_MISSING, f"this API key lacks the scope {WRITE}", metadata={"scope": WRITE}
        )


def may_mint(caller: Caller, claim: SeatClaim | None) -> None:
    """Refuse who may give out no token of this seat: a key that may write gives out any, one for bots those of bots."""
    runs_bots = isinstance(caller, TenantCaller) and BOTS in caller.scopes
    if not (runs_bots and claim is not None and claim.bot):
        tenant_only(caller)


def may_fork(caller: Caller, match: Match) -> None:
    """Refuse an API key that may only look. Whoever else may look at a match may look into what could have been.

    But not further from there: a fork comes with tokens for all its seats, each with limits of its own, so if they could
    fork again, no limit would hold.
    """
    if isinstance(caller, TenantCaller):
        may_change(caller)
    elif match.forked_from is not None:
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may fork a fork; fork the match it is of")


def _may_look(caller: TenantCaller) -> None:
    if not caller.scopes & {READ, WRITE}:
        raise Refused(Reason.SCOPE_MISSING, f"this API key lacks the scope {READ}", metadata={"scope": READ})


def acting_seat(caller: Caller, match: Match, seat: int | None) -> Seat:
    """Give the seat a call acts for: a token's own, or the one a tenant names."""
    may_change(caller)
    return seat_looked_at(caller, match, seat)


def seat_looked_at(caller: Caller, match: Match, seat: int | None) -> Seat:
    """Give the seat whose decisions a call looks at: a token's own, or the one a tenant or a referee names."""
    match caller:
        case SeatCaller(seat=own):
            if seat is not None and seat != own:
                raise _forbidden("this token is for another seat", seat=own)
            return own
        case TenantCaller() | WatchCaller(role=Role.REFEREE):
            if seat is None:
                raise malformed("$.seat", "say for which seat: add `seat`")
            return _existing(match, seat)
        case WatchCaller() | InviteCaller():
            raise _forbidden("this token is not for a seat at the table")


def audience(caller: Caller, match: Match, wanted: table_pb2.Audience, *, over: bool = False) -> Audience:
    """Give the audience a call may look as; unsaid, a token's own, or the public for an API key.

    `over`: the match has ended, so nothing is hidden from anybody who was let in.
    """
    kinds = table_pb2.Audience
    match wanted.kind:
        case kinds.KIND_UNSPECIFIED:
            return _own_audience(caller)
        case kinds.KIND_PUBLIC:
            return PUBLIC
        case kinds.KIND_REFEREE:
            return _allowed(caller, REFEREE, over=over)
        case kinds.KIND_SEAT:
            if not wanted.HasField("seat"):
                raise malformed("$.audience.seat", "a seat audience names its seat")
            _allowed(caller, seat_audience(Seat(wanted.seat)), over=over)
            return seat_audience(_existing(match, wanted.seat))
        case _:
            raise malformed("$.audience.kind", "is not a kind of audience")


def _own_audience(caller: Caller) -> Audience:
    match caller:
        case SeatCaller(seat=own):
            return seat_audience(own)
        case WatchCaller(role=Role.REFEREE):
            return REFEREE
        case TenantCaller() | WatchCaller() | InviteCaller():
            return PUBLIC


def _allowed(caller: Caller, wanted: Audience, *, over: bool) -> Audience:
    """Refuse to look as somebody else: tenants and referees look as anybody, a seat as itself until the match is over."""
    if over and not isinstance(caller, InviteCaller):
        return wanted
    match caller:
        case TenantCaller() | WatchCaller(role=Role.REFEREE):
            return wanted
        case SeatCaller(seat=own):
            if wanted.seat != own:
                raise _forbidden("a seat looks as itself or as the public", seat=own)
            return wanted
        case WatchCaller() | InviteCaller():
            raise _forbidden("this token looks as the public only")


def _existing(match: Match, seat: int) -> Seat:
    if not 0 <= seat < match.seats:
        raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
    return Seat(seat)


def _forbidden(message: str, **metadata: int) -> Refused:
    return Refused(Reason.SEAT_FORBIDDEN, message, metadata=metadata)
