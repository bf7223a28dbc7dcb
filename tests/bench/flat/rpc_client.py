"""The calls that the benchmark makes straight to the rules server and the platform server, as a tenant."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import grpc

from foldtable.matches.v1 import match_service_pb2, match_service_pb2_grpc, play_pb2
from foldtable.platform.v1 import directory_pb2, platform_service_pb2_grpc
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from tests.bench.prepared_moves import GAME
from tests.support.running_system import System


class RpcClient:
    """Speaks to the servers of one system; closed when its block ends."""

    def __init__(self, system: System) -> None:
        self._metadata = [("authorization", f"Bearer {system.key}")]
        self._channels = [
            grpc.insecure_channel(system.part(name)["address"]) for name in ("rules", "platform")
        ]
        self._matches = match_service_pb2_grpc.MatchServiceStub(self._channels[0])
        self._accounts = platform_service_pb2_grpc.PlatformServiceStub(self._channels[1])

    def create(self, seats: int) -> match_service_pb2.CreateMatchResponse:
        """Create a match that starts at once."""
        request = match_service_pb2.CreateMatchRequest(game=GAME, seats=seats)
        return self._matches.CreateMatch(request, metadata=self._metadata)

    def match(self, match_id: str) -> match_service_pb2.GetMatchResponse:
        """Read a match."""
        return self._matches.GetMatch(
            match_service_pb2.GetMatchRequest(match_id=match_id), metadata=self._metadata
        )

    def act(self, match_id: str, seat: int, version: int, action: bytes) -> play_pb2.ActResponse:
        """Make a move."""
        request = play_pb2.ActRequest(
            match_id=match_id,
            seat=seat,
            expected_version=version,
            action=Payload(json=action),
            form=PAYLOAD_FORM_JSON,
        )
        answer = self._matches.Act(request, metadata=self._metadata)
        if answer.version != version + 1:
            raise RuntimeError(f"version {version + 1} was expected, not {answer}")
        return answer

    def listed(
        self, *, player: str = "", page_token: str = "", size: int = 20
    ) -> directory_pb2.ListMatchesResponse:
        """Read a page of the tenant's matches, of every visibility."""
        request = directory_pb2.ListMatchesRequest(
            player=player, page_token=page_token, page_size=size, visibilities=[1, 2, 3]
        )
        return self._accounts.ListMatches(request, metadata=self._metadata)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for channel in self._channels:
            channel.close()
