"""Sessions of players: their tenant issues and revokes them.

A rules server does this, because only rules servers have the private key that signs tokens.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from foldtable.matches.v1 import player_session_pb2 as pb
from services.identity.match_tokens import MatchTokens
from services.identity.player_sessions import PlayerSession, read_session_scopes
from services.identity.session_ring import SessionRing
from services.rpc.message_from import timestamp
from services.rpc.refusals import malformed
from services.rules.match.access import MatchAccess
from services.rules.match.admissible import MAX_PLAYER, check_text
from services.rules.match.permissions import tenant_only

LIFETIME: Final = timedelta(hours=24)
LONGEST_LIFETIME: Final = timedelta(days=30)
_log: Final = structlog.get_logger("foldtable.rules")


class PlayerSessions:
    """Issues and revokes sessions. Each is logged with the ids of the tenant's key and the tenant, never with a token."""

    def __init__(self, access: MatchAccess, sessions: SessionRing, tokens: MatchTokens) -> None:
        self._access = access
        self._sessions = sessions
        self._tokens = tokens

    async def create(
        self, request: pb.CreatePlayerSessionRequest, authorization: str | None
    ) -> pb.CreatePlayerSessionResponse:
        """Return a session of a player of the caller's tenant. Nothing is stored."""
        by = tenant_only(await self._access.caller(authorization))
        if not request.player:
            raise malformed("$.player", "must name the player")
        check_text(request.player, "$.player", MAX_PLAYER)
        try:
            scopes = read_session_scopes(request.scopes)
        except ValueError as problem:
            raise malformed("$.scopes", f"cannot be granted: {problem}") from None
        session = PlayerSession(
            tenant=by.tenant,
            player=request.player,
            scopes=scopes,
            generation=await self._sessions.generation(by.tenant, request.player, fresh=True),
            expires_at=datetime.now(UTC).replace(microsecond=0) + _lifetime(request),
        )
        return pb.CreatePlayerSessionResponse(
            player=session.player,
            token=self._tokens.mint_session(session),
            scopes=sorted(session.scopes),
            expire_time=timestamp(session.expires_at),
        )

    async def revoke(
        self, request: pb.RevokePlayerSessionsRequest, authorization: str | None
    ) -> pb.RevokePlayerSessionsResponse:
        """Revoke the sessions of a player, or of all players of the caller's tenant."""
        by = tenant_only(await self._access.caller(authorization))
        check_text(request.player, "$.player", MAX_PLAYER)
        await self._sessions.revoke(by.tenant, request.player)
        _log.info("sessions revoked", tenant=by.tenant, all_players=not request.player, by=str(by.key_id))
        return pb.RevokePlayerSessionsResponse()


def _lifetime(request: pb.CreatePlayerSessionRequest) -> timedelta:
    if not request.HasField("lifetime"):
        return LIFETIME
    seconds = request.lifetime.seconds + request.lifetime.nanos / 1_000_000_000
    if not 0 < seconds <= LONGEST_LIFETIME.total_seconds():
        raise malformed("$.lifetime", f"must be positive and at most {LONGEST_LIFETIME.days} days")
    return timedelta(seconds=seconds)
