"""Open event streams: their heartbeat, their slowness, their end. One clock beats for all of them.

A reader is written to from callbacks only; it has no task of its own. What a reader is told stands in its subclasses
(match_stream.py, feed_stream.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from gateway.live.connections import EventConnection
from gateway.live.farewells import drain
from gateway.logs import without_message
from gateway.metrics import STREAMS_ENDED
from gateway.server_events import PING
from gateway.stream_slots import Slot

PING_SECONDS: Final = 15
STUCK_SECONDS: Final = 30.0
"""A client who takes nothing for so long is gone; the connection is closed."""

_log = structlog.get_logger("gateway.streams")


class EventReader:
    """One open event stream."""

    __slots__ = ("_connection", "_early_end", "_readers", "_slot")

    def __init__(self, readers: Readers, slot: Slot) -> None:
        """`slot` is held until the stream ends."""
        self._readers = readers
        self._slot = slot
        self._connection: EventConnection | None = None
        self._early_end: tuple[str, bytes] | None = None
        """Why it is over before it was opened, and the last chunks."""

    def open(self, connection: EventConnection, opening: bytes) -> None:
        """Take over a connection whose head was sent, and write the first chunks; the last, too, if it is over already."""
        if self._readers.are_leaving:
            self.farewell()
        if self._early_end is not None:
            why, last = self._early_end
            STREAMS_ENDED.labels(why).inc()
            connection.write(opening + last)
            connection.end()
            self.abandon()
            return
        self._connection = connection
        connection.listen(self)
        self._readers.add(self)
        connection.write(opening)

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def _writable(self) -> bool:
        return self._connection is not None and self._connection.writable

    def _write(self, chunks: bytes) -> None:
        assert self._connection is not None
        self._connection.write(chunks)

    @property
    def _version(self) -> int | None:
        """The version told last, for a farewell; None where there are no versions."""
        return None

    def farewell(self) -> None:
        """Say that this server closes, and end."""
        self._end("drain", drain(self._version))

    def beat(self, now: float) -> None:
        """Show that the stream lives; give up a client that reads nothing."""
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
        """Write the last chunks and close. A client with a full buffer gets them when it reads again, if it does.

        A reader that is not open yet does so as it is opened; the first farewell counts.
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
        """Let go of everything a stream holds that was never opened, or is not any more."""
        self._slot.free()

    # ── heard from the connection ──────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """There is room again; subclasses go on from here."""

    def connection_lost(self) -> None:
        """The stream has ended, from whichever side."""
        if self._connection is not None:
            self._connection = None
            self._readers.remove(self)
            self.abandon()


class Readers:
    """Every open event stream of this process, and the clock."""

    def __init__(self) -> None:
        self._slots: tuple[set[EventReader], ...] = tuple(set() for _ in range(PING_SECONDS))
        self._others: set[Callable[[], None]] = set()
        self.are_leaving = False
        """Everybody was told good-bye; so is whoever comes after that."""
        self._turn = 0
        self._clock: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return sum(map(len, self._slots))

    def start(self) -> None:
        """Let the clock beat."""
        self._clock = asyncio.create_task(self._beat(), name="heartbeat of the event streams")

    def add(self, reader: EventReader) -> None:
        """Beat for a reader; each goes where the fewest are, so that no second has all the work."""
        min(self._slots, key=len).add(reader)

    def remove(self, reader: EventReader) -> None:
        """Beat no more for a reader."""
        for slot in self._slots:
            slot.discard(reader)

    @contextmanager
    def farewell_to(self, say: Callable[[], None]) -> Iterator[None]:
        """Say good-bye also to somebody who waits without being an event stream."""
        self._others.add(say)
        try:
            if self.are_leaving:
                say()
            yield
        finally:
            self._others.discard(say)

    def farewell(self) -> None:
        """Say good-bye to everybody, and to whoever comes yet."""
        self.are_leaving = True
        for say in tuple(self._others):
            say()
        for slot in self._slots:
            for reader in tuple(slot):
                reader.farewell()

    async def close(self) -> None:
        """Say good-bye, and stop the clock."""
        self.farewell()
        if self._clock is not None:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            self._turn = (self._turn + 1) % PING_SECONDS
            now = loop.time()
            for reader in tuple(self._slots[self._turn]):
                try:
                    reader.beat(now)
                except Exception as error:  # noqa: BLE001 - the others' streams go on; it is logged
                    _log.error("internal error", what="heartbeat", **without_message(error))
