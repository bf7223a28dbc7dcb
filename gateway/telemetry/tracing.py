"""Ids that follow a request through every process: `x-request-id` and W3C `traceparent`.

A caller may send both; a missing or unusable id is replaced by a new one. Both are forwarded to the rules server, as gRPC
metadata or in a message of a stream that many requests share, and returned to the caller as headers. Every log line of the
request contains them. Neither is related to the request id of a move, which identifies repeated requests.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from gateway.headers import Headers

SCOPE_KEY: Final = "foldtable.trace"
"""Key of the ASGI scope under which a request's trace is kept."""

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._~-]{1,64}")
_TRACEPARENT: Final = re.compile(rb"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_NO_TRACE: Final = b"0" * 32
_NO_SPAN: Final = b"0" * 16


class Trace:
    """One request's ids, and the facts for its log line."""

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
        """The gateway's span, which is the parent for the next process (W3C Trace Context §3.2)."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"

    def metadata(self, authorization: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the gRPC metadata of a call made for this request."""
        ids = (("traceparent", self.traceparent), ("x-request-id", self.request_id))
        return (("authorization", authorization), *ids) if authorization else ids


def read_trace(headers: Headers) -> Trace:
    """Return the trace of a request; unusable ids count as absent."""
    request_id = headers.get(b"x-request-id", b"")
    parts = _TRACEPARENT.fullmatch(headers.get(b"traceparent", b""))
    trace_id, flags = None, "01"
    if parts is not None and parts[1] != _NO_TRACE and parts[2] != _NO_SPAN:
        trace_id, flags = parts[1].decode("ascii"), parts[3].decode("ascii")
    return Trace(request_id.decode("ascii") if _REQUEST_ID.fullmatch(request_id) else None, trace_id, flags)


# ── the request that is being worked on ────────────────────────────────────────────────────────────────

_CURRENT: Final[ContextVar[Trace | None]] = ContextVar("foldtable_trace", default=None)


def current() -> Trace | None:
    """Return the trace of the current request; None for work without a request, such as a shared stream's."""
    return _CURRENT.get()


def begin(trace: Trace) -> None:
    """Make a request the current one until the end of the task."""
    _CURRENT.set(trace)


@contextmanager
def working_for(trace: Trace | None) -> Iterator[None]:
    """Make a request the current one within the block."""
    token = _CURRENT.set(trace)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def metadata_of_current(authorization: str | None = None) -> tuple[tuple[str, str], ...]:
    """Return the gRPC metadata of a call made for the current request, if there is one."""
    trace = _CURRENT.get()
    if trace is not None:
        return trace.metadata(authorization)
    return (("authorization", authorization),) if authorization else ()


def add_trace(_logger: Any, _method: str, event: Any) -> Any:
    """Add the ids of the current request to a log line (a structlog processor)."""
    trace = _CURRENT.get()
    if trace is not None:
        event.setdefault("trace_id", trace.trace_id)
        event.setdefault("request_id", trace.request_id)
    return event
