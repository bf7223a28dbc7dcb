"""Live reading: the updates of one match, or many subscriptions over one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.matches.v1 import follow_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.identity.callers import Context
from services.rpc.drain import Drain
from services.rpc.match_messages import audience_message
from services.rules.match.access import MatchAccess, Purpose, audience_at, seat_of
from services.rules.match.match_cache import MatchCache
from services.rules.streams.match_stream import match_updates
from services.rules.streams.subscription_stream import serve_subscriptions
from services.rules.wire.forms import form_of


class Live:
    """Serves streams of moves until the match is over or the server stops."""

    def __init__(self, cache: MatchCache, access: MatchAccess, drain: Drain) -> None:
        self._cache = cache
        self._access = access
        self._drain = drain

    async def watch(
        self, request: pb.WatchMatchRequest, authorization: str | None, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Yield a match's updates. Raises Refused for a caller that may not see them, before the first one is awaited."""

        async def allowed(wanted: table_pb2.Audience) -> tuple[UUID, Audience]:
            seat = seat_of(wanted)
            async with self._access.open(
                authorization, request.match_id, seat=seat, purpose=Purpose.READ
            ) as (caller, loaded):
                await self._cache.catch_up(loaded)
                return loaded.match.id, audience_at(caller, loaded, wanted)

        async def still_allowed() -> None:
            await allowed(audience_message(seen_by))  # not what the caller would see by default now

        match_id, seen_by = await allowed(request.audience)
        after = request.after_version if request.HasField("after_version") else None
        updates = match_updates(
            self._cache,
            match_id,
            seen_by,
            after,
            form_of(request),
            still_allowed,
            has_table=request.include_table,
        )
        # The caller was accepted and learns it now: the first update may take long.
        await context.send_initial_metadata(())
        async for update in self._drain.until(updates):
            yield update

    def follow(
        self, requests: AsyncIterator[follow_pb2.FollowRequest], own: str | None
    ) -> AsyncIterator[follow_pb2.FollowResponse]:
        """Serve the subscriptions that a stream asks for; one without an authorization uses the stream's."""
        return serve_subscriptions(requests, own, self._access, self._cache, self._drain)
