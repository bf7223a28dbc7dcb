"""A table serves exactly the calls of its contract, each with its messages, and hands on who calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1 import match_service_pb2_grpc, play_pb2
from services.identity.service_table import WithContext, add_service
from services.rpc.server import RpcServer
from services.rpc.settings import RpcSettings

SERVICE = pb.DESCRIPTOR.services_by_name["MatchService"]


async def version(request: pb.GetMatchRequest, authorization: str | None) -> pb.GetMatchResponse:
    answer = pb.GetMatchResponse()
    answer.match.match_id = f"{request.match_id} for {authorization}"
    return answer


async def watched(
    request: pb.WatchMatchRequest, authorization: str | None, context: Any
) -> AsyncIterator[pb.WatchMatchResponse]:
    await context.send_initial_metadata((("admitted", "yes"),))
    yield pb.WatchMatchResponse()
    yield pb.WatchMatchResponse()


async def play(
    requests: AsyncIterator[play_pb2.PlayRequest], authorization: str | None
) -> AsyncIterator[play_pb2.PlayResponse]:
    async for request in requests:
        yield play_pb2.PlayResponse(
            replies=[play_pb2.PlayReply(call_id=one.call_id) for one in request.calls]
        )


async def nothing(*_: Any) -> None:
    raise AssertionError("nobody calls this")


TABLE: dict[str, Any] = {method.name: nothing for method in SERVICE.methods} | {
    "GetMatch": version,
    "WatchMatch": WithContext(watched),
    "Play": play,
}


@pytest.fixture
async def server() -> AsyncIterator[RpcServer]:
    settings = RpcSettings(listen="127.0.0.1:0", database_url="unused", reflection=False, drain_seconds=0)
    server = RpcServer(settings, [SERVICE.full_name])
    yield server
    await server.stop()


async def test_every_kind_of_call_reaches_its_function_with_the_callers_authorization(
    server: RpcServer,
) -> None:
    add_service(server.grpc, SERVICE, TABLE)
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        me = (("authorization", "Bearer me"),)
        found = await stub.GetMatch(pb.GetMatchRequest(match_id="m"), metadata=me)
        assert found.match.match_id == "m for Bearer me"
        assert (await stub.GetMatch(pb.GetMatchRequest(match_id="m"))).match.match_id == "m for None"
        stream = stub.WatchMatch(pb.WatchMatchRequest(), metadata=me)
        assert ("admitted", "yes") in tuple(await stream.initial_metadata())
        assert len([update async for update in stream]) == 2
        calls = play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=7)])
        (answer,) = [one async for one in stub.Play(iter([calls]))]
        assert [reply.call_id for reply in answer.replies] == [7]


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({name: one for name, one in TABLE.items() if name != "Act"}, "Act"),
        (TABLE | {"Acts": nothing}, "Acts"),
    ],
)
async def test_a_table_with_other_calls_than_the_contract_is_refused(
    server: RpcServer, table: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValueError, match=f"MatchService and its table differ: {named}$"):
        add_service(server.grpc, SERVICE, table)
