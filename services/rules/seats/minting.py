"""Minting match tokens as responses carry them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration

from foldtable.matches.v1 import lobby_pb2, match_pb2
from services.identity.callers import PlayerCaller
from services.identity.match_tokens import MatchTokens, Role
from services.movelog.records import Match, SeatClaim, SeatRecord
from services.process.bounds import MAX_TOKEN_LIFETIME
from services.rpc.bot_names import level_of
from services.rpc.message_from import timestamp
from services.rpc.refusals import malformed

INVITE_LIFETIME: Final = timedelta(days=7)
_WATCHERS: Final = {
    lobby_pb2.WATCH_ROLE_SPECTATOR: Role.SPECTATOR,
    lobby_pb2.WATCH_ROLE_REFEREE: Role.REFEREE,
}


def seat_token(
    tokens: MatchTokens, match: Match, claim: SeatClaim | SeatRecord, session: PlayerCaller | None = None
) -> match_pb2.SeatToken:
    """Return a fresh token for a taken seat; one that a session asks for does not outlive it, and shares its limits."""
    token, expires_at = tokens.mint(
        match_id=match.id,
        game=match.game,
        seat=claim.seat,
        generation=claim.generation,
        account=claim.account or ("" if session is None else session.account),
        until=None if session is None else session.expires_at,
    )
    return match_pb2.SeatToken(seat=claim.seat, token=token, expire_time=timestamp(expires_at))


def seat_tokens(
    tokens: MatchTokens, match: Match, claims: Sequence[SeatClaim], session: PlayerCaller | None = None
) -> list[match_pb2.SeatToken]:
    """Return a fresh token for each of these seats except those of built-in bots, which fetch their own."""
    return [seat_token(tokens, match, claim, session) for claim in claims if not level_of(claim.bot)]


def invite(
    tokens: MatchTokens, match: Match, row: SeatRecord, lifetime: timedelta = INVITE_LIFETIME
) -> lobby_pb2.Invite:
    """Return the invite to a reserved seat."""
    token, expires_at = tokens.mint(
        role=Role.INVITE,
        match_id=match.id,
        game=match.game,
        seat=row.seat,
        generation=row.invite_generation,
        lifetime=lifetime,
    )
    return lobby_pb2.Invite(seat=row.seat, token=token, expire_time=timestamp(expires_at))


def watch_token(
    tokens: MatchTokens, match: Match, role: lobby_pb2.WatchRole.ValueType, lifetime: timedelta | None
) -> lobby_pb2.WatchToken:
    """Return a token for a spectator or a referee. Raises Refused for an unknown role."""
    known = _WATCHERS.get(role)
    if known is None:
        raise malformed("$.role", "must be that of a spectator or a referee")
    token, expires_at = tokens.mint(
        role=known,
        match_id=match.id,
        game=match.game,
        generation=match.watch_generation,
        lifetime=lifetime,
    )
    return lobby_pb2.WatchToken(role=role, token=token, expire_time=timestamp(expires_at))


def lifetime_of(asked: Duration) -> timedelta:
    """Return how long a token is to be valid. Raises Refused for a lifetime of zero or less, and for too long a one."""
    seconds = asked.seconds + asked.nanos / 1_000_000_000
    if not 0 < seconds <= MAX_TOKEN_LIFETIME.total_seconds():
        raise malformed("$.lifetime", f"must be positive and at most {MAX_TOKEN_LIFETIME.days} days")
    return timedelta(seconds=seconds)
