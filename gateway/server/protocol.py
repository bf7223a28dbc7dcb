"""uvicorn's HTTP/1.1 protocol with bounds on everything a client can do before a route is called, one write per response,
and problem documents for data that is not HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final, cast

import msgspec
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from starlette.requests import ClientDisconnect
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from gateway.headers import for_caches
from gateway.problems.document import MEDIA_TYPE
from gateway.problems.reasons import REASONS
from gateway.schemas.problem_types import Problem
from gateway.server.deadlines import Awaited, ConnectionDeadlines, Times
from gateway.server.event_connection import DETACH, EventConnection
from gateway.server.request_targets import (
    NOWHERE,
    ForeignTarget,
    TargetMalformed,
    decoded_path,
    origin_form,
)
from gateway.server.transport import CorkedTransport

MAX_HEAD_BYTES: Final = 64 * 1024
"""Bound on request line and headers, and on the framing of a body: chunk extensions and trailers. The parser itself has
no bound."""
MAX_PIPELINED: Final = 64
"""Requests that may wait behind one that is being answered. Further ones are not answered (RFC 9112 §9.3.2)."""
HALF_CLOSED_SECONDS: Final = 5.0
"""How long an answer may take to begin after the client has closed its half of the connection."""
RETRY_AFTER: Final = b"retry-after: 10\r\n"


class _Unacceptable(Exception):  # noqa: N818 - ends the parsing; never leaves this module
    """The request cannot be accepted, nor anything after it on the connection."""


class BoundedHttpProtocol(HttpToolsProtocol):
    """Bounds the size, number and duration of heads, trailers, pipelines and connections."""

    times: ClassVar = Times()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._most_connections, self.limit_concurrency = (
            self.limit_concurrency,
            None,
        )  # this class refuses them, not uvicorn
        self._loose_bytes = 0
        """Bytes received since the last part of a body: those of a head or of a body's framing."""
        self._in_body = False
        """True if the head of a request is complete and its body is not."""
        self._head_again: bytes | None = None
        """The head of a request for an upgrade, without `Upgrade`; it is parsed in place of the original."""
        self._tunnel_asked = False
        """CONNECT was received: what follows is not HTTP (RFC 9110 §9.3.6)."""
        self._answering: RequestResponseCycle | None = None
        self._deadlines = ConnectionDeadlines(self.times, self.loop.time())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin a connection, or refuse it if there are too many."""
        super().connection_made(cast("asyncio.Transport", CorkedTransport(transport)))
        if self._most_connections is not None and len(self.connections) > self._most_connections:
            self._refuse("TOO_MANY_CONNECTIONS", RETRY_AFTER)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed. uvicorn notifies the newest request, this class all others that are open."""
        for cycle in (self._answering, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)
        self._forget_request()

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's never keeps the connection
        """The client will send nothing more. It may still read: what it has asked for as a whole is answered, then all is closed.

        Whether it has closed both halves cannot be seen before something is written. So a request that waits for long, such as
        a long poll, is given up as one whose client has gone.
        """
        answering = self._answering
        if answering is None or answering.response_complete or self.scheme == "https":
            return False
        if answering is self.cycle and self._in_body:
            return False  # the rest of the request will never come
        last = self._answer_no_more()
        self.loop.call_later(HALF_CLOSED_SECONDS, self._give_up_waiting, last)
        return True

    def _give_up_waiting(self, last: RequestResponseCycle) -> None:
        """Close a half-closed connection on which nothing was answered."""
        is_over = self.cycle is not last or last.response_started or last.response_complete
        if not is_over and not self.transport.is_closing():
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse received data. The bound may be exceeded by one read at most."""
        if self._tunnel_asked:
            return
        self._loose_bytes += len(data)
        try:
            self._parse(data)
        except HttpParserError:
            self.logger.warning("Invalid HTTP request received.")
            self._give_up("NOT_HTTP")
        if self._loose_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._give_up("HEAD_TOO_LARGE")

    def _parse(self, data: bytes) -> None:
        """Parse the data of one read. Raises HttpParserError if it is not HTTP.

        The parser considers a head with `Upgrade` the end of HTTP on the connection and stops there. A new parser then gets
        the head again without that field, and goes on with the body, so that no byte of a body is parsed as a request.
        (The same parser cannot be used: after `Connection: close` or HTTP/1.0 it ignores everything that follows.)
        """
        rest: bytes | memoryview = data
        while True:
            try:
                self.parser.feed_data(rest)
            except HttpParserUpgrade as stopped:
                if self._tunnel_asked:
                    return
                rest = memoryview(rest)[stopped.args[0] :]
            else:
                return
            head, self._head_again = self._head_again, None
            assert head is not None  # the parser stops for no other reason
            self.parser = HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
            self.parser.feed_data(head)

    def time_out(self) -> None:
        """Close the connection if its client has exceeded a deadline; called once a second."""
        now = self.loop.time()
        transport = cast("CorkedTransport", self.transport)
        if self._deadlines.is_stalled(transport.sent, transport.unsent, now):
            transport.abort()
        elif self._deadlines.is_over(now) and not self.pipeline and not transport.is_closing():
            match self._deadlines.awaited:
                case Awaited.HEAD | Awaited.BODY:
                    self._give_up("TOO_SLOW")
                case _:
                    transport.close()

    # ── called by the parser ───────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """The first byte of a request has arrived."""
        super().on_message_begin()
        self._deadlines.wait_for(Awaited.HEAD, self.loop.time())

    def on_headers_complete(self) -> None:
        """The head is complete. The body is bounded while it is read (bodies.py)."""
        if self.parser.should_upgrade():
            if self.parser.get_method() != b"CONNECT":
                self._head_again = self._head_without_upgrade()
                return
            self._tunnel_asked = True
        self._check_head()
        if self.url[:1] == b"/" and not self._tunnel_asked:
            super().on_headers_complete()
        else:
            self._begin_elsewhere()
        if b"%" in self.url:
            self.scope["path"] = decoded_path(self.scope["raw_path"])
        self.headers = []  # trailers are not headers, though the parser reports them as such (RFC 9110 §6.5.1)
        self._in_body = True
        self.scope["extensions"] = {DETACH: self._detach}  # type: ignore[dict-item]  # ours
        self._deadlines.wait_for(Awaited.BODY, self.loop.time())
        if len(self.pipeline) > MAX_PIPELINED:
            raise _Unacceptable

    def on_body(self, body: bytes) -> None:
        """A part of the body has arrived."""
        self._loose_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete; another one may follow on the same connection."""
        if self._head_again is not None:
            return
        self._in_body = False
        self._loose_bytes = 0
        self._await_request(self.cycle)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request was answered, perhaps before all of it had arrived."""
        if self._in_body and self._answering is self.cycle:
            self._deadlines.wait_for(Awaited.REST, self.loop.time())
        elif not self._in_body:
            self._await_request(self.cycle)
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())

    def _head_without_upgrade(self) -> bytes:
        """Return the head as it was sent, without `Upgrade`, which a server may ignore (RFC 9110 §7.8)."""
        lines = [
            b"%b %b HTTP/%b"
            % (self.parser.get_method(), self.url, self.parser.get_http_version().encode("ascii"))
        ]
        lines += [b"%b: %b" % field for field in self.headers if field[0] != b"upgrade"]
        return b"\r\n".join([*lines, b"", b""])

    def _begin_elsewhere(self) -> None:
        """Begin with a request whose target is not a plain path. Raises _Unacceptable if the target is malformed."""
        try:
            self.url = origin_form(self.parser.get_method(), self.url)
        except TargetMalformed:
            raise _Unacceptable from None
        except ForeignTarget:
            self.url = b"/"
            super().on_headers_complete()
            self.scope["path"], self.scope["raw_path"] = NOWHERE, b""
        else:
            super().on_headers_complete()
        if self._tunnel_asked:
            self.cycle.keep_alive = False

    def _check_head(self) -> None:
        """Refuse unsupported versions, and requests without `Host` or with several (RFC 9112 §3.2)."""
        version = self.parser.get_http_version()
        if version == "1.1":
            if sum(name == b"host" for name, _ in self.headers) != 1:
                raise _Unacceptable
        elif version != "1.0":
            raise _Unacceptable

    def _await_request(self, newest: RequestResponseCycle) -> None:
        """Wait for the next request once the newest one is answered."""
        awaited = Awaited.NEXT if newest.response_complete else Awaited.NOTHING
        self._deadlines.wait_for(awaited, self.loop.time())

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Note which of several pipelined requests is being answered, and start it."""
        self._answering = cycle
        if self._in_body and cycle is self.cycle:  # its body was not read while it waited for its turn
            self._deadlines.wait_for(Awaited.BODY, self.loop.time())
        super()._start_asgi_task(cycle, app)

    # ── the end of a connection ────────────────────────────────────────────────────────────────────

    def _detach(self) -> EventConnection:
        """Hand the connection over to an event stream (server/event_connection) and release everything of HTTP."""
        cycle = self._answering
        transport = cast("CorkedTransport", self.transport).uncork()
        if cycle is None or cycle.disconnected or transport.is_closing():
            raise ClientDisconnect
        cycle.response_complete = True  # so that uvicorn does not expect the end of the response
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
        """Release the request. It refers to this connection, so otherwise both would wait for the garbage collector."""
        self._answering = None
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]  # as before the first request
        self.scope = None  # type: ignore[assignment]  # as above

    def _give_up(self, name: str) -> None:
        """Refuse everything further on this connection, with a problem document if a response is due, and close it.

        Complete earlier requests are answered first, because a response sent before theirs would be taken for theirs.
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

    def _answer_no_more(self) -> RequestResponseCycle:
        """Close once the requests that have arrived completely are answered. Return the last of them."""
        if self._in_body and self.pipeline:
            self.pipeline.popleft()
            self._in_body = False
        last = self.pipeline[0][0] if self.pipeline else self._answering
        assert last is not None  # one is being answered
        last.keep_alive = False
        self.cycle = last
        return last

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
        lines = for_caches(
            {}, [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
        )
        head = b"".join(b"%b: %b\r\n" % line for line in lines)
        self.transport.write(
            STATUS_LINE[int(reason.status)] + head + more + b"connection: close\r\n\r\n" + body
        )
        self.transport.close()
