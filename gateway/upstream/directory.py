"""Which game a match belongs to, and so which rules server serves it.

A seat token contains the game. For an API key, any server is asked once, with the caller's own credential; the answer never
changes, so it is cached. The cache grants no access: the rules server authorises every call itself.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from gateway.access.auth import Caller
from gateway.telemetry.tracing import Trace
from gateway.upstream.rules import RulesServer, RulesServers, call_any

REMEMBERED_MATCHES: Final = 65_536


class Directory:
    """Finds the rules server of a match."""

    def __init__(self, servers: RulesServers, *, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self._games: OrderedDict[tuple[int, str], str] = OrderedDict()
        """Games by caller and match, because two tenants may have different matches with the same id."""

    async def server_of(self, match_id: str, caller: Caller, trace: Trace) -> RulesServer:
        """Return the server of a match. Raises ProblemError if GetMatch refuses the caller, or RULES_UNAVAILABLE."""
        known = self.known_server_of(match_id, caller)
        if known is not None:
            return known
        return self._servers.of_game((await self.find(match_id, caller, trace)).game)

    def known_server_of(self, match_id: str, caller: Caller) -> RulesServer | None:
        """Return the server of a match without asking any; None if that is not known here.

        Raises ProblemError RULES_UNAVAILABLE if this gateway has no route to the game.
        """
        if caller.claims is not None:
            return self._servers.of_game(caller.claims.game)
        key = hash(caller.holder), match_id
        game = self._games.get(key)
        if game is None:
            return None
        self._games.move_to_end(key)
        return self._servers.of_game(game)

    async def find(self, match_id: str, caller: Caller, trace: Trace) -> match_pb2.Match:
        """Return a match without its state, from whichever server can be reached."""
        response = await call_any(
            [server.matches.GetMatch for server in self._servers.likeliest_first],
            GetMatchRequest(match_id=match_id),
            seconds=self._seconds,
            metadata=trace.metadata(caller.authorization),
        )
        self.remember(caller, response.match)
        return response.match

    def remember(self, caller: Caller, match: match_pb2.Match) -> None:
        """Cache the game of a match that a caller was allowed to see."""
        self._games[hash(caller.holder), match.match_id] = match.game
        if len(self._games) > REMEMBERED_MATCHES:
            self._games.popitem(last=False)
