"""Which game a match is of, and so which rules server has its table.

A seat token says so itself. For an API key any server is asked once, with the caller's own credential; the answer never
changes, so it is remembered. Remembering opens nothing: the rules server judges every call by itself.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from gateway.auth import Caller
from gateway.clients import RulesServer, RulesServers, call_any
from gateway.tracing import Trace

REMEMBERED_MATCHES: Final = 65_536


class Directory:
    """Finds the rules server of a match."""

    def __init__(self, servers: RulesServers, *, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self._games: OrderedDict[str, str] = OrderedDict()

    async def server_of(self, match_id: str, caller: Caller, trace: Trace) -> RulesServer:
        """Give the server; ProblemError as GetMatch refused it, or RULES_UNAVAILABLE."""
        if caller.claims is not None:
            return self._servers.of_game(caller.claims.game)
        game = self._games.get(match_id)
        if game is None:
            game = (await self.find(match_id, caller, trace)).game
        else:
            self._games.move_to_end(match_id)
        return self._servers.of_game(game)

    async def find(self, match_id: str, caller: Caller, trace: Trace) -> match_pb2.Match:
        """Give a match without its table, from whichever server can be reached."""
        response = await call_any(
            [server.matches.GetMatch for server in self._servers.likeliest_first],
            GetMatchRequest(match_id=match_id),
            seconds=self._seconds,
            metadata=trace.metadata(caller.authorization),
        )
        self.remember(response.match)
        return response.match

    def remember(self, match: match_pb2.Match) -> None:
        """Keep the game of a match some caller was allowed to see."""
        self._games[match.match_id] = match.game
        if len(self._games) > REMEMBERED_MATCHES:
            self._games.popitem(last=False)
