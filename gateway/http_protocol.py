"""uvicorn's HTTP/1.1 protocol with a bound on request heads, one write per answer, and problem documents for no HTTP."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

import msgspec
from starlette.requests import ClientDisconnect
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from gateway.live.connections import DETACH, EventConnection
from gateway.problem_documents import MEDIA_TYPE, Problem
from gateway.problems import REASONS

MAX_HEAD_BYTES: Final = 64 * 1024
"""Request line and headers. The parser itself would take any number."""


class CorkedTransport:
    """Joins what is written within one turn of the event loop.

    uvicorn writes head and body of an answer apart, which is two system calls and wakes the reader for half an answer.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Write before the loop's next turn."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        """Close, after everything has been written."""
        self._flush()
        self._transport.close()

    def uncork(self) -> asyncio.Transport:
        """Write what waits; give the transport itself."""
        self._flush()
        return self._transport

    def _flush(self) -> None:
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class BoundedHttpProtocol(HttpToolsProtocol):
    """Counts the bytes of each request's head and closes the connection when there are too many."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._in_head = True
        self._answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin with a connection."""
        super().connection_made(cast("asyncio.Transport", CorkedTransport(transport)))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        super().connection_lost(exc)
        self._forget_request()

    def data_received(self, data: bytes) -> None:
        """Take what came over the wire; the bound may be passed by one read at most."""
        self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._refuse("HEAD_TOO_LARGE")

    def on_headers_complete(self) -> None:
        """The head is over; what follows is bounded while it is read (bodies.py)."""
        self._in_head = False
        super().on_headers_complete()
        self.scope["extensions"] = {DETACH: self._detach}  # type: ignore[dict-item]  # ours

    def on_message_complete(self) -> None:
        """The next request may follow on the same connection."""
        self._in_head = True
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP request, and close."""
        del msg
        self._refuse("NOT_HTTP")

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Remember which of several pipelined requests is being answered."""
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

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
        self.cycle = None  # type: ignore[assignment]  # as before the first request
        self.scope = None  # type: ignore[assignment]  # as above

    def _refuse(self, name: str) -> None:
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
        head = b"content-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[int(reason.status)] + head % (MEDIA_TYPE.encode(), len(body)) + body)
        self.transport.close()
