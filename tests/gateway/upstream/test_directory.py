"""Finding the rules server of a match, and the games, among several servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from foldtable.matches.v1 import match_pb2
from gateway.access.auth import Caller, MatchClaims
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import Trace
from gateway.upstream.directory import Directory
from gateway.upstream.rules import RulesServers
from tests.gateway.small_server import SmallServer

NOBODY = "127.0.0.1:1"
KEY = Caller("Bearer ft_test_key", None)


@pytest.fixture
async def servers(server: SmallServer) -> AsyncIterator[RulesServers]:
    """Two games at two addresses; the first one is down."""
    both = RulesServers({"orchard": NOBODY, "harbour": f"127.0.0.1:{server.port}"}, max_open_moves=1)
    yield both
    await both.close()


@pytest.fixture
def directory(servers: RulesServers) -> Directory:
    return Directory(servers, seconds=2)


def trace() -> Trace:
    return Trace("turn-42", "4bf92f3577b34da6a3ce929d0e0e4736", "01")


async def test_a_match_is_found_although_another_games_server_is_down(
    directory: Directory, servers: RulesServers
) -> None:
    assert await directory.server_of("m", KEY, trace()) is servers.of_game("harbour")


async def test_a_server_known_to_be_down_is_asked_last(directory: Directory, server: SmallServer) -> None:
    """Else every new match would wait for its retries."""
    await directory.server_of("first", KEY, trace())
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await directory.server_of("second", KEY, trace())
    assert loop.time() - begun < 0.1
    assert len(server.metadata) == 2


async def test_it_is_asked_for_once(directory: Directory, server: SmallServer) -> None:
    for _ in range(3):
        await directory.server_of("m", KEY, trace())
    assert len(server.metadata) == 1


async def test_a_refused_caller_is_not_remembered(directory: Directory, server: SmallServer) -> None:
    server.get_refusal = grpc.StatusCode.UNAUTHENTICATED
    for _ in range(2):
        with pytest.raises(ProblemError) as refused:
            await directory.server_of("m", KEY, trace())
        assert refused.value.status == 401
    assert len(server.metadata) == 2


async def test_a_seat_token_says_its_game_itself(
    directory: Directory, server: SmallServer, servers: RulesServers
) -> None:
    claims = MatchClaims(mid="m", game="harbour", seat=0, gen=0, exp=0)
    assert await directory.server_of("m", Caller("Bearer eyJ", claims), trace()) is servers.of_game("harbour")
    assert server.metadata == []


async def test_a_game_without_a_route_is_unavailable(directory: Directory) -> None:
    claims = MatchClaims(mid="m", game="chess", seat=0, gen=0, exp=0)
    with pytest.raises(ProblemError) as refused:
        await directory.server_of("m", Caller("Bearer eyJ", claims), trace())
    assert refused.value.reason.name == "RULES_UNAVAILABLE"


async def test_the_credential_and_the_ids_go_along(directory: Directory, server: SmallServer) -> None:
    asked = trace()
    await directory.find("m", KEY, asked)
    (metadata,) = server.metadata
    assert metadata["authorization"] == "Bearer ft_test_key"
    assert metadata["x-request-id"] == "turn-42"
    assert metadata["traceparent"] == f"00-4bf92f3577b34da6a3ce929d0e0e4736-{asked.span_id}-01"


async def test_what_is_remembered_is_bounded(directory: Directory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.upstream.directory.REMEMBERED_MATCHES", 2)
    for number in range(5):
        directory.remember(KEY, match_pb2.Match(match_id=str(number), game="harbour"))
    assert [match_id for _, match_id in directory._games] == ["3", "4"]


async def test_what_one_caller_was_told_is_not_held_for_another(
    directory: Directory, servers: RulesServers, server: SmallServer
) -> None:
    """Two tenants may have imported two matches of one id, of two games."""
    directory.remember(KEY, match_pb2.Match(match_id="m", game="orchard"))
    assert await directory.server_of("m", KEY, trace()) is servers.of_game("orchard")
    other = Caller("Bearer ft_test_other", None)
    assert await directory.server_of("m", other, trace()) is servers.of_game("harbour")
    assert len(server.metadata) == 1


async def test_games_at_one_address_share_a_channel() -> None:
    shared = RulesServers({"orchard": NOBODY, "harbour": NOBODY}, max_open_moves=1)
    assert shared.of_game("orchard") is shared.of_game("harbour")
    assert len(shared.all) == 1
    await shared.close()
