"""A feed for one client: the current status of each match that changes. A slow client misses intermediate changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from foldtable.platform.v1.feed_pb2 import FeedMatch
from gateway.access.stream_slots import Slot
from gateway.live import close_reasons
from gateway.live.feed_events import match_updated, micros
from gateway.live.open_streams import OpenStream, OpenStreams
from gateway.server.event_connection import EventConnection

MAX_PENDING: Final = 1_000
"""Changed matches that may wait for a slow client. Only the newest status of each match waits."""


class FeedStream(OpenStream):
    """Streams the matches of a player, of a tenant, or those of a tenant in which bots play."""

    __slots__ = ("_ahead", "_cursor", "_has_begun", "_pending", "_unsubscribe", "bots", "player")

    def __init__(self, open_streams: OpenStreams, slot: Slot, *, player: str, bots: bool = False) -> None:
        super().__init__(open_streams, slot)
        self.player = player
        self.bots = bots
        self._cursor = 0
        """The event id sent last; it never decreases."""
        self._has_begun = False
        self._pending: dict[str, FeedMatch] = {}
        self._ahead: dict[str, int] = {}
        """Versions that the opening contained and that the offered changes have not reached yet, by match id."""
        self._unsubscribe: Callable[[], None] | None = None

    def subscribed(self, unsubscribe: Callable[[], None]) -> None:
        """Note that changes are offered from now on; calling `unsubscribe` ends that."""
        self._unsubscribe = unsubscribe

    def read_up_to(self, matches: Iterable[FeedMatch], cursor: int) -> None:
        """Note which matches were read for the opening, so that changes that are not newer are not sent again.

        The read may have overtaken changes that are still on their way; older ones are dropped.
        """
        self._cursor = cursor
        for match in matches:
            self._ahead[match.match_id] = match.version
            waiting = self._pending.get(match.match_id)
            if waiting is not None and waiting.version <= match.version:
                del self._pending[match.match_id]

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Open the stream and send the changes that are waiting."""
        self._has_begun = True
        self.open(connection, opening)
        self._flush()

    def offer(self, match: FeedMatch) -> None:
        """Send a changed match, or keep it until the client can take it."""
        if match.version < self._ahead.get(match.match_id, 0):
            return
        self._ahead.pop(match.match_id, None)
        waiting = self._pending.get(match.match_id)
        if waiting is None or waiting.version <= match.version:
            self._pending[match.match_id] = match
        if self._has_begun:
            self._flush()

    def revoke(self, reason: str) -> None:
        """End the stream because the credential is no longer valid."""
        self._end("revoked", close_reasons.revoked(reason))

    def connection_ready(self) -> None:
        """Send the waiting changes now that the client reads again."""
        self._flush()

    def abandon(self) -> None:
        """Release everything the stream holds."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        super().abandon()

    def _flush(self) -> None:
        if self.is_writable:
            pending, self._pending = self._pending, {}
            chunks = [self._event(match) for match in pending.values()]
            if chunks:
                self._write(b"".join(chunks))
        elif self.is_open and len(self._pending) > MAX_PENDING:
            self._end("lagged", close_reasons.lagged(None))

    def _event(self, match: FeedMatch) -> bytes:
        self._cursor = max(self._cursor, micros(match.update_time))
        return match_updated(match, self.player, self._cursor)
