"""A rules server over a real socket and a real Postgres, and a client that speaks to it as a platform would.

For tests; imported by their conftest.py and by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import grpc
import msgspec
import pytest
from google.rpc import error_details_pb2, status_pb2

from engine.registry import GAMES
from foldtable.matches.v1 import history_pb2, match_pb2, match_service_pb2, match_service_pb2_grpc, play_pb2
from foldtable.rules.v1 import payload_pb2, rules_service_pb2_grpc, table_pb2
from services.identity.api_keys import ApiKey
from services.identity.match_tokens import MatchTokens
from services.movelog.export.signature import ExportSigner
from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseSettings
from services.rules.players import Players
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from tests.support.in_time import in_time

BOTH = frozenset({"matches:read", "matches:write"})
KEYS = {
    presented: ApiKey(
        id=UUID(int=number), tenant=tenant, prefix="ft_test", scopes=scopes, created_at=datetime.now(UTC)
    )
    for number, (presented, tenant, scopes) in enumerate(
        (
            ("ft_test_one", "one", BOTH),
            ("ft_test_two", "two", BOTH),
            ("ft_test_one_looks", "one", frozenset({"matches:read"})),
            ("ft_test_one_other", "one", frozenset({"webhooks:write"})),
        )
    )
}


class FixedKeys:
    """Two tenants with a key each; the real ring has tests of its own."""

    async def lookup(self, presented: str, *, fresh: bool = False) -> ApiKey | None:
        return KEYS.get(presented)


@dataclass
class Refusal:
    """A failed call, taken apart."""

    code: grpc.StatusCode
    message: str
    info: error_details_pb2.ErrorInfo
    fields: list[str] = field(default_factory=list)
    rule: table_pb2.Refusal | None = None
    standing: play_pb2.Standing | None = None

    @classmethod
    def of(cls, error: grpc.aio.AioRpcError) -> Refusal:
        (raw,) = [v for k, v in error.trailing_metadata() if k == "grpc-status-details-bin"]
        return cls.of_status(status_pb2.Status.FromString(raw), error.code())

    @classmethod
    def of_status(cls, status: status_pb2.Status, code: grpc.StatusCode) -> Refusal:
        infos = _details(status, error_details_pb2.ErrorInfo)
        assert len(infos) == 1, "AIP-193: exactly one ErrorInfo"
        bad = _details(status, error_details_pb2.BadRequest)
        rules = _details(status, table_pb2.Refusal)
        standings = _details(status, play_pb2.Standing)
        return cls(
            code=code,
            message=status.message,
            info=infos[0],
            fields=[violation.field for one in bad for violation in one.field_violations],
            rule=rules[0] if rules else None,
            standing=standings[0] if standings else None,
        )

    @property
    def reason(self) -> str:
        return self.info.reason


def _as_error(status: status_pb2.Status) -> grpc.aio.AioRpcError:
    """Return the error that a call ends with which is refused by this status."""
    (code,) = [code for code in grpc.StatusCode if code.value[0] == status.code]
    details = grpc.aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), details, details=status.message)


def _details(status: status_pb2.Status, kind: Any) -> list[Any]:
    found = []
    for detail in status.details:
        if detail.Is(kind.DESCRIPTOR):
            message = kind()
            detail.Unpack(message)
            found.append(message)
    return found


class Player:
    """Speaks MatchService with one credential. Its moves travel as those of a gateway do, over `Play`."""

    def __init__(self, address: str, credential: str | None, *, unary: bool = False) -> None:
        """`unary`: its moves are calls of `Act`, as those of platforms that call themselves."""
        self.unary = unary
        self.channel = grpc.aio.insecure_channel(address)
        self.matches = match_service_pb2_grpc.MatchServiceStub(self.channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(self.channel)
        self.metadata = [("authorization", f"Bearer {credential}")] if credential else []

    async def call(self, method: str, request: Any) -> Any:
        if method == "Act" and not self.unary:
            return await self._play(request)
        return await getattr(self.matches, method)(request, metadata=self.metadata, timeout=30)

    async def _play(self, request: play_pb2.ActRequest) -> play_pb2.ActResponse:
        """Make a move over a stream; a refusal is raised as that of a call is."""
        stream = self.matches.Play(metadata=self.metadata, timeout=30)
        await stream.write(play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=1, act=request)]))
        await stream.done_writing()
        response = await stream.read()
        if response is grpc.aio.EOF:
            raise AssertionError("the stream has ended without a reply")
        (reply,) = response.replies
        assert await stream.read() is grpc.aio.EOF, "one reply, and no more"
        if reply.HasField("accepted"):
            return reply.accepted
        raise _as_error(reply.refused)

    async def refused(self, method: str, request: Any) -> Refusal:
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await self.call(method, request)
        return Refusal.of(failure.value)

    async def create(
        self, seats: int = 2, *, game: str = "river_dragons", **more: Any
    ) -> match_service_pb2.CreateMatchResponse:
        request = match_service_pb2.CreateMatchRequest(game=game, seats=seats, **more)
        return await self.call("CreateMatch", request)

    async def legal(
        self, match_id: str, *, seat: int | None = None, samples: int = 0
    ) -> match_service_pb2.GetLegalActionsResponse:
        return await self.call(
            "GetLegalActions",
            match_service_pb2.GetLegalActionsRequest(match_id=match_id, seat=seat, samples=samples),
        )

    async def any_move(self, match_id: str, seat: int, request_id: str = "") -> play_pb2.ActResponse:
        """Make any legal move for a seat, as a random bot would."""
        legal = await self.legal(match_id, seat=seat, samples=1)
        (action,) = msgspec.json.decode(legal.samples.json)
        return await self.call("Act", act(match_id, action, legal.version, seat=seat, request_id=request_id))

    async def get(self, match_id: str) -> match_pb2.Match:
        return (await self.call("GetMatch", match_service_pb2.GetMatchRequest(match_id=match_id))).match

    async def view(self, match_id: str, **more: Any) -> match_service_pb2.GetViewResponse:
        return await self.call("GetView", match_service_pb2.GetViewRequest(match_id=match_id, **more))

    async def moves(self, match_id: str, **more: Any) -> match_service_pb2.ListMovesResponse:
        return await self.call("ListMoves", match_service_pb2.ListMovesRequest(match_id=match_id, **more))

    async def import_document(self, document: bytes) -> history_pb2.ImportMatchResponse:
        """Send a document in two parts."""
        half = len(document) // 2
        parts = [history_pb2.ImportMatchRequest(chunk=part) for part in (document[:half], document[half:])]
        return await self.matches.ImportMatch(iter(parts), metadata=self.metadata, timeout=30)

    async def play_to_the_end(self, match_id: str) -> match_pb2.Match:
        while (match := await self.get(match_id)).to_act:
            await self.any_move(match_id, match.to_act[0])
        return match


def act(match_id: str, action: Any, version: int | None, **more: Any) -> play_pb2.ActRequest:
    raw = action if isinstance(action, bytes) else msgspec.json.encode(action)
    return play_pb2.ActRequest(
        match_id=match_id, action=payload_pb2.Payload(json=raw), expected_version=version, **more
    )


def program(*cards: str) -> dict[str, Any]:
    return {"type": "submit_program", "cards": list(cards)}


FIVE_CARDS = ("stone1", "stone2", "plank1", "move1", "jump")


@dataclass
class Stack:
    """One rules server on a log, and the means to start another on the same log."""

    database_url: str
    tokens: MatchTokens
    keys: Callable[[PostgresLog], Any] = lambda _: FixedKeys()
    """The API keys that are known."""
    exports: ExportSigner | None = None
    """What signs exports; None: they are not signed."""
    remember: bool = True
    """Whether what is known of players is cached, as in earnest; without, what a test revokes is revoked at once."""
    settings: dict[str, Any] = field(default_factory=dict)
    """More settings of its servers."""
    address: str = ""
    players: list[Player] = field(default_factory=list)
    servers: list[RulesServer] = field(default_factory=list)
    logs: list[PostgresLog] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    async def serve(self) -> str:
        """Start a rules server; several on one database are several replicas."""
        log = await PostgresLog.open(DatabaseSettings(self.database_url, pool_seconds=20))
        self.logs.append(log)
        settings = RulesSettings(
            games=tuple(GAMES),
            listen="127.0.0.1:0",
            database_url=self.database_url,
            token_private_key_file="unused",
            drain_seconds=1,
            **self.settings,
        )
        server = RulesServer(
            settings,
            log,
            self.keys(log),
            self.tokens,
            self.exports,
            players=Players.on(log.pool, remember=self.remember),
        )
        self.servers.append(server)
        self.addresses.append(await server.start())
        return self.addresses[-1]

    def player(
        self, credential: str | None = "ft_test_one", *, address: str = "", unary: bool = False
    ) -> Player:
        player = Player(address or self.address, credential, unary=unary)
        self.players.append(player)
        return player

    async def seated(
        self,
        created: match_service_pb2.CreateMatchResponse,
        seat: int = 0,
        *,
        address: str = "",
        unary: bool = False,
    ) -> Player:
        """A player with the token of a seat, who has looked at the table, as clients do before they move."""
        player = self.player(created.tokens[seat].token, address=address, unary=unary)
        await player.view(created.match.match_id)
        return player

    async def close(self) -> None:
        for player in self.players:
            async with in_time("closing a channel"):
                await player.channel.close()
        for server in self.servers:
            async with in_time("stopping a rules server"):
                await server.stop()
        for log in self.logs:
            async with in_time("closing a log"):
                await log.close()
