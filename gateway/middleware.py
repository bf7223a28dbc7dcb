"""Ids, one log line and metrics for every request, and the handler of last resort for unexpected errors.

It is a plain ASGI middleware, so that it does not cost the time that the hot operations save.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache
from typing import Final

import structlog
from prometheus_client import Counter, Histogram
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.access.admission import limit_headers
from gateway.headers import HeaderLine, for_caches, headers_of
from gateway.http.languages import language_headers
from gateway.problems.document import ProblemError, problem_response
from gateway.telemetry.metrics import LATENCY, REQUESTS
from gateway.telemetry.tracing import SCOPE_KEY, Trace, begin, read_trace
from services.process.structured_logs import without_message

QUIET_ROUTES: Final = frozenset({"/livez", "/readyz", "/startupz"})
"""Probes call these every few seconds, so they are logged at debug level."""
CLIENT_CLOSED_REQUEST: Final = 499
"""Only in logs and metrics: the client disconnected before the response."""

_log = structlog.get_logger("gateway.requests")


class Observability:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        trace = scope[SCOPE_KEY] = read_trace(headers_of(scope))
        begin(trace)
        status = 0

        async def send_with_ids(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = headers_of_every_response(scope, trace, message["headers"])
            await send(message)

        try:
            await self._app(scope, receive, send_with_ids)
        except ClientDisconnect:
            pass  # there is no client to answer
        except Exception as error:
            log_unexpected(scope, trace, error)
            if status:
                raise  # part of the response was sent: the server closes the connection
            await problem_response(ProblemError("INTERNAL"), scope)(scope, receive, send_with_ids)
        finally:
            route = scope.get("route")
            template = "unmatched" if route is None else route.path
            record(scope, template, trace, status or CLIENT_CLOSED_REQUEST, time.perf_counter() - begun)


def headers_of_every_response(scope: Scope, trace: Trace, headers: Iterable[HeaderLine]) -> list[HeaderLine]:
    """Return the headers of an operation's response with those that depend on the request, its sender and its route."""
    return [
        *for_caches(scope, headers),
        *limit_headers(scope),
        *language_headers(scope),
        (b"x-request-id", trace.request_id.encode("ascii")),
        (b"traceparent", trace.traceparent.encode("ascii")),
    ]


def log_unexpected(scope: Scope, trace: Trace, error: Exception) -> None:
    """Log an error that is answered with INTERNAL."""
    _log.error(
        "unexpected",
        path=scope["path"],
        request_id=trace.request_id,
        trace_id=trace.trace_id,
        **without_message(error),
    )


def record(scope: Scope, template: str, trace: Trace, status: int, seconds: float) -> None:
    """Count and log a request that was answered. `template`: the path of its route."""
    method = scope["method"]
    counter, histogram = _metrics(method if method in _METHODS else "other", template, status)
    counter.inc()
    if STREAMED not in scope:
        histogram.observe(seconds)
    level = _log.debug if template in QUIET_ROUTES else _log.info if status < 500 else _log.error
    level(
        "request",
        method=method,
        path=scope["path"],
        status=status,
        ms=round(seconds * 1000, 2),
        match_id=trace.match_id,
        version=trace.version,
        reason=trace.reason,
        request_id=trace.request_id,
        trace_id=trace.trace_id,
    )


STREAMED: Final = "foldtable.streamed"
"""Set in the scope of a request that was answered with an event stream."""

_METHODS: Final = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"})
"""All other methods share one label value."""


@cache
def _metrics(method: str, template: str, status: int) -> tuple[Counter, Histogram]:
    """Return the two metrics of a kind of request, cached: the lookup costs more than the counting."""
    return REQUESTS.labels(method, template, status), LATENCY.labels(method, template)
