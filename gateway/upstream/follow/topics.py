"""One match for one audience, and all subscriptions to it in this process.

The moves arrive only once, over the one subscription that is not silent (the voice). A move is rendered once and stays in a
ring buffer until every reader has it. A reader whose next move has left the ring was too slow. The ring bounds the memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.table_pb2 import GetTableResponse
from foldtable.rules.v1.table_pb2 import Audience
from gateway.upstream.follow.follows import Follow, Member
from gateway.upstream.follow.match_events import (
    encoded_table,
    move_applied,
    seats_updated,
    table_event,
    table_patched,
)
from services.process.caught_errors import log_caught

if TYPE_CHECKING:
    from gateway.upstream.follow.stream import FollowStream

RING_EVENTS: Final = 128
RING_BYTES: Final = 512 * 1024
WOKEN_AT_ONCE: Final = 100

TopicKey = tuple[str, int, int, str, bool]


def topic_key(match_id: str, audience: Audience, language: str, *, has_table: bool = False) -> TopicKey:
    """Return the key of a topic: match, kind of audience, seat, language of the texts, and whether it has tables."""
    return match_id, audience.kind, audience.seat if audience.HasField("seat") else -1, language, has_table


class Topic:
    """A match for one audience, in one language or without texts, with tables or without. It belongs to one follow stream and ends with its last subscription."""

    __slots__ = (
        "_follows",
        "_ring",
        "_ring_bytes",
        "_stream",
        "_table",
        "audience",
        "ended",
        "key",
        "news",
        "news_number",
        "news_patch",
        "news_version",
        "version",
        "voice",
    )

    def __init__(
        self,
        stream: FollowStream,
        match_id: str,
        audience: Audience,
        *,
        language: str = "",
        has_table: bool = False,
        version: int,
        ended: bool,
    ) -> None:
        """`version` is the match's version when the first subscription began."""
        self._stream = stream
        self.key = topic_key(match_id, audience, language, has_table=has_table)
        self.audience = audience
        self.version = version
        self.ended = ended
        self.voice: Follow | None = None
        """The subscription that receives the moves; all others are silent."""
        self._follows: dict[int, Follow] = {}
        self._ring: deque[bytes] = deque()
        """The newest moves without a gap; the last one led to `version`."""
        self._ring_bytes = 0
        self._table = b""
        """The newest table as JSON."""
        self.news = b""
        """The newest table, or the newest seats, as an event; empty: none came yet."""
        self.news_patch = b""
        """The same for readers that have the table before it: what has changed; empty if the whole is sent to them, too."""
        self.news_number = 0
        """How often there was news."""
        self.news_version = 0
        """The version that the news is of."""

    # ── subscriptions ──────────────────────────────────────────────────────────────────────────────

    def add(self, follow: Follow) -> None:
        """Add a subscription that has begun."""
        self._follows[follow.id] = follow
        follow.wanted = self.audience
        if self.voice is None:
            self._give_voice(follow)

    def remove(self, follow: Follow) -> None:
        """Remove a subscription. If it had the voice, another one gets it."""
        self._follows.pop(follow.id, None)
        if not self._follows:
            self._stream.forget(self)
        elif self.voice is follow:
            self._give_voice(next(iter(self._follows.values())))

    def _give_voice(self, follow: Follow) -> None:
        self.voice = follow
        if not self.ended or follow.has_table:  # the table of a match that is over comes this way, too
            self._stream.listen(follow, after=self.version)

    # ── updates ────────────────────────────────────────────────────────────────────────────────────

    def move(self, move: match_pb2.Move) -> None:
        """Store the next move and wake the readers; a move that is already known is ignored."""
        if move.version != self.version + 1:
            return
        chunk = move_applied(move)
        self.version = move.version
        self._ring.append(chunk)
        self._ring_bytes += len(chunk)
        while len(self._ring) > RING_EVENTS or (self._ring_bytes > RING_BYTES and len(self._ring) > 1):
            self._ring_bytes -= len(self._ring.popleft())
        self._wake()

    def show_seats(self, match: match_pb2.Match) -> None:
        """Store the newest seats, and wake the readers; equal seats are ignored."""
        news = seats_updated(match)
        if news == self.news:
            return
        self.news, self.news_version = news, match.version
        self.news_number += 1
        self._wake()

    def show_table(self, shown: GetTableResponse) -> None:
        """Store the newest table and what has changed since the one before, and wake the readers; an equal table is ignored."""
        table = encoded_table(shown)
        before, self._table = self._table, table
        if before == table:
            return
        self.news, self.news_version = table_event(table, shown.version), shown.version
        self.news_patch = table_patched(before, table, shown.version) if before else b""
        self.news_number += 1
        self._wake()

    def end(self, version: int) -> None:
        """Mark the match as ended; `version` is its last."""
        if version == self.version and not self.ended:
            self.ended = True
            self._wake()

    def _wake(self) -> None:
        self._wake_some(tuple(self._follows.values()), 0)

    def _wake_some(self, follows: tuple[Follow, ...], start: int) -> None:
        """Wake some readers now and the rest in later loop iterations, so that thousands of readers do not block the loop."""
        end = start + WOKEN_AT_ONCE
        for follow in follows[start:end]:
            if follow.member is not None:  # the reader may have left meanwhile
                _wake_one(follow.member)
        if end < len(follows):
            asyncio.get_running_loop().call_soon(self._wake_some, follows, end)
        else:
            self.trim()

    # ── reading ────────────────────────────────────────────────────────────────────────────────────

    def holds(self, position: int) -> bool:
        """Return whether the ring contains every move after a version."""
        return position >= self.version - len(self._ring)

    def after(self, position: int) -> bytes:
        """Return the chunks after a version. Readers that are one move behind all get the same object."""
        missing = self.version - position
        if missing <= 0:
            return b""
        if missing == 1:
            return self._ring[-1]
        return b"".join(list(self._ring)[-missing:])

    def trim(self) -> None:
        """Drop the moves that every reader has; called whenever the slowest one may have advanced."""
        if self._ring:
            # A reader may be ahead of the topic, if its snapshot is newer than the moves received so far.
            needed = max(0, self.version - min(self._positions(), default=self.version))
            while len(self._ring) > needed:
                self._ring_bytes -= len(self._ring.popleft())

    def _positions(self) -> Iterator[int]:
        for follow in self._follows.values():
            if follow.member is not None and follow.member.position is not None:
                yield follow.member.position


def _wake_one(member: Member) -> None:
    """Wake one reader; if that fails, end its stream, so that its client reconnects. It raises nothing: the others are woken, too."""
    for call in (member.wake, member.stop):
        try:
            call()
        except Exception as error:  # noqa: BLE001 - the other readers are woken all the same; the error is logged
            log_caught("reader of a match", error)
        else:
            return
