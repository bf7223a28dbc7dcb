"""Reading a match: the view, the legal actions, the moves so far."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Final

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1 import table_pb2
from services.rules.api.heavy_reads import HeavyReads, turn_of
from services.rules.match.access import MatchAccess, Purpose, audience_at, seat_of
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import seat_looked_at
from services.rules.match.timekeeping import clocks_at
from services.rules.views import looking
from services.rules.views.table import standing_match, table_of
from services.rules.wire.forms import form_of

MAX_KNOWN: Final = 16
"""Most tables that a request may say it has; more are ignored."""


class Reads:
    """Serves single reads of a match; live.py serves streams."""

    def __init__(self, cache: MatchCache, access: MatchAccess, heavy: HeavyReads) -> None:
        self._cache = cache
        self._access = access
        self._heavy = heavy

    async def view(self, request: pb.GetViewRequest, authorization: str | None) -> pb.GetViewResponse:
        """Return what an audience sees, now or after an earlier move."""
        async with AsyncExitStack() as stack:
            at = request.at_version if request.HasField("at_version") else None
            if at is not None:
                asking = await self._access.caller(authorization, Purpose.READ)
                if not self._access.has_state(asking, request.match_id, at):
                    await stack.enter_async_context(self._heavy.turn(turn_of(asking)))
            caller, loaded = await stack.enter_async_context(
                self._access.open(
                    authorization,
                    request.match_id,
                    seat=seat_of(request.audience),
                    purpose=Purpose.READ,
                )
            )
            await self._cache.catch_up(loaded)
            seen_by = audience_at(caller, loaded, request.audience)
            unless = request.unless_version if request.HasField("unless_version") else None
            return await looking.view(self._cache, loaded, seen_by, at, form_of(request), unless=unless)

    async def table(
        self, request: table_pb2.GetTableRequest, authorization: str | None
    ) -> table_pb2.GetTableResponse:
        """Return everything that a front end draws for an audience."""
        known = {(one.version, one.seats_revision) for one in request.known[:MAX_KNOWN]}
        async with self._access.open(
            authorization, request.match_id, seat=seat_of(request.audience), purpose=Purpose.READ
        ) as (caller, loaded):
            standing = await standing_match(self._cache, loaded)
            seen_by = audience_at(caller, loaded, request.audience)
            return await table_of(self._cache, loaded, standing, seen_by, form_of(request), known=known)

    async def legal_actions(
        self, request: pb.GetLegalActionsRequest, authorization: str | None
    ) -> pb.GetLegalActionsResponse:
        """Return the actions a seat may take now."""
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named) as (caller, loaded):
            seat = seat_looked_at(caller, loaded.match, named)
            await self._cache.catch_up(loaded)
            response = looking.legal_actions(
                loaded, seat, form_of(request), request.samples, hints=request.hints
            )
            if (clocks := await clocks_at(self._cache, loaded, loaded.version)) is not None:
                response.clocks.CopyFrom(clocks)
            return response

    async def moves(self, request: pb.ListMovesRequest, authorization: str | None) -> pb.ListMovesResponse:
        """Return a page of moves as an audience may see them."""
        async with AsyncExitStack() as stack:
            if request.page_size > looking.DEFAULT_PAGE:
                who = turn_of(await self._access.caller(authorization, Purpose.READ))
                await stack.enter_async_context(self._heavy.turn(who))
            caller, loaded = await stack.enter_async_context(
                self._access.open(
                    authorization,
                    request.match_id,
                    seat=seat_of(request.audience),
                    purpose=Purpose.READ,
                )
            )
            await self._cache.catch_up(loaded)
            seen_by = audience_at(caller, loaded, request.audience)
            return await looking.moves(self._cache, loaded, seen_by, request)
