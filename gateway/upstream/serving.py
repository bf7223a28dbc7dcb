"""Which rules servers answer at present, asked every second: one whose rules compute for ever keeps its connections open."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

from gateway.upstream.rules import RulesServer, RulesServers

CHECK_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 2.0

_REQUEST: Final = health_pb2.HealthCheckRequest()


class Serving:
    """Asks every rules server how it is. Belongs to one event loop."""

    def __init__(self, servers: RulesServers) -> None:
        """Begin to ask."""
        self._servers = servers
        self._asking = [
            asyncio.create_task(self._ask(server), name="health of a rules server")
            for server in self._servers.all
        ]

    async def close(self) -> None:
        """Ask no more."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    @property
    def any_answers(self) -> bool:
        """False while no rules server answers, so that no game can be played."""
        return not all(server.is_away for server in self._servers.all)

    @property
    def games_away(self) -> tuple[str, ...]:
        """The games whose rules server does not answer."""
        servers = self._servers
        return tuple(game for game in servers.games if servers.of_game(game).is_away)

    async def _ask(self, server: RulesServer) -> None:
        while True:
            try:
                await server.health.Check(_REQUEST, timeout=ANSWER_SECONDS)
                server.answered = time.monotonic()
            except grpc.aio.AioRpcError:
                pass  # `is_away` says that nobody has answered for a while
            await asyncio.sleep(CHECK_SECONDS)
