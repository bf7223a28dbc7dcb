"""Ids that follow a request through every process: `x-request-id` and W3C `traceparent`.

A caller may send both; what is missing or unusable is made up. Both go on to the rules server as gRPC metadata and
back to the caller as headers.
"""

from __future__ import annotations

import random
import re
from typing import Final

from gateway.headers import Headers

SCOPE_KEY: Final = "foldtable.trace"
"""Where a request's trace stands in its ASGI scope."""

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._~-]{1,64}")
_TRACEPARENT: Final = re.compile(rb"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_NO_TRACE: Final = b"0" * 32
_NO_SPAN: Final = b"0" * 16


class Trace:
    """One request's ids, and what its log line will say of it."""

    __slots__ = ("flags", "match_id", "reason", "request_id", "span_id", "trace_id", "version")

    def __init__(self, request_id: str | None, trace_id: str | None, flags: str) -> None:
        fresh = f"{random.getrandbits(320):080x}"
        self.request_id = request_id or fresh[:32]
        self.trace_id = trace_id or fresh[32:64]
        self.span_id = fresh[64:]
        self.flags = flags
        self.match_id: str | None = None
        self.version: int | None = None
        self.reason: str | None = None

    @property
    def traceparent(self) -> str:
        """The gateway's own span, as the next process sees its parent (W3C Trace Context §3.2)."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"

    def metadata(self, authorization: str | None = None) -> tuple[tuple[str, str], ...]:
        """Give the gRPC metadata of a call made for this request."""
        ids = (("traceparent", self.traceparent), ("x-request-id", self.request_id))
        return ids if authorization is None else (("authorization", authorization), *ids)


def read_trace(headers: Headers) -> Trace:
    """Give the trace of a request; unusable ids count as absent."""
    request_id = headers.get(b"x-request-id", b"")
    parts = _TRACEPARENT.fullmatch(headers.get(b"traceparent", b""))
    trace_id, flags = None, "01"
    if parts is not None and parts[1] != _NO_TRACE and parts[2] != _NO_SPAN:
        trace_id, flags = parts[1].decode("ascii"), parts[3].decode("ascii")
    return Trace(request_id.decode("ascii") if _REQUEST_ID.fullmatch(request_id) else None, trace_id, flags)
