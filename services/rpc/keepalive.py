"""How often clients may ping, and how this server finds out that one has vanished. The same for every gRPC port."""

from __future__ import annotations

from typing import Final

CLIENTS_MAY_PING_EVERY_SECONDS: Final = 10
"""What the documentation promises. Load balancers drop idle connections after a minute or less, so clients of streams ping."""
_LEAST_MS: Final = CLIENTS_MAY_PING_EVERY_SECONDS * 1_000 // 2
"""What is enforced: pings that were late on the way are followed by others too soon. Three pings that come sooner, with
nothing sent in between, end the connection: GOAWAY `too_many_pings`."""

KEEPALIVE: Final = (
    ("grpc.http2.min_ping_interval_without_data_ms", _LEAST_MS),
    ("grpc.keepalive_permit_without_calls", 1),  # otherwise a client without calls may ping every two hours
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),  # for a peer that has vanished without closing the connection
)
