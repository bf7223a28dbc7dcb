"""Live reading: one watched match, or many matches followed over one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator

from foldtable.matches.v1 import follow_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.rpc.drain import Drain
from services.rules.match.access import MatchAccess, audience_at
from services.rules.match.match_cache import MatchCache
from services.rules.streams.following import follow
from services.rules.streams.watching import watch
from services.rules.wire.forms import form_of


class Live:
    """Serves streams of moves until the match is over or the server stops."""

    def __init__(self, cache: MatchCache, access: MatchAccess, drain: Drain) -> None:
        self._cache = cache
        self._access = access
        self._drain = drain

    async def watch(
        self, request: pb.WatchMatchRequest, authorization: str | None
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Return a match's updates. Raise Refused for a caller that may not see them, before the first one is awaited."""

        async def still_allowed() -> None:
            async with self._access.open(authorization, request.match_id) as (caller, loaded):
                audience_at(caller, loaded, request.audience)

        async with self._access.open(authorization, request.match_id) as (caller, loaded):
            await self._cache.catch_up(loaded)
            seen_by = audience_at(caller, loaded, request.audience)
            match_id = loaded.match.id
        after = request.after_version if request.HasField("after_version") else None
        updates = watch(self._cache, match_id, seen_by, after, form_of(request), still_allowed)
        return self._drain.until(updates)

    def follow(
        self, requests: AsyncIterator[follow_pb2.FollowRequest], own: str | None
    ) -> AsyncIterator[follow_pb2.FollowResponse]:
        """Follow the matches a stream asks for; a follow without an authorization uses the stream's."""
        return follow(requests, own, self._access, self._cache, self._drain)
