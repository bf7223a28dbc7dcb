"""Tokens of a match: its tenant issues and revokes them."""

from __future__ import annotations

from foldtable.matches.v1 import lobby_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import Caller
from services.identity.match_tokens import MatchTokens
from services.movelog.lobby import LobbyError
from services.movelog.records import Match
from services.rpc.refusals import malformed
from services.rules.api.shown_matches import ShownMatches
from services.rules.match.access import MatchAccess
from services.rules.match.admissible import named_player
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import key_only, may_change, may_mint
from services.rules.seats import joining, minting


class Tokens:
    """Issues and revokes seat tokens, invites, and tokens of spectators and referees."""

    def __init__(
        self, cache: MatchCache, access: MatchAccess, shown: ShownMatches, tokens: MatchTokens
    ) -> None:
        self._log = cache.log
        self._access = access
        self._shown = shown
        self._tokens = tokens

    async def invite(
        self, request: lobby_pb2.InviteToSeatRequest, authorization: str | None
    ) -> lobby_pb2.InviteToSeatResponse:
        """Reserve a seat, and return the invite to it."""
        _, match = await self._of_tenant(authorization, request.match_id)
        name = named_player(request.player, request.name)
        lifetime = minting.INVITE_LIFETIME
        if request.HasField("lifetime"):
            lifetime = minting.lifetime_of(request.lifetime)
        _must_exist(match, request.seat)
        try:
            row = await self._log.lobby.invite(match.id, request.seat, request.player, name)
        except LobbyError as refusal:
            raise joining.refused(refusal, seat=request.seat) from None
        return lobby_pb2.InviteToSeatResponse(invite=minting.invite(self._tokens, match, row, lifetime))

    async def issue_for_seat(
        self, request: pb.IssueSeatTokenRequest, authorization: str | None
    ) -> pb.IssueSeatTokenResponse:
        """Return a token of a seat that is taken."""
        key_only(await self._access.caller(authorization))
        entered = await self._access.enter(authorization, request.match_id)
        match = entered.match
        claim = next((claim for claim in entered.seating.claims if claim.seat == request.seat), None)
        may_mint(entered.caller, claim)
        if claim is None:
            raise malformed("$.seat", "nobody has taken this seat")
        return pb.IssueSeatTokenResponse(token=minting.seat_token(self._tokens, match, claim))

    async def revoke_of_seat(
        self, request: lobby_pb2.RevokeSeatTokensRequest, authorization: str | None
    ) -> lobby_pb2.RevokeSeatTokensResponse:
        """Revoke all tokens of a seat and all invites to it."""
        caller, match = await self._of_tenant(authorization, request.match_id)
        _must_exist(match, request.seat)
        await self._log.lobby.revoke(match.id, request.seat)
        return lobby_pb2.RevokeSeatTokensResponse(match=await self._shown.message_now(match.id, caller))

    async def issue_for_watcher(
        self, request: lobby_pb2.IssueWatchTokenRequest, authorization: str | None
    ) -> lobby_pb2.IssueWatchTokenResponse:
        """Return a token of a spectator or a referee."""
        _, match = await self._of_tenant(authorization, request.match_id)
        lifetime = minting.lifetime_of(request.lifetime) if request.HasField("lifetime") else None
        return lobby_pb2.IssueWatchTokenResponse(
            token=minting.watch_token(self._tokens, match, request.role, lifetime)
        )

    async def revoke_of_watchers(
        self, request: lobby_pb2.RevokeWatchTokensRequest, authorization: str | None
    ) -> lobby_pb2.RevokeWatchTokensResponse:
        """Revoke all tokens of spectators and referees."""
        caller, match = await self._of_tenant(authorization, request.match_id)
        await self._log.lobby.revoke_watchers(match.id)
        return lobby_pb2.RevokeWatchTokensResponse(match=await self._shown.message_now(match.id, caller))

    async def _of_tenant(self, authorization: str | None, match_id: str) -> tuple[Caller, Match]:
        """Return the caller and the match for a tenant that may change it; raises Refused for anybody else."""
        key_only(await self._access.caller(authorization))
        entered = await self._access.enter(authorization, match_id)
        may_change(entered.caller)
        return entered.caller, entered.match


def _must_exist(match: Match, seat: int) -> None:
    if not 0 <= seat < match.seats:
        raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
