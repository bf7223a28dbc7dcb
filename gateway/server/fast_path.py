"""Requests that are served without the web framework: complete ones of a plain form, answered with one write.

For every other request, uvicorn builds a cycle of receiving and sending and runs the application in a task, which takes
several times as long as such a request itself. Whether a request has the plain form is known once all of it has arrived.
A fast path may decline it even then: the application serves it as if there were no fast path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol, cast

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from gateway.headers import headers_of
from gateway.server.deadlines import Awaited, Times
from gateway.server.protocol import BoundedHttpProtocol
from gateway.server.transport import CorkedTransport
from services.process.caught_errors import log_caught_once

MAX_BODY_BYTES: Final = 64 * 1024
"""Longer bodies are left to the application, which refuses them."""
_MOST_DIGITS: Final = 6
_NOT_PLAIN: Final = frozenset({b"expect", b"transfer-encoding", b"upgrade"})


class FastPath(Protocol):
    """Serves some requests of an application."""

    def takes(self, method: bytes, target: bytes) -> bool:
        """Return whether such a request may be served here."""

    def begin(self, exchange: Exchange) -> bool:
        """Begin to serve a complete request, whose response may come later. Return False to leave it to the application."""


class Exchange:
    """A request that has arrived, and its response. To uvicorn it is a cycle, as those that the application serves."""

    # What uvicorn and BoundedHttpProtocol read and change of the cycle of a request that has arrived as a whole:
    more_body = False
    response_started = False

    def __init__(self, protocol: FastHttpProtocol, scope: Scope, target: bytes, body: bytes) -> None:
        self.scope = scope
        """Has the request's headers, and what is known of the connection."""
        self.target = target
        self.body = body
        self.keep_alive = True
        self.disconnected = False
        self.response_complete = False
        self._protocol = protocol

    @property
    def message_event(self) -> Exchange:
        """The event by which uvicorn wakes the application when the client has gone; nothing waits for it here."""
        return self

    def set(self) -> None:
        """Wake nothing."""

    def respond(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Send the response, unless the client has gone."""
        self._protocol.respond(self, status, headers, body)

    def abandon(self) -> None:
        """Close the connection, because there is no response."""
        self._protocol.abandon(self)


class FastHttpProtocol(BoundedHttpProtocol):
    """Offers requests of a plain form to a fast path."""

    fast_path: FastPath

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: list[bytes] | None = None
        """The parts of the body of a request that the fast path may take."""

    def on_headers_complete(self) -> None:
        """The head is complete."""
        if self._is_plain():
            self._arriving = []
            self._deadlines.wait_for(Awaited.BODY, self.loop.time())
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body has arrived."""
        if self._arriving is None:
            super().on_body(body)
        else:
            self._loose_bytes = 0
            self._arriving.append(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        if self._arriving is None:
            super().on_message_complete()
            return
        body, self._arriving = b"".join(self._arriving), None
        self._loose_bytes = 0
        before = self.cycle
        exchange = Exchange(self, cast("Scope", self.scope), self.url, body)
        self.cycle = self._answering = cast("RequestResponseCycle", exchange)
        self._deadlines.wait_for(Awaited.NOTHING, self.loop.time())
        if not self._has_begun(exchange):
            self.cycle = self._answering = before
            super().on_headers_complete()
            if body:
                super().on_body(body)
            super().on_message_complete()

    def respond(
        self, exchange: Exchange, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes
    ) -> None:
        """Send a whole response."""
        exchange.response_complete = True
        if exchange.disconnected:
            return
        lines = [STATUS_LINE[status]]
        for name, value in (*self.server_state.default_headers, *headers):
            lines += (name, b": ", value, b"\r\n")
        lines += (b"\r\n" if exchange.keep_alive else b"connection: close\r\n\r\n", body)
        cast("CorkedTransport", self.transport).write_whole(b"".join(lines))
        if not exchange.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def abandon(self, exchange: Exchange) -> None:
        """Close the connection without a response."""
        exchange.response_complete = True
        if not exchange.disconnected:
            self.transport.close()

    def _has_begun(self, exchange: Exchange) -> bool:
        try:
            return self.fast_path.begin(exchange)
        except Exception as error:  # noqa: BLE001 - the parser would call it bad HTTP; the application serves the request
            log_caught_once("fast path", error)
            return False

    def _is_plain(self) -> bool:
        """Return whether a request may be served here: nothing else is being answered, and its body's length is known."""
        if not self.fast_path.takes(self.parser.get_method(), self.url):
            return False
        is_free = self.cycle is None or self.cycle.response_complete
        if not is_free or self.pipeline or self.flow.write_paused or self._head_again is not None:
            return False
        if self.parser.get_http_version() != "1.1" or not self.parser.should_keep_alive():
            return False
        names = [name for name, _ in self.headers]
        if names.count(b"host") != 1 or not _NOT_PLAIN.isdisjoint(names):
            return False
        length = headers_of(cast("Scope", self.scope)).get(b"content-length", b"")
        return length.isdigit() and len(length) <= _MOST_DIGITS and int(length) <= MAX_BODY_BYTES


def http_protocol(times: Times, fast_path: FastPath) -> type[FastHttpProtocol]:
    """Return a protocol class with these deadlines and this fast path; uvicorn expects a class."""
    return type(FastHttpProtocol.__name__, (FastHttpProtocol,), {"times": times, "fast_path": fast_path})
