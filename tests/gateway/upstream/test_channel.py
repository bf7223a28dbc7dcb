"""The gateway's channels to the servers behind it."""

from __future__ import annotations

from typing import Any

import grpc

from gateway.upstream.channel import open_channel
from gateway.upstream.targets import read_target

METHOD = "/any/Call"


class _Peers(grpc.GenericRpcHandler):
    """A server that answers a call with the address of its connection. It says nothing of its health."""

    def service(self, asked: grpc.HandlerCallDetails) -> Any:
        if asked.method != METHOD:
            return None

        async def peer(_: bytes, context: Any) -> bytes:
            return str(context.peer()).encode()

        return grpc.unary_unary_rpc_method_handler(peer)


async def test_no_two_channels_share_a_connection() -> None:
    """Two that did could crash the process, in gRPC's health checks, when the server came back."""
    server = grpc.aio.server(handlers=[_Peers()])
    target = read_target(f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
    await server.start()
    channels = [open_channel(target, service="any", safe_to_repeat=()) for _ in range(3)]
    peers = {await channel.unary_unary(METHOD)(b"", timeout=20) for channel in channels}
    assert len(peers) == len(channels)
    for channel in channels:
        await channel.close()
    await server.stop(None)
