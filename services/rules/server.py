"""The rules server: its gRPC services over a log, and its sweeper."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from engine.registry import SHADOWED
from foldtable.matches.v1 import match_service_pb2, match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.identity.callers import Callers, Keys
from services.identity.match_tokens import MatchTokens
from services.movelog.export.signature import ExportSigner
from services.movelog.postgres.log import PostgresLog
from services.process.ending import end
from services.rpc.server import RpcServer
from services.rules.api.match_service import MatchService
from services.rules.api.rules_servicer import RulesServicer
from services.rules.match.expiring import expire
from services.rules.match.forking import ForkBounds
from services.rules.match.match_cache import MatchCache
from services.rules.match.sweeping import Sweeper
from services.rules.players import Players
from services.rules.seats.bot_seats import stand_in
from services.rules.served_games import NoGames, usable_games
from services.rules.settings import RulesSettings

SERVICES: Final = (
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name,
)


class RulesServer:
    """RulesService and MatchService for the games of the settings, and the sweeper of their clocks."""

    def __init__(
        self,
        settings: RulesSettings,
        log: PostgresLog,
        keys: Keys,
        tokens: MatchTokens,
        exports: ExportSigner | None = None,
        *,
        players: Players | None = None,
    ) -> None:
        """`players` is what is known of players beyond a match; None: the database of the log, with a cache.

        Raises NoGames if none of the games in the settings can be used.
        """
        self._server = server = RpcServer(settings, SERVICES)
        games, refused = usable_games(settings.games)
        for problem in (*refused, *(one for one in SHADOWED if one.game_id in settings.games)):
            structlog.get_logger("foldtable.rules").error(
                "game_refused", game=problem.game_id, why=str(problem)
            )
        if not games:
            raise NoGames(refused)
        self.games = tuple(games)
        """The games that it serves."""
        self._cache = MatchCache(log, games.get)
        self._sweeper = Sweeper(self._cache, tuple(games.values()), hand_over=stand_in)
        self._proposals = log.proposals
        self._sweeping: asyncio.Task[None] | None = None
        self._expiring: asyncio.Task[None] | None = None
        forks = ForkBounds(of_token=settings.max_forks_per_token, of_tenant=settings.max_forks_per_tenant)
        players = players or Players.on(log.pool)
        callers = Callers(keys, tokens, players.sessions)
        matches = MatchService(self._cache, callers, players, tokens, games.get, server.drain, forks, exports)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(matches, server.grpc)
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(games), server.grpc)

    async def start(self) -> str:
        """Start listening and sweeping; return the address with the actual port."""
        address = await self._server.start()
        self._sweeping = asyncio.create_task(self._sweeper.run(), name="sweeper")
        self._expiring = asyncio.create_task(expire(self._proposals), name="expiring proposals")
        return address

    async def stop(self) -> None:
        """Drain, then close."""
        await self.stop_sweeping()
        await end(self._expiring)
        await self._server.stop()
        await self._cache.close()

    async def stop_sweeping(self) -> None:
        """Stop sweeping; other servers sweep the clocks."""
        await end(self._sweeping)
