"""Bots: handing seats to them, and the states they may search."""

from __future__ import annotations

from foldtable.matches.v1 import bots_pb2
from services.process.thread_work import in_thread
from services.rpc.bot_names import read_bot
from services.rules.api.heavy_reads import HeavyReads, turn_of
from services.rules.api.shown_matches import ShownMatches
from services.rules.marks import about, of_match
from services.rules.match import starting
from services.rules.match.access import MatchAccess, audience_at, seat_of
from services.rules.match.bot_consent import agree
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import acting_seat, key_only, tenant_only
from services.rules.seats.bot_seats import hand_back, hand_to_bot
from services.rules.views.determinizing import deal, prepare


class Bots:
    """Hands seats to bots and back, and serves determinizations."""

    def __init__(
        self, cache: MatchCache, access: MatchAccess, shown: ShownMatches, heavy: HeavyReads
    ) -> None:
        self._cache = cache
        self._access = access
        self._shown = shown
        self._heavy = heavy

    async def seat(
        self, request: bots_pb2.SeatBotRequest, authorization: str | None
    ) -> bots_pb2.SeatBotResponse:
        """Hand a seat to a bot."""
        key_only(await self._access.caller(authorization))
        async with self._access.open(authorization, request.match_id) as (caller, loaded):
            tenant_only(caller)
            seat = acting_seat(caller, loaded.match, request.seat)
            await hand_to_bot(self._cache, loaded, seat, read_bot(request.level, request.bot))
            await starting.start_when_full(self._cache, loaded)
            await self._cache.catch_up(loaded)
            await agree(self._cache, loaded)  # to a proposal that was open before the bot took the seat
            match_id = loaded.match.id
        return bots_pb2.SeatBotResponse(match=await self._shown.message_now(match_id, caller))

    async def unseat(
        self, request: bots_pb2.UnseatBotRequest, authorization: str | None
    ) -> bots_pb2.UnseatBotResponse:
        """Hand a seat back to its player."""
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named, fresh=True) as (
            caller,
            loaded,
        ):
            seat = acting_seat(caller, loaded.match, named)
            await hand_back(self._cache, loaded, seat, caller)
            match_id = loaded.match.id
        return bots_pb2.UnseatBotResponse(match=await self._shown.message_now(match_id, caller))

    async def determinize(
        self, request: bots_pb2.DeterminizeRequest, authorization: str | None
    ) -> bots_pb2.DeterminizeResponse:
        """Return states the match may be in, given what an audience knows."""
        async with self._heavy.turn(turn_of(await self._access.caller(authorization))):
            seat = seat_of(request.audience)
            async with self._access.open(authorization, request.match_id, seat=seat) as (caller, loaded):
                await self._cache.catch_up(loaded)
                seen_by = audience_at(caller, loaded, request.audience)
                prepared = await prepare(self._cache, loaded, seen_by, request)
            with about(of_match(loaded.match.id)):
                return await in_thread(deal, prepared)
