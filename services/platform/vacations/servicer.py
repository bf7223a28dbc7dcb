"""Vacations over the API: a tenant announces and cancels those of all its players, a session those of its own player."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from foldtable.platform.v1 import vacation_pb2 as pb
from services.identity.administration import own_player, scope_missing
from services.identity.callers import AnyCaller, PlayerCaller, TenantCaller
from services.identity.player_sessions import SessionScope
from services.identity.scopes import Scope, held
from services.platform.vacations import stored
from services.platform.vacations.announcing import Wish, announce
from services.platform.vacations.stored import BEGINNING, Position, Vacation
from services.postgres.database import Pool, connected
from services.process.bounds import MAX_PLAYER, MAX_REQUEST_ID
from services.process.reasons import Reason
from services.rpc.cursors import cursor, not_a_cursor, page_size, read_cursor
from services.rpc.free_text import must_be_id, must_be_readable
from services.rpc.message_from import message_from
from services.rpc.refusals import Refused, malformed
from services.rpc.times import moment

vacation_message: Final = message_from(pb.Vacation, Vacation, vacation_id="id")
_log: Final = structlog.get_logger("foldtable.platform")


class Vacations:
    """Announces, lists and cancels vacations. What is logged of one is its tenant and its id, not whose it is."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def announce(
        self, caller: AnyCaller, request: pb.AnnounceVacationRequest
    ) -> pb.AnnounceVacationResponse:
        """Announce a vacation of a player. Raises Refused, as `announce` does, and if the caller may not."""
        by = _may_change(caller)
        if isinstance(by, PlayerCaller):
            player = own_player(by, request.player, "$.player")
        elif not (player := request.player):
            raise malformed("$.player", "must name the player")
        else:
            must_be_id(player, "$.player", MAX_PLAYER)
        if not request.HasField("until"):
            raise malformed("$.until", "must say when the vacation is over")
        wish = Wish(
            tenant=by.tenant,
            player=player,
            since=moment(request.since, "$.since") if request.HasField("since") else None,
            until=moment(request.until, "$.until"),
            by_tenant=isinstance(by, TenantCaller),
            request_id=_request_id(request.request_id),
        )
        made = await announce(self._pool, wish)
        _log.info("vacation announced", tenant=made.tenant, vacation=str(made.id), by_tenant=made.by_tenant)
        return pb.AnnounceVacationResponse(vacation=vacation_message(made))

    async def page(self, caller: AnyCaller, request: pb.ListVacationsRequest) -> pb.ListVacationsResponse:
        """Return a page of the vacations of a tenant, or of a player; with a session, of its own player."""
        tenant, player = _reader(caller, request.player)
        size = page_size(request.page_size)
        question = ("vacations", tenant, player, request.include_ended)
        after = BEGINNING
        if request.page_token:
            after = _position(read_cursor(request.page_token, question))
        async with connected(self._pool) as connection:
            found = await stored.list_vacations(
                connection, tenant, player, ended=request.include_ended, after=after, limit=size + 1
            )
        more = ""
        if len(found) > size:
            last = found[size - 1]
            more = cursor(f"{last.until.isoformat()} {last.id}", question)
        return pb.ListVacationsResponse(vacations=map(vacation_message, found[:size]), next_page_token=more)

    async def cancel(self, caller: AnyCaller, request: pb.CancelVacationRequest) -> pb.CancelVacationResponse:
        """Remove a vacation that has not begun, or let one that goes on be over now.

        Raises Refused VACATION_NOT_FOUND, also for that of another tenant or, with a session, another player; TENANT_ONLY for a
        session whose player did not announce it; VACATION_OVER.
        """
        by = _may_change(caller)
        vacation_id = _id(request.vacation_id)
        async with connected(self._pool) as connection, connection.transaction():
            found = await stored.find(connection, by.tenant, vacation_id, to_change=True)
            if found is None or (isinstance(by, PlayerCaller) and found.player != by.player):
                raise _not_found()
            if isinstance(by, PlayerCaller) and found.by_tenant:
                raise Refused(
                    Reason.TENANT_ONLY, "the tenant announced this vacation, and only it can cancel it"
                )
            now = (await stored.present(connection, by.tenant)).now
            if found.until <= now:
                raise Refused(Reason.VACATION_OVER, "this vacation is over already")
            ended = None
            if found.since < now:
                ended = await stored.end(connection, found.id, now)
            else:
                await stored.remove(connection, found.id)
        _log.info("vacation cancelled", tenant=by.tenant, vacation=str(found.id), had_begun=ended is not None)
        return pb.CancelVacationResponse(vacation=None if ended is None else vacation_message(ended))


def _may_change(caller: AnyCaller) -> TenantCaller | PlayerCaller:
    """Return the caller. Raises Refused unless it has a key that may do everything with matches, or a session that may play."""
    by = _of_account(caller)
    if isinstance(by, PlayerCaller):
        if SessionScope.PLAY not in by.scopes:
            scope = SessionScope.PLAY
            raise Refused(
                Reason.SCOPE_MISSING, f"this session lacks the scope {scope}", metadata={"scope": scope}
            )
    elif Scope.MATCHES_WRITE not in by.scopes:
        raise scope_missing(Scope.MATCHES_WRITE)
    return by


def _reader(caller: AnyCaller, player: str) -> tuple[str, str]:
    """Return whose vacations the caller reads: the tenant, and the player, who is empty for all. Raises Refused if it may not."""
    by = _of_account(caller)
    if isinstance(by, PlayerCaller):
        return by.tenant, own_player(by, player, "$.player")
    if Scope.MATCHES_READ not in held(by.scopes):
        raise scope_missing(Scope.MATCHES_READ)
    must_be_readable(player, "$.player", MAX_PLAYER)
    return by.tenant, player


def _of_account(caller: AnyCaller) -> TenantCaller | PlayerCaller:
    """Return the caller. Raises Refused TENANT_ONLY for a token of a match, and for nobody known."""
    if not isinstance(caller, TenantCaller | PlayerCaller):
        raise Refused(Reason.TENANT_ONLY, "only an API key or a session may do this")
    return caller


def _request_id(sent: str) -> str:
    if len(sent) > MAX_REQUEST_ID or not sent.isascii() or not sent.isprintable():
        raise malformed("$.request_id", f"must be at most {MAX_REQUEST_ID} printable ASCII characters")
    return sent


def _id(sent: str) -> UUID:
    try:
        return UUID(sent)
    except ValueError:
        raise _not_found() from None


def _not_found() -> Refused:
    return Refused(Reason.VACATION_NOT_FOUND, "there is no such vacation")


def _position(text: str) -> Position:
    until, _, vacation_id = text.partition(" ")
    try:
        return Position(datetime.fromisoformat(until), UUID(vacation_id))
    except ValueError:
        raise not_a_cursor() from None
