"""Which request a piece of work is done for: the ids that come with a call and stand in every log line about it.

The caller sends W3C `traceparent` and `x-request-id`: as metadata of the call, or, where many requests share one stream, in
each message. Neither is related to the request id of a move, by which a repeated move is recognised.

The ids are parsed only when a line is logged, since most requests are never logged here.
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
    """The ids of one request, as they were sent. If there is no valid `traceparent`, a new trace begins here."""

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
        """The value of `x-request-id`; None if there is none, or if it is not fit for a log."""
        return self._request_id if _REQUEST_ID.fullmatch(self._request_id) else None

    @property
    def headers(self) -> dict[str, str]:
        """The headers for a call to another process; it becomes the child of a new span of ours (W3C Trace Context §3.2)."""
        headers = {TRACEPARENT: f"00-{self.trace_id}-{random.getrandbits(64) or 1:016x}-01"}
        if self.request_id is not None:
            headers[REQUEST_ID] = self.request_id
        return headers

    def part(self, traceparent: str, request_id: str) -> Trace:
        """Return the trace of a request that came over a stream with this trace; an id that it lacks is the stream's."""
        return Trace(traceparent or self._traceparent, request_id or self._request_id)


_CURRENT: Final[ContextVar[Trace | None]] = ContextVar("foldtable_trace", default=None)


def current() -> Trace | None:
    """Return the trace of the request that is being worked on; None if the work is for no request."""
    return _CURRENT.get()


def begin(trace: Trace) -> None:
    """Set the request that this task works for from now on."""
    _CURRENT.set(trace)


def begin_call(metadata: Iterable[tuple[str, Any]] | None) -> None:
    """Set the call that this task works for from now on; its metadata holds the ids."""
    traceparent = request_id = ""
    for name, value in metadata or ():
        if name == TRACEPARENT:
            traceparent = value
        elif name == REQUEST_ID:
            request_id = value
    _CURRENT.set(Trace(traceparent, request_id))


def begin_part(traceparent: str, request_id: str) -> None:
    """Set the request of the present stream that this task works for from now on."""
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
    """Begin a new request, with new ids, that this task works for from now on."""
    _CURRENT.set(Trace(request_id=f"{random.getrandbits(128):032x}"))


@contextmanager
def working_for(trace: Trace) -> Iterator[None]:
    """Set the request that is worked for within the block."""
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
