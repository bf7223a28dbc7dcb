"""Letting callers in to matches: whoever asks about a match passes here, and permissions.py says who may."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.rules.v1 import table_pb2
from services.movelog.failures import MatchUnknown
from services.movelog.records import MAX_REQUEST_ID, Match, Seating, Status
from services.rpc.callers import Caller, Callers, InviteCaller
from services.rpc.refusals import malformed, match_not_found
from services.rules import starting
from services.rules.permissions import audience, may_enter, may_name, may_use_invite
from services.rules.playable import RulesNotHere
from services.rules.tables import Table, Tables, may_have_changed


@dataclass(frozen=True, kw_only=True)
class Entered:
    """A caller, and the match it was let in to, without its table."""

    caller: Caller
    match: Match
    seating: Seating


class Door:
    """Lets callers in, or raises Refused."""

    def __init__(self, tables: Tables, callers: Callers) -> None:
        self._tables = tables
        self._callers = callers

    async def caller(self, authorization: str | None) -> Caller:
        """Give who calls."""
        return await self._callers.authenticate(authorization)

    @asynccontextmanager
    async def open(
        self, authorization: str | None, match_id: str, *, invites: bool = False
    ) -> AsyncIterator[tuple[Caller, Table]]:
        """Let a caller in to a match's table, started if its seats are full; holders of invites only where they may."""
        caller = await self.caller(authorization)
        wanted = _match_id(caller, match_id)
        try:
            async with self._tables.hold(wanted) as table:
                if may_have_changed(table):
                    await self._tables.read_seating(table)
                if invites and isinstance(caller, InviteCaller):
                    may_use_invite(caller, table.match, table.seating)
                else:
                    may_enter(caller, table.match, table.claims)
                if table.version == 0:
                    await starting.start_when_full(self._tables, table)
                yield caller, table
        except RulesNotHere:
            await self._enter(caller, wanted, invites=invites)  # who may not know of the match learns nothing
            raise

    async def enter(self, authorization: str | None, match_id: str) -> Entered:
        """Let a caller in to a match of any game, without its table; who runs bots, too, where one sits."""
        caller = await self.caller(authorization)
        return await self._enter(caller, _match_id(caller, match_id, bots=True), invites=False)

    async def _enter(self, caller: Caller, wanted: UUID, *, invites: bool) -> Entered:
        try:
            match = await self._tables.log.find(wanted)
        except MatchUnknown:
            raise match_not_found() from None
        seating = await self._tables.log.lobby.seating(wanted)
        if invites and isinstance(caller, InviteCaller):
            may_use_invite(caller, match, seating)
        else:
            may_enter(caller, match, seating.claims, bots=True)
        return Entered(caller=caller, match=match, seating=seating)


def audience_at(caller: Caller, table: Table, wanted: table_pb2.Audience) -> Audience:
    """Give the audience a call may look at a table as; once the match is over, any. The table is caught up."""
    return audience(caller, table.match, wanted, over=table.status is Status.ENDED)


def _match_id(caller: Caller, text: str, *, bots: bool = False) -> UUID:
    """Read a match id; one that is none is answered like one that is unknown."""
    try:
        match_id = UUID(text)
    except ValueError:
        match_id = UUID(int=0)
    may_name(caller, match_id, bots=bots)
    return match_id


def request_id(text: str) -> str:
    """Read a client's request id; Refused for one that cannot be kept."""
    if len(text) > MAX_REQUEST_ID or not (text.isascii() and text.isprintable()):
        raise malformed("$.request_id", f"must be at most {MAX_REQUEST_ID} printable ASCII characters")
    return text
