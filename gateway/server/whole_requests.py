"""Requests that have arrived as a whole and are answered with one write, past uvicorn's cycle of receiving and sending.

For every other request, uvicorn builds such a cycle, whose events and messages take longer than the whole of a hot operation
(tests/bench/README.md, "One way for a move"). Which requests go this way is decided by their head alone.
"""

from __future__ import annotations

import time
from collections.abc import Coroutine, Iterable
from contextvars import Context
from typing import Any, Final, Protocol, cast

from starlette.types import Message, Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from gateway.headers import headers_of
from gateway.server.deadlines import Awaited, Times
from gateway.server.protocol import BoundedHttpProtocol
from gateway.server.transport import CorkedTransport

MAX_BODY_BYTES: Final = 64 * 1024
"""Longer bodies arrive in parts, so that they can be refused before their end."""
_MAX_DIGITS: Final = 6
_NOT_PLAIN: Final = frozenset({b"expect", b"transfer-encoding", b"upgrade"})


class WholeRequests(Protocol):
    """Answers requests that have arrived as a whole; gateway.hot.operations.HotOperations does."""

    def takes(self, method: bytes, target: bytes) -> Any:
        """Return what `serve` needs to answer a request with this method and target; None if it does not answer such requests."""

    def serve(self, exchange: Exchange, found: Any) -> None:
        """Begin to answer a complete request. The response may come later."""


class Exchange:
    """A request that has arrived, and its response. To uvicorn it is a cycle, as those that it builds itself."""

    # What uvicorn and BoundedHttpProtocol read and change of the cycle of a request that has arrived as a whole:
    more_body = False
    response_started = False

    def __init__(
        self, protocol: WholeHttpProtocol, scope: Scope, method: str, target: bytes, begun: float
    ) -> None:
        self.begun = begun
        """When its head had arrived, by `time.perf_counter`."""
        self.scope = scope
        """Has the request's headers, and what is known of the connection."""
        self.method = method
        self.target = target
        self.body = b""
        self.keep_alive = True
        self.disconnected = False
        self.response_complete = False
        self._protocol = protocol

    def run(self, serving: Coroutine[Any, Any, None]) -> None:
        """Run what answers the request, in a task that the server waits for when it stops."""
        task = self._protocol.loop.create_task(serving, context=Context())
        self._protocol.tasks.add(task)
        task.add_done_callback(self._protocol.tasks.discard)

    async def receive(self) -> Message:
        """Return the body, as an ASGI message."""
        return {"type": "http.request", "body": self.body, "more_body": False}

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


class WholeHttpProtocol(BoundedHttpProtocol):
    """Has requests of a plain form answered as a whole."""

    whole_requests: WholeRequests

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: list[bytes] | None = None
        """The parts of the body of a request that will be answered as a whole."""
        self._found: Any = None
        """What `WholeRequests.takes` has said of it."""
        self._begun = 0.0
        """When its head had arrived."""
        self._is_stopping = False
        """The server stops: a request that is arriving is the last one."""

    def shutdown(self) -> None:
        """Close the connection, or answer the last request on it first: the server stops."""
        if self._arriving is None:
            super().shutdown()
        else:
            self._is_stopping = True

    def on_headers_complete(self) -> None:
        """The head is complete."""
        self._found = self._taken()
        if self._found is None:
            super().on_headers_complete()
        else:
            self._arriving = []
            self._begun = time.perf_counter()
            self._deadlines.wait_for(Awaited.BODY, self.loop.time())

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
        scope, method = cast("Scope", self.scope), self.parser.get_method().decode("ascii")
        exchange = Exchange(self, scope, method, self.url, self._begun)
        exchange.keep_alive = not self._is_stopping
        exchange.body, self._arriving = b"".join(self._arriving), None
        self._loose_bytes = 0
        self.cycle = self._answering = cast("RequestResponseCycle", exchange)
        self._deadlines.wait_for(Awaited.NOTHING, self.loop.time())
        self.whole_requests.serve(exchange, self._found)

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

    def _taken(self) -> Any:
        """Return what `WholeRequests.takes` says of the request; None also if something else is being answered, or if its body
        may not arrive as a whole.
        """
        is_free = self.cycle is None or self.cycle.response_complete
        if not is_free or self.pipeline or self.flow.write_paused or self._head_again is not None:
            return None
        if self.parser.get_http_version() != "1.1" or not self.parser.should_keep_alive():
            return None
        names = [name for name, _ in self.headers]
        if names.count(b"host") != 1 or not _NOT_PLAIN.isdisjoint(names):
            return None
        method = self.parser.get_method()
        length = headers_of(cast("Scope", self.scope)).get(
            b"content-length", b"0" if method == b"GET" else b""
        )
        if not length.isdigit() or len(length) > _MAX_DIGITS or int(length) > MAX_BODY_BYTES:
            return None
        return self.whole_requests.takes(method, self.url)


def http_protocol(times: Times, whole_requests: WholeRequests) -> type[WholeHttpProtocol]:
    """Return a protocol class with these deadlines, for these requests; uvicorn expects a class."""
    return type(
        WholeHttpProtocol.__name__, (WholeHttpProtocol,), {"times": times, "whole_requests": whole_requests}
    )
