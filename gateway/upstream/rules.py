"""Channels to the rules servers: one per address, no matter how many games it serves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import grpc
from grpc_health.v1 import health_pb2_grpc

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.rules.v1 import rules_service_pb2_grpc
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import metadata_of_current
from gateway.upstream.channel import open_channel
from gateway.upstream.play import PlayStream, PlayStreams
from gateway.upstream.refusals import refused_call
from gateway.upstream.sticky import Sticky
from gateway.upstream.subscriptions.stream import SubscriptionStream
from gateway.upstream.targets import read_target
from gateway.upstream.tls import ClientTls

AWAY_SECONDS: Final = 4.0
"""A server that has not answered for so long is away: it is asked every second."""
STREAMS_TO_A_NAME: Final = 4
"""Default number of long streams of each kind to a DNS name, whose number of replicas is not known here."""

_SERVICE: Final = "foldtable.matches.v1.MatchService"
_SAFE_TO_REPEAT: Final = (
    "foldtable.matches.v1.MatchService/GetMatch",
    "foldtable.matches.v1.MatchService/GetView",
    "foldtable.matches.v1.MatchService/GetTable",
    "foldtable.matches.v1.MatchService/GetLegalActions",
    "foldtable.matches.v1.MatchService/ListMoves",
    "foldtable.matches.v1.MatchService/ReplayMatch",
    "foldtable.matches.v1.MatchService/ExportMatch",
    "foldtable.matches.v1.MatchService/VerifyMatch",
    "foldtable.matches.v1.MatchService/CreatePlayerSession",
    "foldtable.matches.v1.MatchService/CreateLoginCode",
    "foldtable.rules.v1.RulesService/ListGames",
    "foldtable.rules.v1.RulesService/DescribeGame",
    "foldtable.rules.v1.RulesService/GetTexts",
    "foldtable.rules.v1.RulesService/GetLayout",
    "foldtable.rules.v1.RulesService/ListParagraphs",
)

_UNDECIDED: Final = frozenset({grpc.ChannelConnectivity.IDLE, grpc.ChannelConnectivity.CONNECTING})

Asked = TypeVar("Asked")
Reply = TypeVar("Reply")
Method = grpc.aio.UnaryUnaryMultiCallable[Asked, Reply]
"""A unary method of a stub."""


class RulesServer:
    """A rules server at one address, or its replicas: the channels, the stubs, the long streams."""

    def __init__(
        self, address: str, *, max_open_moves: int, streams: int = 0, tls: ClientTls | None = None
    ) -> None:
        """`address` has the form that `targets.read_target` reads; `streams` is the number of each kind, 0: one per replica."""
        self.address = address
        target = read_target(address)
        number = streams or target.addresses or STREAMS_TO_A_NAME
        # Calls of a channel take turns at the replicas. On the channel of the unary calls, two streams might get the same
        # replica, for as long as they live; so each kind of stream has a channel of its own.
        self._channel, plays, subscriptions = self._channels = tuple(
            open_channel(target, service=_SERVICE, safe_to_repeat=_SAFE_TO_REPEAT, tls=tls) for _ in range(3)
        )
        playing = match_service_pb2_grpc.MatchServiceStub(plays)
        subscribing = match_service_pb2_grpc.MatchServiceStub(subscriptions)
        self.matches = match_service_pb2_grpc.MatchServiceStub(self._channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(self._channel)
        self.health = health_pb2_grpc.HealthStub(self._channel)
        self.play = PlayStreams(
            lambda: PlayStream(
                playing.Play, address=address, max_open_calls=max(1, max_open_moves // number)
            ),
            number,
        )
        self.answered: float | None = None
        """When a replica last said that it serves, in the monotonic clock's time; serving.py asks."""
        self.subscriptions = Sticky(
            lambda: SubscriptionStream(self.matches, subscribing.Follow, address=address), number
        )

    def connect(self) -> None:
        """Begin to connect, so that the first request does not have to wait for it."""
        for channel in self._channels:
            channel.get_state(try_to_connect=True)

    @property
    def failing(self) -> bool:
        """True while no replica can be reached, or none answers."""
        return self.is_away or self._channel.get_state() is grpc.ChannelConnectivity.TRANSIENT_FAILURE

    @property
    def is_away(self) -> bool:
        """True while nobody answers who has answered before; a gateway may start before its rules servers."""
        return self.answered is not None and time.monotonic() - self.answered > AWAY_SECONDS

    async def connected(self) -> RulesServer | None:
        """Return itself as soon as a replica is reached; None once an attempt has failed."""
        while (state := self._channel.get_state(try_to_connect=True)) in _UNDECIDED:
            await self._channel.wait_for_state_change(state)
        return self if state is grpc.ChannelConnectivity.READY else None

    async def close(self) -> None:
        """Close the streams and the channels; open calls fail."""
        await self.play.close()
        for stream in self.subscriptions.all:
            await stream.close()
        for channel in self._channels:
            await channel.close()


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
        """`addresses` maps a game's id to the address of its servers; games with the same address share a channel."""
        servers = {
            address: RulesServer(address, max_open_moves=max_open_moves, streams=streams, tls=tls)
            for address in dict.fromkeys(addresses.values())
        }
        self._by_game = {game: servers[address] for game, address in addresses.items()}
        self.all: tuple[RulesServer, ...] = tuple(servers.values())

    @property
    def likeliest_first(self) -> list[RulesServer]:
        """Return all servers, those that cannot be reached at present last."""
        return sorted(self.all, key=lambda server: server.failing)

    async def reachable(self, *, seconds: float) -> RulesServer:
        """Return a server that can be reached now: for a call that must not be sent to two. Raises ProblemError RULES_UNAVAILABLE."""
        attempts = [asyncio.ensure_future(server.connected()) for server in self.all]
        try:
            for attempt in asyncio.as_completed(attempts, timeout=seconds):
                server = await attempt
                if server is not None:
                    return server
        except TimeoutError:
            pass  # nobody refused the connection, but nobody took it, either
        finally:
            for waiting in attempts:
                waiting.cancel()
        raise ProblemError("RULES_UNAVAILABLE")

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games that have a route."""
        return tuple(self._by_game)

    def serves(self, game: str) -> bool:
        """Return whether a game has a route."""
        return game in self._by_game

    def of_game(self, game: str) -> RulesServer:
        """Return the server of a game. Raises ProblemError RULES_UNAVAILABLE if this gateway has no route to it."""
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
    method: Method[Asked, Reply],
    request: Asked,
    *,
    seconds: float,
    metadata: tuple[tuple[str, str], ...] = (),
    conditional: bool = False,
    in_query: bool = False,
) -> Reply:
    """Make a unary call with a deadline. Raises ProblemError if it is refused.

    Without `metadata`, it carries the ids of the current request. `conditional` and `in_query` describe the caller's request,
    as in `refusals.refused`.
    """
    try:
        return await method(request, timeout=seconds, metadata=metadata or metadata_of_current())
    except grpc.aio.AioRpcError as error:
        raise refused_call(error, conditional=conditional, in_query=in_query) from None


async def call_any(
    methods: Iterable[Method[Asked, Reply]],
    request: Asked,
    *,
    seconds: float,
    metadata: tuple[tuple[str, str], ...] = (),
) -> Reply:
    """Make a unary call that all servers answer in the same way; if one cannot be reached or is late, the next one is called.

    So the call may be carried out twice. What works only once is sent to the server that `RulesServers.reachable` finds.
    """
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
