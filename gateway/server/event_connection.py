"""An HTTP connection whose response does not end.

Why it is not an ASGI response, and why not sse-starlette: an ASGI response keeps a coroutine alive, and with it about a
dozen more of the middlewares, a request, a scope, a parser and a task. These alone take 20 KB (measured; a task group and
a gRPC call for each stream came on top). Therefore, once the head of the response has been sent, the connection leaves
HTTP in the same way that uvicorn uses for WebSockets: the transport gets another protocol, the coroutines return, and
their memory is freed. An idle stream then consists of its socket and this object.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, cast

from starlette.types import Scope

DETACH: Final = "foldtable.detach"
"""Name of the ASGI extension under which the server's protocol offers `Detach`."""
LINGER_SECONDS: Final = 10.0
"""How long a client may take to read the end of a response."""
PROBE_SECONDS: Final = (0.3, 2.0)
"""When to write again. The other end says that nobody reads there after a round trip."""
_COMMENT: Final = b"3\r\n:\n\n\r\n"
_LAST_CHUNK: Final = b"0\r\n\r\n"


class ConnectionOwner(Protocol):
    """Uses a connection, and is notified of its events. The event loop calls its methods, so they must return at once."""

    def connection_ready(self) -> None:
        """The client has read what was written; more can be written."""
        ...

    def connection_lost(self) -> None:
        """The client went away, or the connection was closed here. Called once."""
        ...


class ChunkEncoder(Protocol):
    """Applies a content coding to what a connection writes."""

    def encoded(self, chunks: bytes) -> bytes:
        """Return whole chunks, encoded and framed as chunks again."""
        ...

    def finish(self) -> bytes:
        """Return the chunk that ends the coding."""
        ...

    def close(self) -> None:
        """Release what the encoder holds."""
        ...


class EventConnection(asyncio.Protocol):
    """Writes chunks of a response for as long as the client stays connected."""

    __slots__ = ("_connections", "_encoder", "_is_full", "_owner", "_transport", "full_since")

    def __init__(
        self, transport: asyncio.Transport, connections: set[asyncio.Protocol], *, is_full: bool
    ) -> None:
        """`connections` is the set of connections that the server waits for when it stops."""
        self._transport = transport
        self._connections = connections
        self._encoder: ChunkEncoder | None = None
        self._owner: ConnectionOwner | None = None
        self._is_full = is_full
        self.full_since: float = asyncio.get_running_loop().time()
        """When the client stopped reading; valid only while the connection is not writable."""
        connections.add(self)

    def encode_with(self, encoder: ChunkEncoder) -> None:
        """Encode whatever is written from now on."""
        self._encoder = encoder

    def set_owner(self, owner: ConnectionOwner) -> None:
        """Notify the owner from now on."""
        self._owner = owner

    @property
    def writable(self) -> bool:
        """False while the write buffer is full because the client does not read."""
        return not self._is_full

    def write(self, data: bytes) -> None:
        """Write whole chunks. A caller that checks `writable` first exceeds the buffer's limit by one piece at most."""
        if not self._transport.is_closing():
            self._transport.write(data if self._encoder is None else self._encoder.encoded(data))

    def end(self) -> None:
        """End the response, and close the connection once everything is written."""
        if not self._transport.is_closing():
            self._transport.write((b"" if self._encoder is None else self._encoder.finish()) + _LAST_CHUNK)
        self._transport.close()
        if self._transport.get_write_buffer_size():  # a client that never reads would keep it open for ever
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._transport.abort)

    def abort(self) -> None:
        """Close at once; unwritten data is lost."""
        self._transport.abort()

    # ── asyncio.Protocol, and what uvicorn calls ───────────────────────────────────────────────────

    def data_received(self, data: bytes) -> None:
        """Discard the data: this connection takes no more requests."""

    def eof_received(self) -> bool:
        """The client will send nothing more, and may still read. Whether it has gone altogether is found out by writing.

        The first comment makes the other end say so if nobody reads there, and a later one then fails.
        """
        if self._is_full or self._transport.get_extra_info("sslcontext") is not None:
            return False
        self.write(_COMMENT)
        for seconds in PROBE_SECONDS:
            asyncio.get_running_loop().call_later(seconds, self.write, _COMMENT)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        del exc
        self._connections.discard(self)
        if self._encoder is not None:
            self._encoder.close()
        owner, self._owner = self._owner, None
        if owner is not None:
            owner.connection_lost()

    def pause_writing(self) -> None:
        """The write buffer is full."""
        self._is_full = True
        self.full_since = asyncio.get_running_loop().time()

    def resume_writing(self) -> None:
        """The write buffer has room again."""
        self._is_full = False
        if self._owner is not None:
            self._owner.connection_ready()

    def shutdown(self) -> None:
        """The server stops; streams were ended before (Drain). Clients that do not read are not waited for."""
        if self._is_full:
            self._transport.abort()
        else:
            self._transport.close()


Detach = Callable[[], EventConnection]


def detached(scope: Scope) -> EventConnection:
    """Take over the connection of a request after the head of its response was sent; its handler may then return.

    Raises RuntimeError under a server other than ours (gateway.server.protocol), and starlette's ClientDisconnect if the
    client has gone.
    """
    try:
        detach = cast("Detach", scope["extensions"][DETACH])
    except KeyError:
        raise RuntimeError(
            "event streams require the server of `python -m gateway` (BoundedHttpProtocol)"
        ) from None
    return detach()
