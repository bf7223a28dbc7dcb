"""Channels to the rules servers: one per address, whatever number of games live there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import grpc

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2_grpc
from gateway.play_stream import PlayStream
from gateway.problem_documents import ProblemError
from gateway.refusals import refused_call

MAX_MESSAGE_BYTES: Final = 64 * 1024 * 1024
"""Exports of long matches are the largest messages."""
KEEPALIVE_MS: Final = 60_000
"""Not more often than servers allow without agreement (gRPC keepalive guide)."""
MAX_RECONNECT_MS: Final = 1_000
"""gRPC's own default is two minutes; a restarted server should be found within a second."""

_SAFE_TO_REPEAT: Final = {
    "foldtable.matches.v1.MatchService": (
        "GetMatch",
        "GetView",
        "GetLegalActions",
        "ListMoves",
        "ExportMatch",
        "VerifyMatch",
    ),
    "foldtable.rules.v1.RulesService": ("ListGames", "DescribeGame"),
}
_SERVICE_CONFIG: Final = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [
                {"service": service, "method": method}
                for service, methods in _SAFE_TO_REPEAT.items()
                for method in methods
            ],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}
"""Only reads are repeated by themselves, and only where nothing was reached (AIP-194)."""
_OPTIONS: Final = (
    ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ("grpc.enable_retries", 1),
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", MAX_RECONNECT_MS),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
)

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Method = grpc.aio.UnaryUnaryMultiCallable[Asked, Answer]
"""A unary method of a stub."""


class RulesServer:
    """One address: its channel, its stubs, its play stream."""

    def __init__(self, address: str, *, max_open_moves: int) -> None:
        self.address = address
        self._channel = grpc.aio.insecure_channel(address, options=_OPTIONS)
        self.matches = match_service_pb2_grpc.MatchServiceStub(self._channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(self._channel)
        self.play = PlayStream(self.matches.Play, address=address, max_open_calls=max_open_moves)

    def connect(self) -> None:
        """Begin to connect, so that the first request need not wait for it."""
        self._channel.get_state(try_to_connect=True)

    @property
    def failing(self) -> bool:
        """True while nobody answers at the address."""
        return self._channel.get_state() is grpc.ChannelConnectivity.TRANSIENT_FAILURE

    async def close(self) -> None:
        """Close the stream and the channel; open calls fail."""
        await self.play.close()
        await self._channel.close()


class RulesServers:
    """Every configured rules server, by game."""

    def __init__(self, addresses: Mapping[str, str], *, max_open_moves: int) -> None:
        """`addresses` maps a game's id to host:port; games with the same address share a channel."""
        servers = {
            address: RulesServer(address, max_open_moves=max_open_moves)
            for address in dict.fromkeys(addresses.values())
        }
        self._by_game = {game: servers[address] for game, address in addresses.items()}
        self.all: tuple[RulesServer, ...] = tuple(servers.values())

    @property
    def likeliest_first(self) -> list[RulesServer]:
        """All of them, those last where nobody answers at present."""
        return sorted(self.all, key=lambda server: server.failing)

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games that are routed."""
        return tuple(self._by_game)

    def serves(self, game: str) -> bool:
        """True for a game that is routed."""
        return game in self._by_game

    def of_game(self, game: str) -> RulesServer:
        """Give the server of a game; ProblemError RULES_UNAVAILABLE if this gateway has no route to it."""
        server = self._by_game.get(game)
        if server is None:
            raise ProblemError("RULES_UNAVAILABLE", "this gateway has no route to the game's rules server")
        return server

    def connect(self) -> None:
        """Begin to connect to all of them."""
        for server in self.all:
            server.connect()

    async def close(self) -> None:
        """Close all channels."""
        for server in self.all:
            await server.close()


async def call(
    method: Method[Asked, Answer],
    request: Asked,
    *,
    seconds: float,
    metadata: tuple[tuple[str, str], ...] = (),
    conditional: bool = False,
    in_query: bool = False,
) -> Answer:
    """Make a unary call with a deadline; ProblemError says why it was refused.

    `conditional` and `in_query` say how the caller had asked, as in `refusals.refused`.
    """
    try:
        return await method(request, timeout=seconds, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        raise refused_call(error, conditional=conditional, in_query=in_query) from None


async def call_any(
    methods: Iterable[Method[Asked, Answer]],
    request: Asked,
    *,
    seconds: float,
    metadata: tuple[tuple[str, str], ...] = (),
) -> Answer:
    """Make a unary call that every server answers alike: the next one is asked where one cannot be reached."""
    unreachable = ProblemError("RULES_UNAVAILABLE")
    for method in methods:
        try:
            return await call(method, request, seconds=seconds, metadata=metadata)
        except ProblemError as problem:
            if problem.reason.name not in _TRY_ELSEWHERE:
                raise
            unreachable = problem
    raise unreachable


_TRY_ELSEWHERE: Final = frozenset({"RULES_UNAVAILABLE", "RULES_TIMEOUT"})
