"""Which services a rules server offers, around a log."""

from __future__ import annotations

import asyncio
from typing import Final

from engine.registry import game as registered_game
from foldtable.matches.v1 import match_service_pb2, match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.ending import end
from services.movelog.log import MoveLog
from services.platform.match_tokens import MatchTokens
from services.rpc.callers import Callers, Keys
from services.rpc.server import RpcServer
from services.rules.bot_seats import stand_in
from services.rules.match_servicer import MatchServicer
from services.rules.payloads import payloads_of
from services.rules.rules_servicer import RulesServicer
from services.rules.settings import RulesSettings
from services.rules.sweeping import Sweeper
from services.rules.tables import Tables

SERVICES: Final = (
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name,
)


class RulesServer:
    """RulesService and MatchService for the games of the settings, and the sweeper of their clocks."""

    def __init__(self, settings: RulesSettings, log: MoveLog, keys: Keys, tokens: MatchTokens) -> None:
        self._server = server = RpcServer(settings, SERVICES)
        games = {game_id: registered_game(game_id) for game_id in settings.games}
        for game in games.values():
            payloads_of(game).check()
        self._tables = Tables(log, games.get)
        self._sweeper = Sweeper(self._tables, tuple(games.values()), hand_over=stand_in)
        self._sweeping: asyncio.Task[None] | None = None
        matches = MatchServicer(self._tables, Callers(keys, tokens), tokens, games.get, server.drain)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(matches, server.grpc)
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(games), server.grpc)

    async def start(self) -> str:
        """Listen, and sweep the clocks; give the address with the port that was taken."""
        address = await self._server.start()
        self._sweeping = asyncio.create_task(self._sweeper.run(), name="sweeper")
        return address

    async def stop(self) -> None:
        """Drain and close."""
        await self.stop_sweeping()
        await self._server.stop()
        await self._tables.close()

    async def stop_sweeping(self) -> None:
        """Leave the clocks to the other servers."""
        await end(self._sweeping)
