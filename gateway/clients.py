"""Channels to the rules servers: one per address, whatever number of games live there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import grpc

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2_grpc
from gateway.channels import open_channel
from gateway.live.follow_stream import FollowStream
from gateway.play_stream import PlayStream, PlayStreams
from gateway.problem_documents import ProblemError
from gateway.refusals import refused_call
from gateway.sticky import Sticky
from gateway.targets import read_target
from gateway.tls import ClientTls

STREAMS_TO_A_NAME: Final = 4
"""Long streams of each kind to a DNS name, where nothing else is said: how many replicas it has, nobody knows here."""

_SERVICE: Final = "foldtable.matches.v1.MatchService"
_SAFE_TO_REPEAT: Final = (
    "foldtable.matches.v1.MatchService/GetMatch",
    "foldtable.matches.v1.MatchService/GetView",
    "foldtable.matches.v1.MatchService/GetLegalActions",
    "foldtable.matches.v1.MatchService/ListMoves",
    "foldtable.matches.v1.MatchService/ReplayMatch",
    "foldtable.matches.v1.MatchService/ExportMatch",
    "foldtable.matches.v1.MatchService/VerifyMatch",
    "foldtable.rules.v1.RulesService/ListGames",
    "foldtable.rules.v1.RulesService/DescribeGame",
)

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Method = grpc.aio.UnaryUnaryMultiCallable[Asked, Answer]
"""A unary method of a stub."""


class RulesServer:
    """One address, or several replicas behind one: the channel, the stubs, the long streams."""

    def __init__(
        self, address: str, *, max_open_moves: int, streams: int = 0, tls: ClientTls | None = None
    ) -> None:
        """`address` as `targets.read_target` takes it; `streams` of each kind, 0: one for each replica."""
        self.address = address
        target = read_target(address)
        number = streams or target.addresses or STREAMS_TO_A_NAME
        self._channel = open_channel(target, service=_SERVICE, safe_to_repeat=_SAFE_TO_REPEAT, tls=tls)
        self.matches = match_service_pb2_grpc.MatchServiceStub(self._channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(self._channel)
        self.play = PlayStreams(
            lambda: PlayStream(
                self.matches.Play, address=address, max_open_calls=max(1, max_open_moves // number)
            ),
            number,
        )
        self.follows = Sticky(lambda: FollowStream(self.matches, address=address), number)

    def connect(self) -> None:
        """Begin to connect, so that the first request need not wait for it."""
        self._channel.get_state(try_to_connect=True)

    @property
    def failing(self) -> bool:
        """True while nobody answers at the address."""
        return self._channel.get_state() is grpc.ChannelConnectivity.TRANSIENT_FAILURE

    async def close(self) -> None:
        """Close the streams and the channel; open calls fail."""
        await self.play.close()
        for follows in self.follows.all:
            await follows.close()
        await self._channel.close()


class RulesServers:
    """Every configured rules server, by game."""

    def __init__(
        self,
        addresses: Mapping[str, str],
        *,
        max_open_moves: int,
        streams: int = 0,
        tls: ClientTls | None = None,
    ) -> None:
        """`addresses` maps a game's id to its servers; games with the same ones share a channel."""
        servers = {
            address: RulesServer(address, max_open_moves=max_open_moves, streams=streams, tls=tls)
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
