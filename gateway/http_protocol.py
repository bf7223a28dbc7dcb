"""uvicorn's HTTP/1.1 protocol with bounds on everything a client may do before a route is asked, one write per answer,
and problem documents for what is no HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final, cast

import msgspec
from starlette.requests import ClientDisconnect
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from gateway.corked_transport import CorkedTransport
from gateway.live.connections import DETACH, EventConnection
from gateway.patience import Awaited, Patience, Times
from gateway.problem_documents import MEDIA_TYPE, Problem
from gateway.problems import REASONS

MAX_HEAD_BYTES: Final = 64 * 1024
"""Request line and headers; also what frames a body without being of it: chunk extensions, trailers. The parser itself
would take any number."""
MAX_PIPELINED: Final = 64
"""Requests that wait behind one that is being answered. Those beyond are not answered (RFC 9112 §9.3.2)."""
RETRY_AFTER: Final = b"retry-after: 10\r\n"


class _Unacceptable(Exception):  # noqa: N818 - ends the parsing; never leaves this module
    """The request cannot be taken; what comes after it on the connection cannot either."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """Bounds heads, trailers, pipelines, connections, and how long each of them may take."""

    times: ClassVar = Times()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._most_connections, self.limit_concurrency = (
            self.limit_concurrency,
            None,
        )  # refused here, not there
        self._loose_bytes = 0
        """Received since there was something of a body: a head, or what frames a body."""
        self._in_body = False
        """The head of a request is complete, its body is not."""
        self._answering: RequestResponseCycle | None = None
        self._patience = Patience(self.times, self.loop.time())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin with a connection, or refuse one too many."""
        super().connection_made(cast("asyncio.Transport", CorkedTransport(transport)))
        if self._most_connections is not None and len(self.connections) > self._most_connections:
            self._refuse("TOO_MANY_CONNECTIONS", RETRY_AFTER)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; uvicorn tells the newest request, and we all others that wait or are being answered."""
        for cycle in (self._answering, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)
        self._forget_request()

    def data_received(self, data: bytes) -> None:
        """Take what came over the wire; the bound may be passed by one read at most."""
        self._loose_bytes += len(data)
        super().data_received(data)
        if self._loose_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._give_up("HEAD_TOO_LARGE")

    def lose_patience(self) -> None:
        """End the connection if its client keeps us waiting too long; called once a second."""
        now = self.loop.time()
        transport = cast("CorkedTransport", self.transport)
        if self._patience.is_stalled(transport.sent, transport.unsent, now):
            transport.abort()
        elif self._patience.is_over(now) and not self.pipeline and not transport.is_closing():
            match self._patience.awaited:
                case Awaited.HEAD | Awaited.BODY:
                    self._give_up("TOO_SLOW")
                case _:
                    transport.close()

    # ── heard from the parser ──────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """The first byte of a request is there."""
        super().on_message_begin()
        self._patience.wait_for(Awaited.HEAD, self.loop.time())

    def on_headers_complete(self) -> None:
        """The head is over; what follows is bounded while it is read (bodies.py)."""
        self._check_head()
        self._in_body = True
        super().on_headers_complete()
        self.scope["extensions"] = {DETACH: self._detach}  # type: ignore[dict-item]  # ours
        self._patience.wait_for(Awaited.BODY, self.loop.time())
        if len(self.pipeline) > MAX_PIPELINED:
            raise _Unacceptable

    def on_body(self, body: bytes) -> None:
        """Something of the body is there."""
        self._loose_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The next request may follow on the same connection."""
        self._in_body = False
        self._loose_bytes = 0
        self._await_request(self.cycle)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request was answered, perhaps before all of it was there."""
        if self._in_body and self._answering is self.cycle:
            self._patience.wait_for(Awaited.REST, self.loop.time())
        elif not self._in_body:
            self._await_request(self.cycle)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP request, and close."""
        del msg
        self._give_up("NOT_HTTP")

    def _check_head(self) -> None:
        """Refuse versions that are none of ours, and what names no host or several (RFC 9112 §3.2)."""
        version = self.parser.get_http_version()
        if version == "1.1":
            if sum(name == b"host" for name, _ in self.headers) != 1:
                raise _Unacceptable
        elif version != "1.0":
            raise _Unacceptable

    def _await_request(self, newest: RequestResponseCycle) -> None:
        """Wait for the next request, once the newest one is answered; uvicorn closes idle connections before."""
        awaited = Awaited.NEXT if newest.response_complete else Awaited.NOTHING
        self._patience.wait_for(awaited, self.loop.time())

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Remember which of several pipelined requests is being answered."""
        self._answering = cycle
        if self._in_body and cycle is self.cycle:  # nothing of it was read while it waited for its turn
            self._patience.wait_for(Awaited.BODY, self.loop.time())
        super()._start_asgi_task(cycle, app)

    # ── the end of a connection ────────────────────────────────────────────────────────────────────

    def _detach(self) -> EventConnection:
        """Hand the connection over to an event stream (live/connections.py); nothing of HTTP stays behind it."""
        cycle = self._answering
        transport = cast("CorkedTransport", self.transport).uncork()
        if cycle is None or cycle.disconnected or transport.is_closing():
            raise ClientDisconnect
        cycle.response_complete = True  # so that uvicorn does not miss the end of the answer
        self._unset_keepalive_if_required()
        self.connections.discard(self)
        connection = EventConnection(
            transport, cast("set[asyncio.Protocol]", self.connections), is_full=self.flow.write_paused
        )
        self.flow.resume_reading()  # a client that goes away is noticed by reading
        transport.set_protocol(connection)
        self.parser = None  # type: ignore[assignment]  # as uvicorn does where a connection ends
        self._forget_request()
        return connection

    def _forget_request(self) -> None:
        """Let go of the request; it refers to this connection, so both would wait for the garbage collector."""
        self._answering = None
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]  # as before the first request
        self.scope = None  # type: ignore[assignment]  # as above

    def _give_up(self, name: str) -> None:
        """Say why nothing more is taken from this connection, where an answer is due, and close it.

        Requests that came whole before get their answers first; what is said out of turn would be taken for one.
        """
        answering = self._answering
        if answering is None or answering.response_complete:
            if self._in_body:  # of a request that was answered
                self.transport.close()
            else:
                self._refuse(name)
        elif answering is self.cycle and self._in_body:
            if answering.response_started:
                self.transport.close()
            else:
                self._refuse(name)
        else:
            self._answer_no_more()

    def _answer_no_more(self) -> None:
        """Close once the requests are answered that are here as a whole."""
        if self._in_body and self.pipeline:
            self.pipeline.popleft()
            self._in_body = False
        last = self.pipeline[0][0] if self.pipeline else self._answering
        assert last is not None  # one is being answered
        last.keep_alive = False
        self.cycle = last

    def _refuse(self, name: str, more: bytes = b"") -> None:
        reason = REASONS[name]
        body = msgspec.json.encode(
            Problem(
                type=f"/problems/{name}",
                title=reason.title,
                status=int(reason.status),
                detail=reason.meaning,
                instance="",
                reason=name,
            )
        )
        head = b"content-type: %b\r\ncontent-length: %d\r\n%bconnection: close\r\n\r\n"
        self.transport.write(
            STATUS_LINE[int(reason.status)] + head % (MEDIA_TYPE.encode(), len(body), more) + body
        )
        self.transport.close()


def bounded_http(times: Times) -> type[BoundedHttpProtocol]:
    """Give the protocol with other times; uvicorn takes a class."""
    return type(BoundedHttpProtocol.__name__, (BoundedHttpProtocol,), {"times": times})
