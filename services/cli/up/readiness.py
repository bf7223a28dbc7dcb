"""Readiness of a process, checked as a cluster would check it."""

from __future__ import annotations

from typing import Final

import grpc
import httpx
from grpc_health.v1 import health_pb2, health_pb2_grpc

ASK_SECONDS: Final = 1.0


async def grpc_serves(address: str) -> bool:
    """Return the result of grpc.health.v1 for the whole server."""
    async with grpc.aio.insecure_channel(address) as channel:
        try:
            answer = await health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=ASK_SECONDS
            )
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def http_ready(address: str) -> bool:
    """Return the result of `/readyz`."""
    async with httpx.AsyncClient(timeout=ASK_SECONDS, trust_env=False) as client:
        try:
            answer = await client.get(f"{address}/readyz")
        except httpx.TransportError:
            return False
        return answer.status_code == httpx.codes.OK
