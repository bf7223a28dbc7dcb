"""The fast path of moves: the plain form of the request, as clients send it move after move.

It does what the operation `makeMove` does, with the same functions, for a caller whose credential is known, and without
parameters in the query. Whatever is wrong with a request, or unusual, is left to the operation, which finds it again.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from contextvars import Context
from typing import Any, Final, TypeAlias

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from gateway.access.auth import Caller
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.error_handlers import response_to
from gateway.headers import headers_of
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.middleware import Compression, is_sent_as_it_is
from gateway.middleware import CLIENT_CLOSED_REQUEST, headers_of_every_response, log_unexpected, record
from gateway.moves.answered_move import HeaderLines, accepted
from gateway.moves.asked_move import AskedMove, read_move
from gateway.problems.document import ProblemError
from gateway.schemas.requests import MoveQuery
from gateway.server.fast_path import Exchange
from gateway.telemetry.metrics import FAST_MOVES
from gateway.telemetry.tracing import SCOPE_KEY, Trace, read_trace, working_for
from gateway.upstream.play import Outcome
from gateway.upstream.refusals import refused
from services.process.caught_errors import log_caught_once

PATH: Final = "/v1/matches/{match_id}/moves"

_TARGET: Final = re.compile(rb"/v1/matches/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/moves")
_START: Final = len("/v1/matches/")
_END: Final = -len("/moves")
_PLAIN: Final = MoveQuery()
_READY: Final = "foldtable.ready"

Ready: TypeAlias = tuple[int, HeaderLines, bytes]
"""Status, headers and body of a response."""


class FastMoves:
    """Serves moves of known callers (`server/fast_path.FastPath`)."""

    gateway: Gateway
    """Set when the application starts."""

    def __init__(self, app: FastAPI, allowance: Allowance, *, allowed_pages: Mapping[str, Any]) -> None:
        """`allowance`: the time for compression. `allowed_pages`: options of CORSMiddleware; empty: there is none."""
        self._app = app
        self._allowance = allowance
        self._has_pages = bool(allowed_pages)
        compressed = Compression(_send_ready, allowance)
        self._middleware = CORSMiddleware(compressed, **allowed_pages) if allowed_pages else compressed
        self._route = next(route for route in app.routes if getattr(route, "operation_id", "") == "makeMove")
        """Of the operation: its responses vary by the same headers."""
        self._in_middleware: set[asyncio.Task[None]] = set()

    def takes(self, method: bytes, target: bytes) -> bool:
        """Return whether such a request may be served here."""
        return method == b"POST" and _TARGET.fullmatch(target) is not None

    def begin(self, exchange: Exchange) -> bool:
        """Send a move to its rules server. Return False if the operation must serve the request."""
        begun = time.perf_counter()
        scope = exchange.scope
        headers = headers_of(scope)
        gateway = self.gateway
        path = exchange.target.decode("ascii")
        scope.update(method="POST", path=path, query_string=b"", app=self._app, route=self._route)
        request = Request(scope)
        trace = scope[SCOPE_KEY] = read_trace(headers)
        trace.match_id = match = path[_START:_END]
        try:
            caller = gateway.authenticator.caller(request)
            move = read_move(request, match, _PLAIN, exchange.body)
            server = gateway.directory.known_server_of(match, caller)
            if server is None or not gateway.admission.admit_known(request, caller, Bucket.MOVES):
                return False
        except ProblemError:
            return False  # the operation meets it again, and answers it
        except Exception as error:  # noqa: BLE001 - the operation meets it again, or serves the request; it is logged
            log_caught_once("beginning of a move", error)
            return False

        FAST_MOVES.inc()

        def answered(outcome: Outcome) -> None:
            self._answer(exchange, request, trace, move, outcome, begun)

        try:
            server.play.of(match).send(
                move.act,
                caller.authorization,
                trace,
                answered,
                seconds=gateway.settings.move_deadline_seconds,
            )
        except ProblemError as problem:
            answered(problem)
        except Exception as error:  # noqa: BLE001 - it was not sent, and is answered as an error of ours; it is logged
            log_unexpected(scope, trace, error)
            answered(ProblemError("INTERNAL"))
        return True

    def _answer(
        self,
        exchange: Exchange,
        request: Request,
        trace: Trace,
        move: AskedMove,
        outcome: Outcome,
        begun: float,
    ) -> None:
        """Send the response. Like the middleware, it logs an unexpected error and answers it; or closes the connection.

        It raises nothing, and leaves no client waiting.
        """
        scope = exchange.scope
        try:
            caller = self.gateway.authenticator.caller(request)
            status, headers, body = _response(outcome, request, trace, caller, move)
        except Exception as error:  # noqa: BLE001 - the handler of last resort, as in middleware.py
            log_unexpected(scope, trace, error)
            status, headers, body = _of_problem(ProblemError("INTERNAL"), request)
        try:
            self._send(exchange, request, trace, (status, headers, body), begun)
        except Exception as error:  # noqa: BLE001 - as above
            log_unexpected(scope, trace, error)
            exchange.abandon()

    def _send(
        self, exchange: Exchange, request: Request, trace: Trace, response: Ready, begun: float
    ) -> None:
        scope = exchange.scope
        status, headers, body = response
        self.gateway.admission.learn(request, status)
        is_read_by_a_page = self._has_pages and b"origin" in headers_of(scope)
        if is_read_by_a_page or not is_sent_as_it_is(scope, body, self._allowance):
            sending = self._send_by_middleware(exchange, trace, response, begun)
            task = asyncio.get_running_loop().create_task(sending, context=Context())
            self._in_middleware.add(task)
            task.add_done_callback(self._in_middleware.discard)
        else:
            self._finish(exchange, trace, status, headers, body, begun)

    async def _send_by_middleware(
        self, exchange: Exchange, trace: Trace, response: Ready, begun: float
    ) -> None:
        """Send a response through the middleware of the application: it may be compressed, or be read by another origin."""
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        exchange.scope[_READY] = response
        try:
            await self._middleware(exchange.scope, _nothing_more, keep)
            start, *parts = sent
            body = b"".join(part["body"] for part in parts)
            self._finish(exchange, trace, start["status"], start["headers"], body, begun)
        except Exception as error:  # noqa: BLE001 - its client must not wait for ever; it is logged
            log_unexpected(exchange.scope, trace, error)
            exchange.abandon()

    @staticmethod
    def _finish(
        exchange: Exchange, trace: Trace, status: int, headers: HeaderLines, body: bytes, begun: float
    ) -> None:
        headers = headers_of_every_response(exchange.scope, trace, headers)
        shown = CLIENT_CLOSED_REQUEST if exchange.disconnected else status
        record(exchange.scope, PATH, trace, shown, time.perf_counter() - begun)
        exchange.respond(status, headers, body)


def _response(outcome: Outcome, request: Request, trace: Trace, caller: Caller, move: AskedMove) -> Ready:
    """Return the response to what became of a move."""
    if isinstance(outcome, ProblemError):
        return _of_problem(outcome, request)
    if outcome.WhichOneof("result") == "accepted":
        return 200, *accepted(outcome.accepted, trace, caller)
    with working_for(trace):
        return _of_problem(refused(outcome.refused, conditional=move.conditional), request)


def _of_problem(problem: ProblemError, request: Request) -> Ready:
    response = response_to(problem, request.scope)
    return response.status_code, response.raw_headers, bytes(response.body)


async def _send_ready(scope: Scope, _receive: Receive, send: Send) -> None:
    status, headers, body = scope[_READY]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _nothing_more() -> Message:
    return {"type": "http.disconnect"}
