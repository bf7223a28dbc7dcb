"""RulesService needs no credential: a few calls at a time, nothing kept of them, and a port of its own if the operator wants."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Refusal, Stack

from foldtable.rules.v1 import payload_pb2
from foldtable.rules.v1 import rules_service_pb2 as pb
from services.identity.match_tokens import MatchTokens
from services.rpc import bounded_calls
from services.rpc.bounded_calls import host_of
from services.rules import server
from services.rules.api.heavy_reads import HeavyBounds
from services.rules.api.rules_servicer import LITTLE_BYTES

FOLD = "/foldtable.rules.v1.RulesService/FoldEvents"
START = pb.StartGameRequest(game="river_dragons", seats=2, luck={"match_secret": bytes(32), "move": 1})
LARGE = pb.FoldEventsRequest(
    game="river_dragons", events=payload_pb2.Payload(json=b"[" + b" " * (LITTLE_BYTES + 1) + b"1]")
)


@pytest.fixture
async def stack(database_url: str) -> AsyncIterator[Stack]:
    """No server yet: the tests settle how it is bounded."""
    stack = Stack(database_url, MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1)))
    yield stack
    await stack.close()


def unread(channel: grpc.aio.Channel) -> Any:
    """Begin to fold events, and send none."""
    return channel.stream_unary(FOLD, request_serializer=pb.FoldEventsRequest.SerializeToString)()


async def test_beyond_a_few_calls_one_is_told_when_to_come_again(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while the calls before it have sent nothing; what they do not send in time is refused."""
    monkeypatch.setattr(server, "BOUNDS", HeavyBounds(at_once=2, of_caller=2, wait_seconds=0.2))
    monkeypatch.setattr(bounded_calls, "READ_SECONDS", 5.0)
    address = await stack.serve()
    player = stack.player(address=address)
    hanging = [unread(player.channel) for _ in range(2)]
    await asyncio.sleep(0.3)

    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await player.rules.StartGame(START, timeout=20)
    refusal = Refusal.of(failure.value)
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.info.metadata["bucket"] == "rules_calls_of_caller"
    assert b"google.rpc.RetryInfo" in dict(failure.value.trailing_metadata() or ())["grpc-status-details-bin"]
    assert (
        await player.rules.ListGames(pb.ListGamesRequest(), timeout=20)
    ).games  # the catalogue is not bounded
    assert (await player.create()).match.match_id

    for call in hanging:
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await call
        assert Refusal.of(failure.value).reason == "MALFORMED_REQUEST"
    assert (await player.rules.StartGame(START, timeout=20)).events.json


@pytest.mark.parametrize("count", [0, 2])
async def test_a_call_has_one_message(stack: Stack, count: int) -> None:
    player = stack.player(address=await stack.serve())
    call = player.channel.stream_unary(FOLD, request_serializer=pb.FoldEventsRequest.SerializeToString)
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await call(iter([LARGE] * count))
    assert Refusal.of(failure.value).reason == "MALFORMED_REQUEST"


async def test_nothing_of_a_refused_call_waits_for_the_garbage_collector(stack: Stack) -> None:
    player = stack.player(address=await stack.serve())
    request = LARGE.SerializeToString()
    gc.collect()
    gc.disable()
    try:
        call = player.channel.unary_unary(FOLD)
        before = sum(isinstance(one, pb.FoldEventsRequest) for one in gc.get_objects())
        for _ in range(5):
            with pytest.raises(grpc.aio.AioRpcError):
                await call(request)
        await asyncio.sleep(0.2)
        assert sum(isinstance(one, pb.FoldEventsRequest) for one in gc.get_objects()) == before
    finally:
        gc.enable()


async def test_large_calls_and_small_ones_are_answered_alike(stack: Stack) -> None:
    """A large one in a thread, when it is its caller's turn."""
    player = stack.player(address=await stack.serve())
    started = await player.rules.StartGame(START, timeout=20)
    padded = started.events.json[:-1] + b" " * LITTLE_BYTES + b"]"
    states = []
    for events in (started.events.json, padded):
        request = pb.FoldEventsRequest(game="river_dragons", events=payload_pb2.Payload(json=events))
        states.append((await player.rules.FoldEvents(request, timeout=20)).state)
    assert states == [started.state] * 2


async def test_a_port_of_its_own(stack: Stack) -> None:
    stack.settings = {"rules_service_listen": "127.0.0.1:0"}
    main = stack.player(address=await stack.serve())
    (running,) = stack.servers
    assert running.rules_service_address.rpartition(":")[2] != "0"
    apart = stack.player(address=running.rules_service_address)

    assert (await apart.rules.StartGame(START, timeout=20)).events.json
    assert (await apart.rules.ListGames(pb.ListGamesRequest(), timeout=20)).games
    assert await unimplemented(main.rules.StartGame(START))
    assert (await main.rules.ListGames(pb.ListGamesRequest(), timeout=20)).games
    assert (await main.create()).match.match_id
    assert await unimplemented(apart.create())  # no match is played there


async def test_switched_off(stack: Stack) -> None:
    stack.settings = {"rules_service_listen": "off"}
    player = stack.player(address=await stack.serve())
    assert stack.servers[0].rules_service_address == ""
    for call, request in (
        ("StartGame", START),
        ("DecideAction", pb.DecideActionRequest()),
        ("FoldEvents", LARGE),
        ("GetLegalActions", pb.GetLegalActionsRequest()),
        ("GetView", pb.GetViewRequest()),
    ):
        assert await unimplemented(getattr(player.rules, call)(request))
    assert (await player.rules.ListGames(pb.ListGamesRequest(), timeout=20)).games
    assert (await player.create()).match.match_id


def test_the_calls_that_compute_and_the_catalogue_are_the_service() -> None:
    """A call that is added is put into one of the two."""
    catalogue = {"ListGames", "DescribeGame", "GetTexts", "ListParagraphs", "GetLayout"}
    computing = {name.rpartition("/")[2] for name in server.COMPUTING}
    service = pb.DESCRIPTOR.services_by_name["RulesService"]
    assert catalogue | computing == {method.name for method in service.methods}


async def unimplemented(call: Any) -> bool:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await call
    return failure.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:192.0.2.1:50412", "ipv4:192.0.2.1"),
        ("ipv6:%5B::1%5D:50412", "ipv6:%5B::1%5D"),
        ("unix:/run/rules.sock", "unix:/run/rules.sock"),
    ],
)
def test_a_caller_is_its_host(peer: str, host: str) -> None:
    assert host_of(peer) == host
