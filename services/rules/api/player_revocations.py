"""Revoking everything with which one player can sign in or act: sessions, login codes, and the tokens of all seats and invites.

Tickets of streams are not stored with their player, and need not be: a ticket carries the credential it was made with, which
is checked when the ticket is used and while the stream is open.
"""

from __future__ import annotations

import time
from typing import Final
from uuid import UUID

import structlog

from foldtable.matches.v1 import player_revocation_pb2 as pb
from services.identity.login_codes import LoginCodes
from services.identity.session_ring import SessionRing
from services.movelog.players import Reached, SeatPlayers
from services.process.bounds import MAX_PLAYER
from services.rpc.cursors import cursor, not_a_cursor, read_cursor
from services.rpc.free_text import must_be_readable
from services.rpc.refusals import malformed
from services.rules.match.access import MatchAccess
from services.rules.match.permissions import tenant_only

MATCHES_AT_ONCE: Final = 250
"""Matches of one transaction, whose rows nobody else can change meanwhile."""
ENOUGH_SECONDS: Final = 1.5
"""A call begins no further transaction after this time, and says that it must be continued: its caller has a deadline."""
_OPEN: Final = "open"
_ENDED: Final = "ended"

_log: Final = structlog.get_logger("foldtable.rules")


class PlayerRevocations:
    """Revokes players. What is logged says whose tenant and which key, and how many; never a token, nor the player."""

    def __init__(
        self, access: MatchAccess, sessions: SessionRing, codes: LoginCodes, seats: SeatPlayers
    ) -> None:
        self._access = access
        self._sessions = sessions
        self._codes = codes
        self._seats = seats

    async def revoke(
        self, request: pb.RevokePlayerRequest, authorization: str | None
    ) -> pb.RevokePlayerResponse:
        """Revoke a player of the caller's tenant. The sessions come first, so that they get no new tokens of seats.

        A call that continues another one revokes only seats: sessions that were issued meanwhile stay valid. Raises Refused MALFORMED_REQUEST, PAGE_TOKEN_INVALID.
        """
        by = tenant_only(await self._access.caller(authorization))
        if not (player := request.player):
            raise malformed("$.player", "must name the player")
        must_be_readable(player, "$.player", MAX_PLAYER)
        question = ("revoke player", by.tenant, player)
        after = _position(read_cursor(request.page_token, question)) if request.page_token else None
        codes = 0
        if after is None:
            await self._sessions.revoke(by.tenant, player)
            codes = await self._codes.discard(by.tenant, player)
        seats, reached = await self._revoke_seats(by.tenant, player, after)
        _log.info(
            "player revoked", tenant=by.tenant, seats=seats, codes=codes, by=str(by.key_id), whole=not reached
        )
        return pb.RevokePlayerResponse(
            player=player,
            seats=seats,
            login_codes=codes,
            next_page_token=cursor(_text(reached), question) if reached else "",
        )

    async def _revoke_seats(
        self, tenant: str, player: str, after: Reached | None
    ) -> tuple[int, Reached | None]:
        """Return how many seats were revoked, and where to go on, if there are more."""
        enough, seats = time.monotonic() + ENOUGH_SECONDS, 0
        while True:
            step = await self._seats.revoke(tenant, player, after=after, limit=MATCHES_AT_ONCE)
            seats, after = seats + step.seats, step.reached
            if after is None or time.monotonic() > enough:
                return seats, after


def _text(reached: Reached) -> str:
    return f"{_OPEN if reached.is_open else _ENDED} {reached.match_id}"


def _position(text: str) -> Reached:
    """Return the position that `_text` wrote. Raises Refused PAGE_TOKEN_INVALID for any other text."""
    standing, _, match_id = text.partition(" ")
    try:
        reached = Reached(standing == _OPEN, UUID(match_id))
    except ValueError:
        raise not_a_cursor() from None
    if standing not in {_OPEN, _ENDED}:
        raise not_a_cursor()
    return reached
