"""A feed for one reader: how each match stands, once for every change that the reader is quick enough to see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from foldtable.platform.v1.feed_pb2 import FeedMatch
from gateway.live import farewells
from gateway.live.connections import EventConnection
from gateway.live.feed_events import match_updated, micros
from gateway.live.readers import EventReader, Readers
from gateway.stream_slots import Slot

MOST_PENDING: Final = 1_000
"""Matches that have changed and that a slow reader has not taken; of each match only the newest state waits."""


class FeedReader(EventReader):
    """Tells of the matches of a player, of a tenant, or of those of a tenant that bots sit at."""

    __slots__ = ("_ahead", "_cursor", "_has_begun", "_leave", "_pending", "bots", "player")

    def __init__(self, readers: Readers, slot: Slot, *, player: str, bots: bool = False) -> None:
        super().__init__(readers, slot)
        self.player = player
        self.bots = bots
        self._cursor = 0
        """The id told last; it never goes back."""
        self._has_begun = False
        self._pending: dict[str, FeedMatch] = {}
        self._ahead: dict[str, int] = {}
        """Versions the opening has told and the changes that are offered have not reached yet."""
        self._leave: Callable[[], None] | None = None

    def joined(self, leave: Callable[[], None]) -> None:
        """From now on changes are offered; `leave` ends that."""
        self._leave = leave

    def read_up_to(self, matches: Iterable[FeedMatch], cursor: int) -> None:
        """These were read for the opening; changes that are no newer need not be told once more.

        The read may have overtaken changes that are still on their way: what is older is not told at all.
        """
        self._cursor = cursor
        for match in matches:
            self._ahead[match.match_id] = match.version
            waiting = self._pending.get(match.match_id)
            if waiting is not None and waiting.version <= match.version:
                del self._pending[match.match_id]

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Begin to tell."""
        self._has_begun = True
        self.open(connection, opening)
        self._tell()

    def offer(self, match: FeedMatch) -> None:
        """A match has changed."""
        if match.version < self._ahead.get(match.match_id, 0):
            return
        self._ahead.pop(match.match_id, None)
        waiting = self._pending.get(match.match_id)
        if waiting is None or waiting.version <= match.version:
            self._pending[match.match_id] = match
        if self._has_begun:
            self._tell()

    def revoke(self, reason: str) -> None:
        """The credential is no longer good."""
        self._end("revoked", farewells.revoked(reason))

    def connection_ready(self) -> None:
        """There is room again."""
        self._tell()

    def abandon(self) -> None:
        """Let go of everything."""
        if self._leave is not None:
            self._leave()
            self._leave = None
        super().abandon()

    def _tell(self) -> None:
        if self._writable:
            pending, self._pending = self._pending, {}
            chunks = [self._told(match) for match in pending.values()]
            if chunks:
                self._write(b"".join(chunks))
        elif self.is_open and len(self._pending) > MOST_PENDING:
            self._end("lagged", farewells.lagged(None))

    def _told(self, match: FeedMatch) -> bytes:
        self._cursor = max(self._cursor, micros(match.update_time))
        return match_updated(match, self.player, self._cursor)
