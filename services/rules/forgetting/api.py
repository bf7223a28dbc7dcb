"""Deleting a match, erasing a player, and exporting what is kept of one, for the tenant whose they are.

What is logged says whose tenant and which key, and how many; never the player.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Self

import structlog

from foldtable.matches.v1 import forgetting_pb2 as pb
from services.identity.login_codes import LoginCodes
from services.identity.session_ring import SessionRing
from services.movelog.postgres.log import PostgresLog
from services.process.bounds import MAX_PLAYER
from services.rpc.cursors import cursor, not_a_cursor, page_size, read_cursor
from services.rpc.free_text import must_be_readable
from services.rpc.refusals import malformed, match_not_found
from services.rules.forgetting.deleting import Deleting
from services.rules.forgetting.erasing import Erasing
from services.rules.forgetting.kept import BEGINNING, Kept, RecordPlace, is_place
from services.rules.match.access import MatchAccess, match_named
from services.rules.match.permissions import key_only, may_change, may_name, may_read, tenant_only

MATCHES_AT_ONCE: Final = 100
"""Matches of one transaction, whose rows nobody else can change meanwhile."""
ENOUGH_SECONDS: Final = 1.0
"""A call begins no further transaction after this time, and says that it must be repeated: its caller has a deadline."""

_log: Final = structlog.get_logger("foldtable.rules")


@dataclass(frozen=True)
class Forgetting:
    """The parts that forget, over a database."""

    deleting: Deleting
    erasing: Erasing
    kept: Kept

    @classmethod
    def on(cls, log: PostgresLog) -> Self:
        """Return the parts over the database of a log, whose subscribers they wake."""
        return cls(Deleting(log.pool, log.announce), Erasing(log.pool, log.announce), Kept(log.pool))


class ForgettingCalls:
    """The calls of MatchService that forget."""

    def __init__(
        self, access: MatchAccess, sessions: SessionRing, codes: LoginCodes, forgetting: Forgetting
    ) -> None:
        self._access = access
        self._sessions = sessions
        self._codes = codes
        self._forgetting = forgetting

    async def delete_match(
        self, request: pb.DeleteMatchRequest, authorization: str | None
    ) -> pb.DeleteMatchResponse:
        """Delete a match of the caller's tenant, in whatever state. Raises Refused MATCH_NOT_FOUND unless it is there or was deleted lately."""
        by = key_only(await self._access.caller(authorization))
        deleting, wanted = self._forgetting.deleting, match_named(request.match_id)
        may_name(by, wanted)
        own = await self._access.cache.log.own(by.tenant, wanted)
        if own is None and not await deleting.was_deleted(by.tenant, wanted):
            raise match_not_found()
        may_change(by)
        is_gone = own is not None and await deleting.delete(by.tenant, own)
        _log.info("match deleted", tenant=by.tenant, by=str(by.key_id), repeated=not is_gone)
        return pb.DeleteMatchResponse()

    async def erase_player(
        self, request: pb.ErasePlayerRequest, authorization: str | None
    ) -> pb.ErasePlayerResponse:
        """Erase a player of the caller's tenant. The sessions come first, so that they take no seats meanwhile.

        A call that is `done` has left nothing, but other servers may know a session for some seconds more; any other is to be repeated as it was. Raises Refused MALFORMED_REQUEST.
        """
        by = tenant_only(await self._access.caller(authorization))
        player = _named(request.player)
        await self._sessions.erase(by.tenant, player)
        codes = await self._codes.discard(by.tenant, player)
        vacations = await self._forgetting.erasing.forget_account(by.tenant, player)
        enough, seats, events, done = time.monotonic() + ENOUGH_SECONDS, 0, 0, False
        while not done and time.monotonic() < enough:
            step = await self._forgetting.erasing.step(by.tenant, player, limit=MATCHES_AT_ONCE)
            seats, events, done = seats + step.seats, events + step.events, step.is_last
        _log.info("player erased", tenant=by.tenant, seats=seats, events=events, by=str(by.key_id), done=done)
        return pb.ErasePlayerResponse(
            player=player, seats=seats, events=events, login_codes=codes, vacations=vacations, done=done
        )

    async def export_player(
        self, request: pb.ExportPlayerRequest, authorization: str | None
    ) -> pb.ExportPlayerResponse:
        """Return a page of what is kept of a player of the caller's tenant. Raises Refused MALFORMED_REQUEST, PAGE_TOKEN_INVALID."""
        by = key_only(await self._access.caller(authorization))
        may_read(by)
        player, size = _named(request.player), page_size(request.page_size)
        question = ("export player", by.tenant, player)
        after = _place(read_cursor(request.page_token, question)) if request.page_token else BEGINNING
        page = await self._forgetting.kept.page(by.tenant, player, after, limit=size)
        more = "" if page.after is None else cursor(f"{page.after.section} {page.after.at}", question)
        return pb.ExportPlayerResponse(records=page.records, next_page_token=more)


def _named(player: str) -> str:
    if not player:
        raise malformed("$.player", "must name the player")
    must_be_readable(player, "$.player", MAX_PLAYER)
    return player


def _place(text: str) -> RecordPlace:
    """Return the place that a page token of ours names. Raises Refused PAGE_TOKEN_INVALID for any other text."""
    section, _, at = text.partition(" ")
    if not (section.isascii() and section.isdecimal()) or not is_place(
        place := RecordPlace(int(section[:3]), at)
    ):
        raise not_a_cursor()
    return place
