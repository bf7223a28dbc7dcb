"""Bytes that are no message are refused as anything malformed, unary or in the middle of a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from foldtable.matches.v1 import play_pb2
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest, GetMatchResponse
from foldtable.matches.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)
from services.rpc.server import RpcServer
from services.rpc.settings import RpcSettings

SERVICE = "foldtable.matches.v1.MatchService"
NO_MESSAGE = b"\x0a\xff\xff\xff\xff\x0f"


class Echo(MatchServiceServicer):
    """Says the match's id again."""

    async def GetMatch(self, request: GetMatchRequest, context: object) -> GetMatchResponse:  # noqa: N802 - the contract's name
        return GetMatchResponse(match={"match_id": request.match_id})

    async def Play(  # noqa: N802 - as above
        self, requests: AsyncIterator[play_pb2.PlayRequest], context: object
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        async for request in requests:
            yield play_pb2.PlayResponse(replies=[{"call_id": call.call_id} for call in request.calls])


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    settings = RpcSettings(listen="127.0.0.1:0", database_url="unused", reflection=False, drain_seconds=0)
    server = RpcServer(settings, [SERVICE])
    add_MatchServiceServicer_to_server(Echo(), server.grpc)
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        yield channel
    await server.stop()


def must_be_malformed(error: grpc.aio.AioRpcError) -> None:
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    (raw,) = [value for name, value in error.trailing_metadata() if name == "grpc-status-details-bin"]
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status_pb2.Status.FromString(raw).details)
    assert info.reason == "MALFORMED_REQUEST"


async def test_a_call_with_bytes_that_are_no_message(channel: grpc.aio.Channel) -> None:
    call = channel.unary_unary(f"/{SERVICE}/GetMatch")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call(NO_MESSAGE)
    must_be_malformed(refused.value)
    assert b"m1" in await call(GetMatchRequest(match_id="m1").SerializeToString())


async def test_a_stream_with_bytes_that_are_no_message(channel: grpc.aio.Channel) -> None:
    """What came before them was answered."""
    stream = channel.stream_stream(f"/{SERVICE}/Play")()
    await stream.write(play_pb2.PlayRequest(calls=[{"call_id": 7}]).SerializeToString())
    assert play_pb2.PlayResponse.FromString(await stream.read()).replies[0].call_id == 7
    await stream.write(NO_MESSAGE)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stream.read()
    must_be_malformed(refused.value)


async def test_a_message_that_is_too_large(channel: grpc.aio.Channel) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await channel.unary_unary(f"/{SERVICE}/GetMatch")(bytes(5 * 1024 * 1024))
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
