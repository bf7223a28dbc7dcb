"""Messages of matches for callers that have just changed them."""

from __future__ import annotations

from uuid import UUID

from foldtable.matches.v1 import match_pb2
from services.identity.callers import AnyCaller
from services.movelog.records import Match, Seating
from services.rpc.match_messages import match_message
from services.rules.match import starting
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import sees_notes
from services.rules.match.timekeeping import clocks_of


class ShownMatches:
    """Reads matches again after a change."""

    def __init__(self, cache: MatchCache) -> None:
        self._cache = cache
        self._log = cache.log

    async def started(self, match_id: UUID) -> tuple[Match, Seating]:
        """Start a match if its seats are full, and return it with its seats."""
        async with self._cache.hold(match_id) as loaded:
            await self._cache.check_seating(loaded)
            await starting.start_when_full(self._cache, loaded)
        return await self.now(match_id)

    async def now(self, match_id: UUID) -> tuple[Match, Seating]:
        """Return a match and its seats."""
        match = await self._log.find(match_id)
        return match, await self._log.lobby.seating(match_id)

    async def message(self, match: Match, seated: Seating, caller: AnyCaller) -> match_pb2.Match:
        """Return the message of a match with its seats and clocks, and with its notes if the caller sees them."""
        return match_message(
            match,
            seated.seats,
            await clocks_of(self._log, match),
            seated.todos,
            notes=await self._log.notes(match.id) if sees_notes(caller) else None,
        )

    async def message_now(self, match_id: UUID, caller: AnyCaller) -> match_pb2.Match:
        """Return the message of a match as it is now."""
        return await self.message(*await self.now(match_id), caller)
