"""Channels to our services: calls are spread over replicas, failed reads repeated, and lost servers reconnected quickly."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

import grpc

from gateway.upstream.targets import Target
from gateway.upstream.tls import ClientTls

MAX_MESSAGE_BYTES: Final = 64 * 1024 * 1024
"""Exports of long matches are the largest messages."""
KEEPALIVE_MS: Final = 60_000
"""Not more often than servers allow by default (gRPC keepalive guide)."""
MAX_RECONNECT_MS: Final = 1_000
"""gRPC's own default is two minutes; a restarted server should be found within a second."""

_RETRY: Final = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}


def open_channel(
    target: Target, *, service: str, safe_to_repeat: Collection[str], tls: ClientTls | None = None
) -> grpc.aio.Channel:
    """Return an open channel that checks the health of `service` at its replicas; over TLS if `tls` is given.

    Only the methods named, `package.Service/Method`, are retried automatically, and only if no server was reached (AIP-194).
    """
    names = [name.split("/") for name in safe_to_repeat]
    config = {
        "loadBalancingConfig": [{"round_robin": {}}],
        # A draining replica reports it by its health, and gets no new calls.
        "healthCheckConfig": {"serviceName": service},
        "methodConfig": [
            {"name": [{"service": of, "method": method} for of, method in names], "retryPolicy": _RETRY}
        ],
    }
    options = (
        ("grpc.service_config", json.dumps(config)),
        # A connection for each channel: where two share one, the process may crash when the server comes back. In gRPC 1.85, the
        # second can use a health check that the first is still starting (HealthProducer in its core).
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.enable_retries", 1),
        ("grpc.keepalive_time_ms", KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 0),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", MAX_RECONNECT_MS),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    )
    if tls is None:
        return grpc.aio.insecure_channel(target.name, options=options)
    return grpc.aio.secure_channel(target.name, tls.credentials(), options=(*options, *tls.options))
