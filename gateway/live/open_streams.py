"""Open event streams: heartbeat, slow clients, end. One timer serves all of them.

A stream has no task of its own; callbacks do all the writing. The subclasses decide what is sent (match_stream.py,
feed_stream.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from gateway.access.stream_slots import Slot
from gateway.http.sse import PING
from gateway.live.close_reasons import drain
from gateway.server.event_connection import EventConnection
from gateway.telemetry.metrics import STREAMS_ENDED
from services.process.caught_errors import log_caught

PING_SECONDS: Final = 15
STUCK_SECONDS: Final = 30.0
"""After this long without reading, a client is considered gone and its connection is closed."""

_log = structlog.get_logger("gateway.streams")


class OpenStream:
    """One open event stream."""

    __slots__ = ("_connection", "_early_end", "_open_streams", "_slot")

    def __init__(self, open_streams: OpenStreams, slot: Slot) -> None:
        """`slot` is held until the stream ends."""
        self._open_streams = open_streams
        self._slot = slot
        self._connection: EventConnection | None = None
        self._early_end: tuple[str, bytes] | None = None
        """Why the stream ended before it was opened, and its last chunks."""

    def open(self, connection: EventConnection, opening: bytes) -> None:
        """Take over a connection whose response head was sent, and write the first chunks.

        If the stream has already ended, write its last chunks too and close.
        """
        if self._open_streams.are_stopping:
            self.stop()
        if self._early_end is not None:
            why, last = self._early_end
            STREAMS_ENDED.labels(why).inc()
            connection.write(opening + last)
            connection.end()
            self.abandon()
            return
        self._connection = connection
        connection.set_owner(self)
        self._open_streams.add(self)
        connection.write(opening)

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def is_writable(self) -> bool:
        """Whether the stream is open and its client can take more."""
        return self._connection is not None and self._connection.writable

    def _write(self, chunks: bytes) -> None:
        assert self._connection is not None
        self._connection.write(chunks)

    @property
    def _version(self) -> int | None:
        """The version sent last, for the closing event; None where there are no versions."""
        return None

    def stop(self) -> None:
        """End the stream because this server stops."""
        self._end("drain", drain(self._version))

    def beat(self, now: float) -> None:
        """Send a heartbeat, or close the connection if the client has stopped reading."""
        connection = self._connection
        if connection is None:
            return
        if connection.writable:
            connection.write(PING)
        elif now - connection.full_since > STUCK_SECONDS:
            _log.info("stream closed: the client reads nothing", seconds=STUCK_SECONDS)
            STREAMS_ENDED.labels("stuck").inc()
            connection.abort()

    def _end(self, why: str, last: bytes) -> None:
        """Write the last chunks and close. A client with a full buffer gets them if it reads again.

        A stream that is not open yet does this when it is opened; the first call decides how it ends.
        """
        connection = self._connection
        if connection is None:
            self._early_end = self._early_end or (why, last)
        else:
            STREAMS_ENDED.labels(why).inc()
            connection.write(last)
            connection.end()
            self.connection_lost()

    def abandon(self) -> None:
        """Release everything that the stream holds; for one that was never opened or has ended."""
        self._slot.free()

    # ── called by the connection ───────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """The client reads again; subclasses continue writing here."""

    def connection_lost(self) -> None:
        """The stream has ended, on either side."""
        if self._connection is not None:
            self._connection = None
            self._open_streams.remove(self)
            self.abandon()


class OpenStreams:
    """Every open event stream of this process, and their timer."""

    def __init__(self) -> None:
        self._slots: tuple[set[OpenStream], ...] = tuple(set() for _ in range(PING_SECONDS))
        self._others: set[Callable[[], None]] = set()
        self.are_stopping = False
        """True once all streams were ended; later ones end as they open."""
        self._turn = 0
        self._clock: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return sum(map(len, self._slots))

    def start(self) -> None:
        """Start the timer."""
        self._clock = asyncio.create_task(self._beat(), name="heartbeat of the event streams")

    def add(self, stream: OpenStream) -> None:
        """Send heartbeats to a stream. It joins the second with the fewest streams, which spreads the work evenly."""
        min(self._slots, key=len).add(stream)

    def remove(self, stream: OpenStream) -> None:
        """Stop sending heartbeats to a stream."""
        for slot in self._slots:
            slot.discard(stream)

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within the block, `stop_all` also calls `stop`; for a caller that waits without being an event stream."""
        self._others.add(stop)
        try:
            if self.are_stopping:
                stop()
            yield
        finally:
            self._others.discard(stop)

    def stop_all(self) -> None:
        """End every stream, and every later one as it opens."""
        self.are_stopping = True
        streams = [stream.stop for slot in self._slots for stream in slot]
        for stop in (*self._others, *streams):
            try:
                stop()
            except Exception as error:  # noqa: BLE001 - the other streams end in any case; the error is logged
                log_caught("end of an event stream", error)

    async def close(self) -> None:
        """End every stream and stop the timer."""
        self.stop_all()
        if self._clock is not None:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            self._turn = (self._turn + 1) % PING_SECONDS
            now = loop.time()
            for stream in tuple(self._slots[self._turn]):
                try:
                    stream.beat(now)
                except Exception as error:  # noqa: BLE001 - the other streams go on; the error is logged
                    log_caught("heartbeat", error)
