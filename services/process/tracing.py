"""Which request a piece of work is done for: the ids that come with a call and stand in every log line about it.

Who calls sends W3C `traceparent` and `x-request-id`: as metadata of a call, or, where many requests share one stream, in
the message. Neither has anything to do with the request id of a move, by which a repeat is known.

The ids are read when a line is logged and not before: most requests are never logged here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

TRACEPARENT: Final = "traceparent"
REQUEST_ID: Final = "x-request-id"

_TRACEPARENT: Final = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_NO_TRACE: Final = "0" * 32
_NO_SPAN: Final = "0" * 16


class Trace:
    """The ids of one request, as they were sent. An unusable `traceparent` counts as none, and a trace begins here."""

    __slots__ = ("_request_id", "_trace_id", "_traceparent")

    def __init__(self, traceparent: str = "", request_id: str = "") -> None:
        self._traceparent = traceparent
        self._request_id = request_id
        self._trace_id = ""

    @property
    def trace_id(self) -> str:
        """The trace's id, 32 hexadecimal digits."""
        if not self._trace_id:
            found = _TRACEPARENT.fullmatch(self._traceparent)
            if found is None or found[1] == _NO_TRACE or found[2] == _NO_SPAN:
                self._trace_id = f"{random.getrandbits(128):032x}"
            else:
                self._trace_id = found[1]
        return self._trace_id

    @property
    def request_id(self) -> str | None:
        """What `x-request-id` said; None for nothing, or for what no log should repeat."""
        return self._request_id if _REQUEST_ID.fullmatch(self._request_id) else None

    @property
    def headers(self) -> dict[str, str]:
        """What the next process is sent, as the child of a span of ours (W3C Trace Context §3.2)."""
        headers = {TRACEPARENT: f"00-{self.trace_id}-{random.getrandbits(64) or 1:016x}-01"}
        if self.request_id is not None:
            headers[REQUEST_ID] = self.request_id
        return headers

    def part(self, traceparent: str, request_id: str) -> Trace:
        """Return the trace of one of the requests that came over a stream of this trace; what it does not say is the stream's."""
        return Trace(traceparent or self._traceparent, request_id or self._request_id)


_CURRENT: Final[ContextVar[Trace | None]] = ContextVar("foldtable_trace", default=None)


def current() -> Trace | None:
    """Return the trace of the request that is being worked on; None for work of nobody's."""
    return _CURRENT.get()


def begin(trace: Trace) -> None:
    """Work for a request from now on, to the end of the task."""
    _CURRENT.set(trace)


def begin_call(metadata: Iterable[tuple[str, Any]] | None) -> None:
    """Work from now on for a call, whose ids are in its metadata."""
    traceparent = request_id = ""
    for name, value in metadata or ():
        if name == TRACEPARENT:
            traceparent = value
        elif name == REQUEST_ID:
            request_id = value
    _CURRENT.set(Trace(traceparent, request_id))


def begin_part(traceparent: str, request_id: str) -> None:
    """Work from now on for one of the requests of a stream."""
    stream = _CURRENT.get()
    if stream is None or (traceparent and request_id):
        _CURRENT.set(Trace(traceparent, request_id))
    else:
        _CURRENT.set(stream.part(traceparent, request_id))


def part_of_stream(traceparent: str, request_id: str) -> Trace:
    """Return the trace of one of the requests of the stream that is being worked on."""
    stream = _CURRENT.get()
    return Trace(traceparent, request_id) if stream is None else stream.part(traceparent, request_id)


def begin_own() -> None:
    """Work for a request that begins here, with ids of its own."""
    _CURRENT.set(Trace(request_id=f"{random.getrandbits(128):032x}"))


@contextmanager
def working_for(trace: Trace) -> Iterator[None]:
    """Work for a request within the block."""
    token = _CURRENT.set(trace)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def add_trace(_logger: Any, _method: str, event: Any) -> Any:
    """Add the ids of the request that is being worked on to a log line (a processor of structlog)."""
    trace = _CURRENT.get()
    if trace is not None:
        event.setdefault("trace_id", trace.trace_id)
        if (request_id := trace.request_id) is not None:
            event.setdefault("request_id", request_id)
    return event
