"""The head of an event stream's answer; after it the connection belongs to a reader."""

from __future__ import annotations

from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.headers import header
from gateway.live.connections import EventConnection, detached
from gateway.observability import STREAMED
from gateway.problem_documents import ProblemError
from gateway.server_events import RETRY, chunk

MEDIA_TYPE: Final = "text/event-stream"
_HEADERS: Final = {
    "cache-control": "no-store",
    "x-accel-buffering": "no",  # a proxy that waits for more would hold every event back
}


def must_accept_events(request: Request) -> None:
    """Refuse a client that takes no event streams: ProblemError NOT_ACCEPTABLE."""
    accepted = (header(request, b"accept") or "*/*").lower()
    kinds = {kind.partition(";")[0].strip() for kind in accepted.split(",")}
    if not kinds & {MEDIA_TYPE, "text/*", "*/*"}:
        raise ProblemError("NOT_ACCEPTABLE", f"a stream has the form {MEDIA_TYPE} only")


class Opens(Protocol):
    """A reader that has not begun."""

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Take over the connection, and write the opening first."""
        ...

    def abandon(self) -> None:
        """Let go of everything: there will be no stream."""
        ...


class EventStream(Response):
    """Answers with a stream. Returns at once; the reader goes on."""

    def __init__(self, reader: Opens, opening: bytes = b"") -> None:
        """`opening` are chunks to be written before anything else."""
        super().__init__(status_code=200, headers=_HEADERS, media_type=f"{MEDIA_TYPE}; charset=utf-8")
        del self.headers["content-length"]
        self._reader = reader
        self._opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        scope[STREAMED] = True
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            connection = detached(scope)
        except BaseException:
            self._reader.abandon()
            raise
        self._reader.begin(connection, chunk(RETRY) + self._opening)
