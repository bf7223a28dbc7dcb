"""Metrics for Prometheus. Labels contain route templates, never ids."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

REQUESTS: Final = Counter(
    "foldtable_http_requests", "Requests answered.", labelnames=("method", "route", "status")
)
LATENCY: Final = Histogram(
    "foldtable_http_request_seconds",
    "Time from the first byte in to the last byte out; streams are not counted.",
    labelnames=("method", "route"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
OPEN_STREAMS: Final = Gauge("foldtable_open_streams", "Event streams that are open.")
STREAMS_ENDED: Final = Counter(
    "foldtable_streams_ended", "Event streams ended from this side.", labelnames=("why",)
)
SUBSCRIPTIONS: Final = Gauge(
    "foldtable_follows", "Subscriptions held at the rules servers: one for each subscriber to a match."
)
COMPRESSION_SECONDS: Final = Counter(
    "foldtable_compression_seconds", "Processor time spent on compressing responses."
)
UNCOMPRESSED_BYTES: Final = Counter(
    "foldtable_uncompressed_bytes", "Bytes of responses before they were compressed."
)
COMPRESSED_BYTES: Final = Counter("foldtable_compressed_bytes", "The same after they were compressed.")
HOT_REQUESTS: Final = Counter(
    "foldtable_hot_requests",
    "Requests for hot operations (gateway/hot): from the HTTP protocol itself, or as ASGI middleware.",
    labelnames=("operation", "by"),
)
OPEN_MOVES: Final = Gauge("foldtable_open_moves", "Moves that wait for a rules server.")
MOVES_PER_MESSAGE: Final = Histogram(
    "foldtable_moves_per_message",
    "Moves that travelled together to a rules server.",
    buckets=(1, 2, 4, 8, 16, 32, 64),
)
