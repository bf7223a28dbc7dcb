"""A transport that joins the writes of one event-loop iteration and counts the bytes sent."""

from __future__ import annotations

import asyncio
from typing import Any


class CorkedTransport:
    """Joins the writes of one iteration of the event loop.

    uvicorn writes head and body of a response separately, which takes two system calls and wakes the client for half a
    response.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._passed_on = 0

    @property
    def unsent(self) -> int:
        """Bytes that have not been passed to the operating system yet."""
        return self._transport.get_write_buffer_size()

    @property
    def sent(self) -> int:
        """Bytes passed to the operating system since the connection began."""
        return self._passed_on - self.unsent

    def write(self, data: bytes) -> None:
        """Write at the end of the loop's current iteration."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def write_whole(self, data: bytes) -> None:
        """Write data that nothing will follow in this iteration."""
        if self._waiting:
            self._waiting.append(data)
        else:
            self._passed_on += len(data)
            self._transport.write(data)

    def close(self) -> None:
        """Close, after everything has been written."""
        self._flush()
        self._transport.close()

    def uncork(self) -> asyncio.Transport:
        """Write the pending bytes; return the underlying transport."""
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
