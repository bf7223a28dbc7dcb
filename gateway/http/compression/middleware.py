"""The ASGI middleware that compresses responses. `__init__` says what was decided and why."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.headers import headers_of
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.credentials import WITH_CREDENTIALS
from gateway.http.compression.entity_tags import suffixed
from gateway.http.compression.gzip_stream import GzipStream
from gateway.http.compression.negotiation import Wish, gzip_wish
from gateway.telemetry.metrics import COMPRESSED_BYTES, COMPRESSION_SECONDS, UNCOMPRESSED_BYTES

MIN_BYTES: Final = 1024
"""Smaller bodies gain too little."""
THREAD_BYTES: Final = 64 * 1024
"""Longer pieces are compressed in a thread: they take milliseconds, in which the event loop can serve others."""

_READS: Final = frozenset({"GET", "HEAD"})
_JSON: Final = frozenset({b"application/json", b"application/x-ndjson"})
"""The types, besides those that end in `+json`."""


class Compression:
    """Wraps the routes, within what adds headers to every response."""

    def __init__(self, app: ASGIApp, allowance: Allowance) -> None:
        self._app = app
        self._allowance = allowance
        self._is_on = allowance.is_on

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = headers_of(scope).get(b"accept-encoding")
        wish = Wish.REFUSED if accepted is None or not self._is_on else gzip_wish(accepted)
        if wish is Wish.REFUSED:
            await self._app(scope, receive, send)  # such as a move by a client that wants nothing of this
            return
        await self._app(scope, receive, _Response(scope, send, wish, self._allowance).send)


def is_sent_as_it_is(scope: Scope, body: bytes, allowance: Allowance) -> bool:
    """Return whether a whole JSON response is certain not to be compressed."""
    accepted = headers_of(scope).get(b"accept-encoding")
    if accepted is None or not allowance.is_on or (wish := gzip_wish(accepted)) is Wish.REFUSED:
        return True
    return wish is Wish.WELCOME and len(body) < MIN_BYTES


class _Response:
    """One response on its way out."""

    __slots__ = ("_allowance", "_is_stored", "_scope", "_send", "_start", "_stream", "_wish")

    def __init__(self, scope: Scope, send: Send, wish: Wish, allowance: Allowance) -> None:
        self._scope = scope
        self._send = send
        self._wish = wish
        self._allowance = allowance
        self._start: Message | None = None
        """The head, kept back until the body shows whether it is compressed."""
        self._stream: GzipStream | None = None
        self._is_stored = False

    async def send(self, message: Message) -> None:
        """Send a message of the application, encoded if it is part of a compressed body."""
        if message["type"] == "http.response.start":
            if message["status"] != 304 and _is_json(message):
                self._start = message
                return
        elif message["type"] == "http.response.body":
            if self._start is not None:
                start, self._start = self._start, None
                await self._begin(start, message)
                return
            if self._stream is not None:
                message = await self._encoded(self._stream, message)
        await self._send(message)

    async def _begin(self, start: Message, message: Message) -> None:
        """Send the head and the first part of the body."""
        is_whole = not message.get("more_body", False)
        body = message.get("body", b"")
        self._is_stored = (is_whole and len(body) < MIN_BYTES) or _has_credential(self._scope)
        if self._wish is Wish.WELCOME and (self._is_stored or not self._allowance.is_left()):
            await self._send(start)
            await self._send(message)
            return
        self._stream = GzipStream()
        encoded = await self._encoded(self._stream, message)
        headers = [_tagged(line, self._scope) for line in start["headers"] if line[0] != b"content-length"]
        if is_whole:
            headers.append((b"content-length", str(len(encoded["body"])).encode()))
        start["headers"] = [*headers, (b"content-encoding", b"gzip")]
        await self._send(start)
        await self._send(encoded)

    async def _encoded(self, stream: GzipStream, message: Message) -> Message:
        body = message.get("body", b"")
        if self._is_stored or not self._allowance.is_left():
            data = stream.store(body)
        else:
            data = await self._compressed(stream, body)
        if not message.get("more_body", False):
            data += stream.finish()
        return {**message, "body": data}

    async def _compressed(self, stream: GzipStream, body: bytes) -> bytes:
        estimate = self._allowance.reserve(len(body))
        if len(body) > THREAD_BYTES:
            data, seconds = await asyncio.to_thread(_timed, stream.compress, body)
        else:
            data, seconds = _timed(stream.compress, body)
        self._allowance.settle(estimate, seconds)
        COMPRESSION_SECONDS.inc(seconds)
        UNCOMPRESSED_BYTES.inc(len(body))
        COMPRESSED_BYTES.inc(len(data))
        return data


def _timed(compress: Callable[[bytes], bytes], body: bytes) -> tuple[bytes, float]:
    """Return the compressed bytes and the processor time that they took in this thread."""
    begun = time.thread_time()
    return compress(body), time.thread_time() - begun


def _is_json(message: Message) -> bool:
    """Return whether a response has a body that may be compressed: JSON that no coding was applied to yet."""
    kind = b""
    for name, value in message["headers"]:
        if name == b"content-type":
            kind = value.partition(b";")[0].strip().lower()
        elif name == b"content-encoding":
            return False
    return kind in _JSON or kind.endswith(b"+json")


def _has_credential(scope: Scope) -> bool:
    return getattr(scope.get("route"), "operation_id", None) in WITH_CREDENTIALS


def _tagged(line: tuple[bytes, bytes], scope: Scope) -> tuple[bytes, bytes]:
    """Return a header of a compressed response. A write's tag is the version it has led to, and names no bytes."""
    name, value = line
    return (name, suffixed(value)) if name == b"etag" and scope["method"] in _READS else line
