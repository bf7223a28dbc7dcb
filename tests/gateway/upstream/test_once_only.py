"""What works once is sent to one rules server alone: a code that a slow server used up is not called invalid by another."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import grpc
import pytest
import pytest_asyncio

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.matches.v1.login_code_pb2 import RedeemLoginCodeRequest, RedeemLoginCodeResponse
from gateway.context import Gateway
from gateway.problems.document import ProblemError
from gateway.routes.login_codes import redeem_login_code
from gateway.schemas.sessions import RedeemLoginCodeRequest as Body
from gateway.telemetry.tracing import Trace
from gateway.upstream.rules import RulesServers

CODE = f"lc_{'A' * 43}"


class Codes(match_service_pb2_grpc.MatchServiceServicer):
    """A rules server that uses codes up at once, and answers when it may."""

    def __init__(self) -> None:
        self.used: list[str] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.breaks = False

    async def RedeemLoginCode(self, request: RedeemLoginCodeRequest, context: Any) -> RedeemLoginCodeResponse:  # noqa: N802 - the contract says so
        self.used.append(request.code)
        await self.may_answer.wait()
        if self.breaks:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
        return RedeemLoginCodeResponse()


@asynccontextmanager
async def listening(codes: Codes, address: str) -> AsyncIterator[None]:
    """Have a server listen at an address."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    match_service_pb2_grpc.add_MatchServiceServicer_to_server(codes, server)
    server.add_insecure_port(address)
    await server.start()
    try:
        yield
    finally:
        await server.stop(None)


@pytest.fixture
def addresses() -> list[str]:
    """Two free addresses, the first of which the gateway prefers."""
    taken = [socket.socket() for _ in range(2)]
    for one in taken:
        one.bind(("127.0.0.1", 0))
    named = [f"127.0.0.1:{one.getsockname()[1]}" for one in taken]
    for one in taken:
        one.close()
    return named


@pytest_asyncio.fixture
async def servers(addresses: list[str]) -> AsyncIterator[RulesServers]:
    """What the gateway knows of them."""
    made = RulesServers({"one": addresses[0], "other": addresses[1]}, max_open_moves=10)
    yield made
    await made.close()


async def redeemed(servers: RulesServers, seconds: float = 0.5) -> int:
    """Return the status of the answer; raise its problem."""
    gateway = SimpleNamespace(servers=servers, settings=SimpleNamespace(move_deadline_seconds=seconds))
    answer = await redeem_login_code(cast("Gateway", gateway), Trace(None, None, "01"), Body(code=CODE))
    return answer.status_code


@pytest.mark.parametrize(("breaks", "reason"), [(False, "RULES_TIMEOUT"), (True, "RULES_UNAVAILABLE")])
async def test_a_code_that_was_sent_is_not_sent_to_another_server(
    addresses: list[str], servers: RulesServers, *, breaks: bool, reason: str
) -> None:
    both = [Codes(), Codes()]
    for codes in both:
        codes.breaks = breaks
        if not breaks:
            codes.may_answer.clear()
    async with listening(both[0], addresses[0]), listening(both[1], addresses[1]):
        with pytest.raises(ProblemError) as caught:
            await redeemed(servers)
    assert caught.value.reason.name == reason
    assert [used for codes in both for used in codes.used] == [CODE]


@pytest.mark.parametrize("up", [0, 1])
async def test_a_server_that_cannot_be_reached_is_passed_over(
    addresses: list[str], servers: RulesServers, up: int
) -> None:
    codes = Codes()
    async with listening(codes, addresses[up]):
        assert await redeemed(servers, seconds=5) == 201
    assert codes.used == [CODE]


async def test_with_no_server_at_all_nobody_waits(servers: RulesServers) -> None:
    begun = time.monotonic()
    with pytest.raises(ProblemError) as caught:
        await redeemed(servers, seconds=20)
    assert caught.value.reason.name == "RULES_UNAVAILABLE"
    assert time.monotonic() - begun < 10


async def test_one_that_does_not_answer_at_all_keeps_nobody_from_another(addresses: list[str]) -> None:
    """To the first one can connect, and then it says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        places = {"one": f"127.0.0.1:{silent.getsockname()[1]}", "other": addresses[1]}
        servers = RulesServers(places, max_open_moves=10)
        async with listening(Codes(), addresses[1]):
            assert await redeemed(servers, seconds=3) == 201
        await servers.close()
