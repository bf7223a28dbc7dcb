"""MatchService's part about bots: who plays a seat, and what a bot may think with."""

from __future__ import annotations

from foldtable.matches.v1 import bots_pb2
from services.rpc.bot_names import read_bot
from services.rpc.callers import Context, authorization_of
from services.rpc.match_messages import match_message
from services.rules import starting
from services.rules.bot_consent import agree
from services.rules.bot_seats import hand_back, hand_to_bot
from services.rules.determinizing import determinize
from services.rules.door import audience_at
from services.rules.lobby_servicer import LobbyServicer
from services.rules.permissions import acting_seat, key_only, tenant_only


class BotServicer(LobbyServicer):
    """Handing a seat to a bot and back, determinizations."""

    async def SeatBot(self, request: bots_pb2.SeatBotRequest, context: Context) -> bots_pb2.SeatBotResponse:
        authorization = authorization_of(context)
        key_only(await self._door.caller(authorization))
        async with self._door.open(authorization, request.match_id) as (caller, table):
            tenant_only(caller)
            seat = acting_seat(caller, table.match, request.seat)
            await hand_to_bot(self._tables, table, seat, read_bot(request.level, request.bot))
            await starting.start_when_full(self._tables, table)
            await self._tables.catch_up(table)
            await agree(self._tables, table)  # to what was proposed before it sat down
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return bots_pb2.SeatBotResponse(match=match_message(match, seated.seats))

    async def UnseatBot(
        self, request: bots_pb2.UnseatBotRequest, context: Context
    ) -> bots_pb2.UnseatBotResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            await hand_back(self._tables, table, seat)
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return bots_pb2.UnseatBotResponse(match=match_message(match, seated.seats))

    async def Determinize(
        self, request: bots_pb2.DeterminizeRequest, context: Context
    ) -> bots_pb2.DeterminizeResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            return await determinize(self._tables, table, seen_by, request)
