"""Which services listen where: a rules server around a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection, reflection_pb2

from engine.kernel.game import AnyGame
from engine.registry import game as registered_game
from foldtable.matches.v1 import match_service_pb2, match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.movelog.log import MoveLog
from services.platform.seat_tokens import SeatTokens
from services.rules.answering import Answering
from services.rules.callers import Callers, Keys
from services.rules.drain import Drain
from services.rules.match_servicer import MatchServicer
from services.rules.payloads import payloads_of
from services.rules.rules_servicer import RulesServicer
from services.rules.settings import RulesSettings
from services.rules.tables import Tables

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
SERVICES: Final = (
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name,
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name,
)
REFLECTION_V1: Final = "grpc.reflection.v1.ServerReflection"
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_concurrent_streams", 10_000),
    # A connection is given up now and then, so that clients spread over new replicas.
    ("grpc.max_connection_age_ms", 30 * 60_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
    ("grpc.so_reuseport", 0),  # two servers on one port would be a mistake
)


class RulesServer:
    """A grpc.aio server with health, reflection and a graceful drain."""

    def __init__(self, settings: RulesSettings, log: MoveLog, keys: Keys, tokens: SeatTokens) -> None:
        self._settings = settings
        self._drain = Drain()
        self._health = HealthServicer()
        games = {game_id: registered_game(game_id) for game_id in settings.games}
        for game in games.values():
            payloads_of(game).check()
        self._server = self._build(games, log, keys, tokens)

    def _build(self, games: dict[str, AnyGame], log: MoveLog, keys: Keys, tokens: SeatTokens) -> Any:
        server = grpc.aio.server(interceptors=[Answering()], options=_OPTIONS)
        matches = MatchServicer(Tables(log, games.get), Callers(keys, tokens), tokens, games.get, self._drain)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(matches, server)
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(games), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if self._settings.reflection:
            names = (*SERVICES, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
            _reflect((*names, reflection.SERVICE_NAME), server)
        return server

    async def start(self) -> str:
        """Listen; give the address with the port that was taken."""
        port = self._server.add_insecure_port(self._settings.listen)
        await self._server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return f"{self._settings.listen.rpartition(':')[0]}:{port}"

    async def stop(self) -> None:
        """Say so, let streams end by themselves, finish what is under way, then close."""
        await self._health.enter_graceful_shutdown()
        self._drain.begin()
        await self._server.stop(self._settings.drain_seconds)


def _reflect(names: Sequence[str], server: Any) -> None:
    """Serve reflection as v1alpha, which the library knows, and as v1, whose messages are the same on the wire."""
    reflection.enable_server_reflection(names, server)
    info = grpc.stream_stream_rpc_method_handler(
        reflection.aio.ReflectionServicer(names).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handler = grpc.method_handlers_generic_handler(REFLECTION_V1, {"ServerReflectionInfo": info})
    server.add_generic_rpc_handlers((handler,))
