"""The head of an event stream's response. After it, the connection belongs to an open stream."""

from __future__ import annotations

from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.headers import NO_STORE, header, headers_of
from gateway.http.compression.event_streams import EventCompression
from gateway.http.sse import RETRY, chunk
from gateway.middleware import STREAMED
from gateway.problems.document import ProblemError
from gateway.server.event_connection import EventConnection, detached

MEDIA_TYPE: Final = "text/event-stream"
_HEADERS: Final = {
    **NO_STORE,
    "connection": "close",  # else a client would send its next request on a connection that ends with the stream
    "x-accel-buffering": "no",  # a buffering proxy would delay every event
}


def must_accept_events(request: Request) -> None:
    """Raises ProblemError NOT_ACCEPTABLE if the client's `Accept` excludes event streams."""
    accepted = (header(request, b"accept") or "*/*").lower()
    kinds = {kind.partition(";")[0].strip() for kind in accepted.split(",")}
    if not kinds & {MEDIA_TYPE, "text/*", "*/*"}:
        raise ProblemError("NOT_ACCEPTABLE", f"a stream is available as {MEDIA_TYPE} only")


class UnopenedStream(Protocol):
    """A stream that is not open yet."""

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Take over the connection and write the opening chunks first."""
        ...

    def abandon(self) -> None:
        """Release everything the stream holds; it will not be opened."""
        ...


class EventStreamResponse(Response):
    """A response that opens a stream. It returns at once; the stream keeps writing."""

    def __init__(self, stream: UnopenedStream, opening: bytes, compression: EventCompression) -> None:
        """`opening` holds chunks to be written before anything else."""
        super().__init__(status_code=200, headers=_HEADERS, media_type=f"{MEDIA_TYPE}; charset=utf-8")
        del self.headers["content-length"]
        self._stream = stream
        self._opening = opening
        self._compression = compression

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        scope[STREAMED] = True
        encoder = self._compression.encoder_for(headers_of(scope).get(b"accept-encoding"))
        if encoder is not None:
            self.headers["content-encoding"] = "gzip"
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            connection = detached(scope)
        except BaseException:
            self._stream.abandon()
            raise
        if encoder is not None:
            connection.encode_with(encoder)
        self._stream.begin(connection, chunk(RETRY) + self._opening)
