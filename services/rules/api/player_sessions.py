"""Sessions of players: their tenant issues and revokes them.

A rules server does this, because only rules servers have the private key that signs tokens.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import structlog

from foldtable.matches.v1 import player_session_pb2 as pb
from services.identity.login_codes import LoginCodes
from services.identity.match_tokens import MatchTokens
from services.identity.player_sessions import PlayerSession
from services.identity.session_ring import SessionRing
from services.process.bounds import MAX_PLAYER
from services.rpc.free_text import must_be_readable
from services.rpc.message_from import timestamp
from services.rules.api.asked_session import asked_lifetime, asked_player, asked_scopes
from services.rules.match.access import MatchAccess
from services.rules.match.permissions import tenant_only

_log: Final = structlog.get_logger("foldtable.rules")


class PlayerSessions:
    """Issues and revokes sessions. Each is logged with the ids of the tenant's key and the tenant, never with a token."""

    def __init__(
        self, access: MatchAccess, sessions: SessionRing, codes: LoginCodes, tokens: MatchTokens
    ) -> None:
        self._access = access
        self._sessions = sessions
        self._codes = codes
        self._tokens = tokens

    async def create(
        self, request: pb.CreatePlayerSessionRequest, authorization: str | None
    ) -> pb.CreatePlayerSessionResponse:
        """Return a session of a player of the caller's tenant. Nothing is stored."""
        by = tenant_only(await self._access.caller(authorization))
        player = asked_player(request.player)
        scopes, lifetime = asked_scopes(request.scopes), asked_lifetime(request)
        session = PlayerSession(
            tenant=by.tenant,
            player=player,
            scopes=scopes,
            generation=await self._sessions.to_issue(by.tenant, player),
            expires_at=datetime.now(UTC).replace(microsecond=0) + lifetime,
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
        """Revoke the sessions and login codes of a player, or of all players of the caller's tenant."""
        by = tenant_only(await self._access.caller(authorization))
        must_be_readable(request.player, "$.player", MAX_PLAYER)
        await self._sessions.revoke(by.tenant, request.player)
        await self._codes.discard(by.tenant, request.player)
        _log.info("sessions revoked", tenant=by.tenant, all_players=not request.player, by=str(by.key_id))
        return pb.RevokePlayerSessionsResponse()
