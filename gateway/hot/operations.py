"""Finds hot operations by method and path, and answers them: limits first, then the operation, then what becomes of its errors.

Both ways in which a request can arrive lead to `_answer`. As ASGI middleware it stands within the others, which add headers,
log, compress and speak CORS; for a request that has arrived as a whole, the same functions are called here.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from fastapi import FastAPI
from prometheus_client import Counter
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.error_handlers import response_to
from gateway.headers import headers_of
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.middleware import Compression, is_sent_as_it_is
from gateway.middleware import headers_of_every_response, log_unexpected, record
from gateway.openapi.hot import HotRoute
from gateway.problems.document import ProblemError
from gateway.server.whole_requests import Exchange
from gateway.telemetry.metrics import HOT_REQUESTS
from gateway.telemetry.tracing import SCOPE_KEY, Trace, begin, read_trace

_OF_A_MATCH: Final = re.compile(r"/v1/matches/([^/]+)/([a-z-]+)")
_MATCH: Final = "/v1/matches/{match_id}/"
_READY: Final = "foldtable.ready"


class Hot(NamedTuple):
    """A hot operation, and what counts its requests."""

    route: HotRoute
    by_protocol: Counter
    by_asgi: Counter


class Found(NamedTuple):
    """A hot operation, and what the path of a request names."""

    hot: Hot
    path_params: dict[str, Any]


class HotOperations:
    """Serves hot operations; everything else goes on to the application."""

    gateway: Gateway
    """Set when the application starts."""

    def __init__(
        self,
        app: FastAPI,
        routes: Iterable[HotRoute],
        allowance: Allowance,
        *,
        allowed_pages: Mapping[str, Any],
        trusted_proxies: Sequence[str] = (),
    ) -> None:
        """`allowance`: the time for compression. `allowed_pages`: options of CORSMiddleware; empty: there is none.

        `trusted_proxies` may say whom they forward a request for, as uvicorn lets them for all other requests.
        """
        self._app = app
        self._allowance = allowance
        self._has_pages = bool(allowed_pages)
        compressed = Compression(_send_ready, allowance)
        self._middleware = CORSMiddleware(compressed, **allowed_pages) if allowed_pages else compressed
        self._of_a_match: dict[tuple[str, str], Hot] = {}
        self._by_path: dict[tuple[str, str], Hot] = {}
        for route in routes:
            counters = [HOT_REQUESTS.labels(route.operation_id, by) for by in ("protocol", "asgi")]
            for method in route.allowed:
                if route.path.startswith(_MATCH):
                    self._of_a_match[method, route.path.removeprefix(_MATCH)] = Hot(route, *counters)
                else:
                    assert "{" not in route.path, f"{route.path}: only a match can be named here"
                    self._by_path[method, route.path] = Hot(route, *counters)
        self._forwarded = (
            ProxyHeadersMiddleware(_nothing_else, list(trusted_proxies)) if trusted_proxies else None
        )

    def find(self, method: str, path: str) -> Found | None:
        """Return the hot operation of a request; None if it has none."""
        of_a_match = _OF_A_MATCH.fullmatch(path)
        if of_a_match is None:
            hot = self._by_path.get((method, path))
            return None if hot is None else Found(hot, {})
        hot = self._of_a_match.get((method, of_a_match[2]))
        return None if hot is None else Found(hot, {"match_id": of_a_match[1]})

    # ── requests that arrive in parts: ASGI ────────────────────────────────────────────────────────

    def within(self, app: ASGIApp) -> ASGIApp:
        """Return ASGI middleware that serves hot operations, and gives all other requests to `app`."""

        async def hot_or_else(scope: Scope, receive: Receive, send: Send) -> None:
            found = self.find(scope["method"], scope["path"]) if scope["type"] == "http" else None
            if found is None:
                await app(scope, receive, send)
                return
            route = found.hot.route
            found.hot.by_asgi.inc()
            scope.update(route=route, path_params=found.path_params)
            response = await self._answer(route, Request(scope, receive, send))
            await response(scope, receive, send)

        return hot_or_else

    # ── requests that have arrived as a whole ──────────────────────────────────────────────────────

    def takes(self, method: bytes, target: bytes) -> Found | None:
        """Return the operation, if a request may be served as a whole: its response is one write, and its path is plain."""
        if b"%" in target:
            return None
        found = self.find(method.decode("ascii"), target.partition(b"?")[0].decode("latin-1"))
        return (
            None if found is None or found.hot.route.bucket is Bucket.STREAMS or method == b"HEAD" else found
        )

    def serve(self, exchange: Exchange, found: Found) -> None:
        """Answer a request in a task of its own."""
        exchange.run(self._serve(exchange, found))

    async def _serve(self, exchange: Exchange, found: Found) -> None:
        """Answer a request. It leaves no client waiting: in the worst case, it closes the connection."""
        scope, route = exchange.scope, found.hot.route
        found.hot.by_protocol.inc()
        trace = scope[SCOPE_KEY] = read_trace(headers_of(scope))
        begin(trace)
        path, _, query = exchange.target.partition(b"?")
        scope.update(
            method=exchange.method,
            path=path.decode("latin-1"),
            raw_path=path,
            query_string=query,
            app=self._app,
            route=route,
            path_params=found.path_params,
        )
        status = 500
        try:
            if self._forwarded is not None:
                await self._forwarded(scope, exchange.receive, _unsent)  # type: ignore[arg-type]  # starlette's types
            response = await self._answer(route, Request(scope, exchange.receive))
            status, headers, body = response.status_code, response.raw_headers, bytes(response.body)
            is_read_by_a_page = self._has_pages and b"origin" in headers_of(scope)
            if is_read_by_a_page or not is_sent_as_it_is(scope, body, self._allowance):
                status, headers, body = await self._through_middleware(scope, response)
            exchange.respond(status, headers_of_every_response(scope, trace, headers), body)
        except Exception as error:  # noqa: BLE001 - the handler of last resort, as in middleware.py; it is logged
            log_unexpected(scope, trace, error)
        finally:
            if not exchange.response_complete:  # also where the task is cancelled
                exchange.abandon()
            record(scope, route.path, trace, status, time.perf_counter() - exchange.begun)

    async def _through_middleware(
        self, scope: Scope, response: Response
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Return a response as the middleware sends it: it may be compressed, or be read by a page of another origin."""
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        scope[_READY] = response
        await self._middleware(scope, _nothing_more, keep)
        start, *parts = sent
        return start["status"], start["headers"], b"".join(part["body"] for part in parts)

    async def _answer(self, route: HotRoute, request: Request) -> Response:
        """Return the response: that of the operation within its limit, or a problem document."""
        admission = self.gateway.admission
        try:
            admission.admit(request, route.counted)
            try:
                response = await route.operation(request)
            except ProblemError as problem:
                admission.learn(request, problem.status)
                raise
            admission.learn(request, response.status_code)
        except ProblemError as problem:
            return response_to(problem, request.scope)
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - the handler of last resort, as in middleware.py; it is logged
            trace: Trace = request.scope[SCOPE_KEY]
            log_unexpected(request.scope, trace, error)
            return response_to(ProblemError("INTERNAL"), request.scope)
        return response


async def _send_ready(scope: Scope, receive: Receive, send: Send) -> None:
    response: Response = scope[_READY]
    await response(scope, receive, send)


async def _nothing_more() -> Message:
    return {"type": "http.disconnect"}


async def _nothing_else(_scope: Any, _receive: Any, _send: Any) -> None:
    """End what uvicorn's middleware calls, when it has changed the scope."""


async def _unsent(_message: Message) -> None:
    raise AssertionError("nothing is sent before there is a response")
