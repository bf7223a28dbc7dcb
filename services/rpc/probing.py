"""Health without TLS, on a separate port, for probes that do not speak TLS, such as those of Kubernetes.

Nothing else is served there, so callers need no credential.
"""

from __future__ import annotations

from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2_grpc

from services.rpc.keepalive import KEEPALIVE

MAX_REQUEST_BYTES: Final = 4_096


class ProbePort:
    """A port that serves only grpc.health.v1."""

    def __init__(self, listen: str, health: Any) -> None:
        """`health` is the servicer of the probed server."""
        self._listen = listen
        options = (("grpc.max_receive_message_length", MAX_REQUEST_BYTES), *KEEPALIVE)
        self._server: Any = grpc.aio.server(options=options)
        health_pb2_grpc.add_HealthServicer_to_server(health, self._server)

    async def start(self) -> str:
        """Start listening; return the address with the actual port. Raises RuntimeError for a port in use."""
        port = self._server.add_insecure_port(self._listen)
        await self._server.start()
        return f"{self._listen.rpartition(':')[0]}:{port}"

    async def stop(self) -> None:
        """Close at once."""
        await self._server.stop(0)
