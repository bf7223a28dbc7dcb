"""A transport that joins what is written within one turn of the event loop, and counts what the client has taken."""

from __future__ import annotations

import asyncio
from typing import Any


class CorkedTransport:
    """Joins what is written within one turn of the event loop.

    uvicorn writes head and body of an answer apart, which is two system calls and wakes the reader for half an answer.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._passed_on = 0

    @property
    def unsent(self) -> int:
        """Bytes that neither the client nor the system's own buffer has taken yet."""
        return self._transport.get_write_buffer_size()

    @property
    def sent(self) -> int:
        """Bytes that were taken, since the connection began."""
        return self._passed_on - self.unsent

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
            self._passed_on += len(data)
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
