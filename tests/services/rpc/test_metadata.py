"""The headers of a call have a bound, the same at every call."""

from __future__ import annotations

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.rpc.server import MAX_METADATA_BYTES, RpcServer
from services.rpc.settings import RpcSettings

CALLS = 12
"""gRPC itself refuses more than half of its bound now and then, and not at every call."""
_REST = 2 * 1024
"""Bytes for the headers that are always there."""


class Settings(RpcSettings):
    listen: str = "127.0.0.1:0"
    database_url: str = "unused"


@pytest.mark.parametrize(
    ("length", "codes"),
    [(MAX_METADATA_BYTES - _REST, {None}), (MAX_METADATA_BYTES + 1, {grpc.StatusCode.RESOURCE_EXHAUSTED})],
    ids=["within", "beyond"],
)
async def test_metadata_is_taken_up_to_its_bound_and_no_further(
    length: int, codes: set[grpc.StatusCode | None]
) -> None:
    server = RpcServer(Settings(drain_seconds=0), ())
    answers = set()
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        for _ in range(CALLS):
            call = health_pb2_grpc.HealthStub(channel).Check(  # type: ignore[no-untyped-call]
                health_pb2.HealthCheckRequest(), metadata=(("x-long", "a" * length),), timeout=20
            )
            try:
                await call
                answers.add(None)
            except grpc.aio.AioRpcError as failure:
                answers.add(failure.code())
    await server.stop()
    assert answers == codes
