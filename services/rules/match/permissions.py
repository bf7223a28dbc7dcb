"""What a caller may do with a match.

A tenant's API key may do everything with the tenant's own matches. A seat token may play and look as its own
seat, and see what the public sees. A spectator looks as the public, a referee as any seat; neither changes
anything. Once a match is over, every authorized caller looks as any seat. An invite allows taking its seat, and until then
reading the match as the public. A session is at a match what its player is: the holder of a seat, within the session's
scopes, or a spectator of a public match. No other module decides who may do what at a match.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from foldtable.rules.v1 import table_pb2
from services.identity.callers import (
    AnyCaller,
    Caller,
    InviteCaller,
    PlayerCaller,
    SeatCaller,
    TenantCaller,
    WatchCaller,
)
from services.identity.match_tokens import Role
from services.identity.player_sessions import SessionScope
from services.movelog.records import Match, SeatClaim, Seating, SeatState, Visibility
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed, match_not_found

READ: Final = "matches:read"
WRITE: Final = "matches:write"
"""Scopes of API keys; a key that may write may also read."""
BOTS: Final = "bots:play"
"""Scope of keys that run bots: they may mint tokens for the seats of bots, and nothing else at these matches."""


def may_name(caller: Caller, match_id: UUID, *, bots: bool = False) -> None:
    """Refuse a token of another match and a key without a match scope, before the match is looked up.

    `bots`: keys that run bots may name matches, too.
    """
    if isinstance(caller, TenantCaller):
        if not (bots and BOTS in caller.scopes):
            may_read(caller)
    elif caller.match_id != match_id:
        raise _forbidden("this token is for another match")


def may_enter(caller: Caller, match: Match, claims: tuple[SeatClaim, ...], *, bots: bool = False) -> None:
    """Refuse another tenant as if the match did not exist, a revoked token, and an invite, which only allows joining.

    `bots`: keys that run bots may enter matches where a bot has a seat.
    """
    match caller:
        case SeatCaller():
            if match.id != caller.match_id or not _has_seat(caller, claims):
                raise _forbidden("this token is no longer valid for this seat")
        case TenantCaller(tenant):
            may_name(caller, match.id, bots=bots)
            if match.tenant != tenant:
                raise match_not_found()
            if not any(claim.bot for claim in claims):
                may_read(caller)
        case WatchCaller(match_id, _, generation, session=session):
            is_present = session is not None or match.watch_generation == generation
            if match.id != match_id or not is_present:
                raise _forbidden("this token is no longer valid for this match")
        case InviteCaller():
            raise _forbidden("an invite is good for taking its seat: join first")


def _has_seat(caller: SeatCaller, claims: tuple[SeatClaim, ...]) -> bool:
    for claim in claims:  # noqa: SIM110 - a generator would cost every move more
        if claim.seat == caller.seat and _is_held_by(claim, caller):
            return True
    return False


def _is_held_by(claim: SeatClaim, caller: SeatCaller) -> bool:
    """Return whether a token is one of the seat's present ones, or the seat is still that of a session's player."""
    if caller.session is not None:
        return claim.player == caller.session.player
    return claim.generation == caller.generation


def as_player(
    caller: PlayerCaller, match: Match, claims: tuple[SeatClaim, ...], seat: int | None
) -> SeatCaller | WatchCaller:
    """Return what a player is at a match: the holder of a seat, or a spectator of a public match.

    A player with several seats acts for the one that the request names, else for the first. Raises Refused MATCH_NOT_FOUND
    for any other match, as for an unknown one.
    """
    if match.tenant != caller.tenant:
        raise match_not_found()
    own = [claim for claim in claims if claim.player == caller.player]
    if own:
        claim = next((one for one in own if one.seat == seat), own[0])
        return SeatCaller(match.id, Seat(claim.seat), claim.generation, caller.account, caller)
    if match.visibility is not Visibility.PUBLIC:
        raise match_not_found()
    return WatchCaller(match.id, Role.SPECTATOR, match.watch_generation, caller.account, caller)


def may_read_with_invite(caller: InviteCaller, match: Match, seating: Seating) -> None:
    """Refuse an invite that was revoked, and one whose seat was taken: from then on, the seat's own token reads."""
    may_use_invite(caller, match, seating)
    if seating.seats[caller.seat].state is not SeatState.INVITED:
        raise _forbidden("this invite has been used: read with the token of its seat")


def may_join(caller: PlayerCaller, match: Match, seating: Seating, invite: InviteCaller | None) -> None:
    """Refuse a player who may not take a seat: a private match, or an invite of another match, is refused as unknown."""
    must_have(caller, SessionScope.JOIN)
    if match.tenant != caller.tenant or (invite is not None and invite.match_id != match.id):
        raise match_not_found()
    if invite is not None:
        may_use_invite(invite, match, seating)
    else:
        as_player(caller, match, seating.claims, None)


def must_have(caller: PlayerCaller | None, scope: SessionScope) -> None:
    """Refuse a session that lacks a scope; None: the caller has none, so no scope limits it."""
    if caller is not None and scope not in caller.scopes:
        raise Refused(
            Reason.SCOPE_MISSING, f"this session lacks the scope {scope}", metadata={"scope": scope}
        )


def may_use_invite(caller: InviteCaller, match: Match, seating: Seating) -> None:
    """Refuse an invite that was revoked, or whose seat was given up since the invite was used.

    A used invite finds its seat taken, which joining.py reports: a join leaves the token generation unchanged.
    """
    row = seating.seats[caller.seat] if caller.seat < len(seating.seats) else None
    if (
        row is None
        or match.id != caller.match_id
        or row.state not in {SeatState.INVITED, SeatState.TAKEN}
        or row.invite_generation != caller.generation
    ):
        raise Refused(Reason.INVITE_INVALID, "this invite is no longer valid")


def sees_notes(caller: AnyCaller) -> bool:
    """Return whether a caller sees what the platform notes about a match: a key of the tenant's that may read matches, nobody else."""
    return isinstance(caller, TenantCaller) and bool(caller.scopes & {READ, WRITE})


def tenant_only(caller: AnyCaller) -> TenantCaller:
    """Refuse all but a tenant whose key may write: everything reserved to tenants changes something."""
    tenant = key_only(caller)
    may_change(tenant)
    return tenant


def key_only(caller: AnyCaller) -> TenantCaller:
    """Refuse tokens. The key's scopes are checked later, once the caller may know of the match."""
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may do this")
    return caller


def may_change(caller: Caller, scope: SessionScope = SessionScope.PLAY) -> None:
    """Refuse callers that may only read, and sessions without a scope. A seat token may always act for its seat."""
    if isinstance(caller, WatchCaller | InviteCaller):
        raise _forbidden("this token is not for a seat of the match")
    if isinstance(caller, SeatCaller):
        must_have(caller.session, scope)
    if isinstance(caller, TenantCaller) and WRITE not in caller.scopes:
        raise Refused(
            Reason.SCOPE_MISSING, f"this API key lacks the scope {WRITE}", metadata={"scope": WRITE}
        )


def may_mint(caller: Caller, claim: SeatClaim | None) -> None:
    """Refuse keys that may not mint a token of this seat: a key that may write mints any, a key for bots only those of bots."""
    runs_bots = isinstance(caller, TenantCaller) and BOTS in caller.scopes
    if not (runs_bots and claim is not None and claim.bot):
        tenant_only(caller)


def may_fork(caller: Caller, match: Match) -> None:
    """Refuse an API key that may only read. Any other caller that may read a match may fork it.

    But only a tenant may fork a fork: the quota of forks counts per match (forking.py), and every fork is another match.
    """
    if isinstance(caller, SeatCaller | WatchCaller):
        must_have(caller.session, SessionScope.CREATE)
    if isinstance(caller, TenantCaller):
        may_change(caller)
    elif match.forked_from is not None:
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may fork a fork; fork the original match")


def may_read(caller: TenantCaller) -> None:
    """Refuse a key that may not read matches."""
    if not caller.scopes & {READ, WRITE}:
        raise Refused(Reason.SCOPE_MISSING, f"this API key lacks the scope {READ}", metadata={"scope": READ})


def acting_seat(caller: Caller, match: Match, seat: int | None) -> Seat:
    """Return the seat a call acts for: the token's own, or the one a tenant names."""
    may_change(caller)
    return seat_looked_at(caller, match, seat)


def seat_looked_at(caller: Caller, match: Match, seat: int | None) -> Seat:
    """Return the seat whose decisions a call reads: the token's own, or the one a tenant or a referee names."""
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
            raise _forbidden("this token is not for a seat of the match")


def audience(caller: Caller, match: Match, wanted: table_pb2.Audience, *, over: bool = False) -> Audience:
    """Return the audience a call may look as. By default that is the token's own, or the public for an API key.

    `over`: the match has ended, so nothing is hidden from an authorized caller.
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
    """Return the wanted audience if allowed: tenants and referees look as any seat, a seat only as itself until the match is over."""
    if over and not isinstance(caller, InviteCaller):
        return wanted
    match caller:
        case TenantCaller() | WatchCaller(role=Role.REFEREE):
            return wanted
        case SeatCaller(seat=own):
            if wanted.seat != own:
                raise _forbidden("a seat may look as itself or as the public", seat=own)
            return wanted
        case WatchCaller() | InviteCaller():
            raise _forbidden("this token may look as the public only")


def _existing(match: Match, seat: int) -> Seat:
    if not 0 <= seat < match.seats:
        raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
    return Seat(seat)


def _forbidden(message: str, **metadata: int) -> Refused:
    return Refused(Reason.SEAT_FORBIDDEN, message, metadata=metadata)
