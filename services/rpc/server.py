"""The gRPC server of every process: health, reflection, rich errors, a graceful drain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection, reflection_pb2

from services.rpc.answering import Answering
from services.rpc.bounded_calls import Turns
from services.rpc.drain import Drain
from services.rpc.keepalive import KEEPALIVE
from services.rpc.probing import ProbePort
from services.rpc.settings import RpcSettings

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
MAX_METADATA_BYTES: Final = 16 * 1024
"""Most bytes of a call's headers; a credential has at most 2 KiB."""
REFLECTION_V1: Final = "grpc.reflection.v1.ServerReflection"
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.max_concurrent_streams", 10_000),
    # Close connections on which HTTP/2 does not begin (the default is 120 s), and those that are no longer used.
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 5 * 60_000),
    # Close connections now and then, so that clients spread over new replicas.
    ("grpc.max_connection_age_ms", 30 * 60_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
    *KEEPALIVE,
    ("grpc.so_reuseport", 0),  # two servers on one port would be a mistake
)


class RpcServer:
    """A gRPC server. Register servicers on `grpc`, then start it."""

    def __init__(
        self,
        settings: RpcSettings,
        services: Sequence[str],
        *,
        in_turns: Mapping[str, Turns] | None = None,
        closed: Collection[str] = frozenset(),
    ) -> None:
        """`services` are the full names of the services that will be registered, `closed` methods of them that are not served.

        `in_turns` says of which methods only a few calls are read and answered at a time.
        """
        self._settings = settings
        self._services = services
        self._health = HealthServicer()
        self._probes = ProbePort(settings.health_listen, self._health) if settings.health_listen else None
        self.drain = Drain()
        """Streams end by themselves once it begins."""
        answering = Answering(in_turns=in_turns, closed=closed)
        self.called = answering.called
        """Set with the first call, apart from probes."""
        self.grpc: Any = grpc.aio.server(interceptors=[answering], options=_OPTIONS)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)
        if settings.reflection:
            names = (*services, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name)
            _reflect((*names, reflection.SERVICE_NAME), self.grpc)

    async def start(self) -> str:
        """Start listening; return the address with the actual port.

        Raises RuntimeError if the port is taken, TlsUnusable if the certificate cannot be used.
        """
        listen, tls = self._settings.listen, self._settings.tls
        if tls is None:
            port = self.grpc.add_insecure_port(listen)
        else:
            port = self.grpc.add_secure_port(listen, tls.credentials())
        await self.grpc.start()
        if self._probes is not None:
            await self._probes.start()
        for name in ("", *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return f"{listen.rpartition(':')[0]}:{port}"

    async def stop(self) -> None:
        """Report NOT_SERVING, let streams end by themselves, finish pending calls, then close."""
        await self._health.enter_graceful_shutdown()
        self.drain.begin()
        await self.grpc.stop(self._settings.drain_seconds)
        if self._probes is not None:
            await self._probes.stop()


def _reflect(names: Sequence[str], server: Any) -> None:
    """Serve reflection as v1alpha, which the library implements, and as v1, whose messages have the same encoding."""
    reflection.enable_server_reflection(names, server)
    info = grpc.stream_stream_rpc_method_handler(
        reflection.aio.ReflectionServicer(names).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handler = grpc.method_handlers_generic_handler(REFLECTION_V1, {"ServerReflectionInfo": info})
    server.add_generic_rpc_handlers((handler,))
