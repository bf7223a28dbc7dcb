"""An HTTP connection whose answer does not end.

Why not an ASGI answer, and why not sse-starlette: an ASGI answer lives in a coroutine, and beneath it a dozen more of
every middleware, a request, a scope, a parser and a task. That alone is 20 KB (measured; a task group and a gRPC call
for each stream came on top). So once its head has been sent the connection is taken out of HTTP's hands, by the way
uvicorn itself takes for WebSockets: the transport gets another protocol, the coroutines return, and all of that is
freed. What is left of an idle stream is its socket and this object.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, cast

from starlette.types import Scope

DETACH: Final = "foldtable.detach"
"""Name of the ASGI extension under which the server's protocol offers `Detach`."""
LINGER_SECONDS: Final = 10.0
"""How long a client may take to read the end of an answer."""
_LAST_CHUNK: Final = b"0\r\n\r\n"


class Listener(Protocol):
    """Hears of a connection; called by the event loop, so it must return at once."""

    def connection_ready(self) -> None:
        """The client took what was written; there is room again."""
        ...

    def connection_lost(self) -> None:
        """The client went away, or the connection was closed here. Comes once."""
        ...


class EventConnection(asyncio.Protocol):
    """Writes chunks of an answer for as long as the client stays."""

    __slots__ = ("_connections", "_is_full", "_listener", "_transport", "full_since")

    def __init__(
        self, transport: asyncio.Transport, connections: set[asyncio.Protocol], *, is_full: bool
    ) -> None:
        """`connections` are those the server waits for when it stops."""
        self._transport = transport
        self._connections = connections
        self._listener: Listener | None = None
        self._is_full = is_full
        self.full_since: float = asyncio.get_running_loop().time()
        """When the client stopped reading; means something only while the connection is not writable."""
        connections.add(self)

    def listen(self, listener: Listener) -> None:
        """Tell the listener from now on."""
        self._listener = listener

    @property
    def writable(self) -> bool:
        """False while the client has a buffer full still to take."""
        return not self._is_full

    def write(self, data: bytes) -> None:
        """Write whole chunks. Whoever respects `writable` keeps no more than one piece above a buffer full here."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def end(self) -> None:
        """End the answer, and close once everything is written."""
        self.write(_LAST_CHUNK)
        self._transport.close()
        if self._transport.get_write_buffer_size():  # a client that takes nothing would keep it for ever
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._transport.abort)

    def abort(self) -> None:
        """Close at once; what was not written is lost."""
        self._transport.abort()

    # ── asyncio.Protocol, and what uvicorn calls ───────────────────────────────────────────────────

    def data_received(self, data: bytes) -> None:
        """Nothing can be asked on this connection any more; what comes is dropped."""

    def eof_received(self) -> bool:
        """The client ended its half: for HTTP/1.1 that is the end of both."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        del exc
        self._connections.discard(self)
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.connection_lost()

    def pause_writing(self) -> None:
        """The buffer is full."""
        self._is_full = True
        self.full_since = asyncio.get_running_loop().time()

    def resume_writing(self) -> None:
        """There is room again."""
        self._is_full = False
        if self._listener is not None:
            self._listener.connection_ready()

    def shutdown(self) -> None:
        """The server stops, and everybody was told good-bye (Drain): whoever reads nothing is not waited for."""
        if self._is_full:
            self._transport.abort()
        else:
            self._transport.close()


Detach = Callable[[], EventConnection]


def detached(scope: Scope) -> EventConnection:
    """Take over the connection of a request whose answer's head was sent; its handler may then return.

    RuntimeError under a server that is not ours (gateway.http_protocol). starlette's ClientDisconnect if the client
    has gone.
    """
    try:
        detach = cast("Detach", scope["extensions"][DETACH])
    except KeyError:
        raise RuntimeError(
            "event streams need the server of `python -m gateway` (BoundedHttpProtocol)"
        ) from None
    return detach()
