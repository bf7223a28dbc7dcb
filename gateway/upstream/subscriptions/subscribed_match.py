"""One match for one audience, and all subscriptions to it in this process.

The moves arrive only once, over the one subscription that is not silent (the voice). A move is rendered once and stays in a
ring buffer until every subscriber has it. A subscriber whose next move has left the ring was too slow. The ring bounds the memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.table_pb2 import GetTableResponse
from foldtable.rules.v1.table_pb2 import Audience
from gateway.upstream.subscriptions.match_events import (
    encoded_table,
    move_applied,
    seats_updated,
    table_event,
    table_patched,
)
from gateway.upstream.subscriptions.subscription import Subscriber, Subscription
from services.process.caught_errors import log_caught

if TYPE_CHECKING:
    from gateway.upstream.subscriptions.stream import SubscriptionStream

RING_EVENTS: Final = 128
RING_BYTES: Final = 512 * 1024
WOKEN_AT_ONCE: Final = 100

MatchKey = tuple[str, int, int, str, bool]


def match_key(match_id: str, audience: Audience, language: str, *, has_table: bool = False) -> MatchKey:
    """Return the key of a subscribed match: match, kind of audience, seat, language of the texts, and whether it has tables."""
    return match_id, audience.kind, audience.seat if audience.HasField("seat") else -1, language, has_table


class SubscribedMatch:
    """A match for one audience, in one language or without texts, with tables or without. It belongs to one subscription stream and ends with its last subscription."""

    __slots__ = (
        "_ring",
        "_ring_bytes",
        "_stream",
        "_subscriptions",
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
        stream: SubscriptionStream,
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
        self.key = match_key(match_id, audience, language, has_table=has_table)
        self.audience = audience
        self.version = version
        self.ended = ended
        self.voice: Subscription | None = None
        """The subscription that receives the moves; all others are silent."""
        self._subscriptions: dict[int, Subscription] = {}
        self._ring: deque[bytes] = deque()
        """The newest moves without a gap; the last one led to `version`."""
        self._ring_bytes = 0
        self._table = b""
        """The newest table as JSON."""
        self.news = b""
        """The newest table, or the newest seats, as an event; empty: none came yet."""
        self.news_patch = b""
        """The same for subscribers that have the table before it: what has changed; empty if the whole is sent to them, too."""
        self.news_number = 0
        """How often there was news."""
        self.news_version = 0
        """The version that the news is of."""

    # ── subscriptions ──────────────────────────────────────────────────────────────────────────────

    def add(self, subscription: Subscription) -> None:
        """Add a subscription that has begun."""
        self._subscriptions[subscription.id] = subscription
        subscription.wanted = self.audience
        if self.voice is None:
            self._give_voice(subscription)

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscription. If it had the voice, another one gets it."""
        self._subscriptions.pop(subscription.id, None)
        if not self._subscriptions:
            self._stream.forget(self)
        elif self.voice is subscription:
            self._give_voice(next(iter(self._subscriptions.values())))

    def _give_voice(self, subscription: Subscription) -> None:
        self.voice = subscription
        if not self.ended or subscription.has_table:  # the table of a match that is over comes this way, too
            self._stream.ask_for_moves(subscription, after=self.version)

    # ── updates ────────────────────────────────────────────────────────────────────────────────────

    def move(self, move: match_pb2.Move) -> None:
        """Store the next move and wake the subscribers; a move that is already known is ignored."""
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
        """Store the newest seats, and wake the subscribers; equal seats are ignored."""
        news = seats_updated(match)
        if news == self.news:
            return
        self.news, self.news_version = news, match.version
        self.news_number += 1
        self._wake()

    def show_table(self, shown: GetTableResponse) -> None:
        """Store the newest table and what has changed since the one before, and wake the subscribers; an equal table is ignored."""
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
        self._wake_some(tuple(self._subscriptions.values()), 0)

    def _wake_some(self, subscriptions: tuple[Subscription, ...], start: int) -> None:
        """Wake some subscribers now and the rest in later loop iterations, so that thousands of subscribers do not block the loop."""
        end = start + WOKEN_AT_ONCE
        for subscription in subscriptions[start:end]:
            if subscription.subscriber is not None:  # the subscriber may have left meanwhile
                _wake_one(subscription.subscriber)
        if end < len(subscriptions):
            asyncio.get_running_loop().call_soon(self._wake_some, subscriptions, end)
        else:
            self.trim()

    # ── reading ────────────────────────────────────────────────────────────────────────────────────

    def holds(self, position: int) -> bool:
        """Return whether the ring contains every move after a version."""
        return position >= self.version - len(self._ring)

    def after(self, position: int) -> bytes:
        """Return the chunks after a version. Subscribers that are one move behind all get the same object."""
        missing = self.version - position
        if missing <= 0:
            return b""
        if missing == 1:
            return self._ring[-1]
        return b"".join(list(self._ring)[-missing:])

    def trim(self) -> None:
        """Drop the moves that every subscriber has; called whenever the slowest one may have advanced."""
        if self._ring:
            # A subscriber may be ahead of this, if its snapshot is newer than the moves received so far.
            needed = max(0, self.version - min(self._positions(), default=self.version))
            while len(self._ring) > needed:
                self._ring_bytes -= len(self._ring.popleft())

    def _positions(self) -> Iterator[int]:
        for subscription in self._subscriptions.values():
            if subscription.subscriber is not None and subscription.subscriber.position is not None:
                yield subscription.subscriber.position


def _wake_one(subscriber: Subscriber) -> None:
    """Wake one subscriber; if that fails, end its stream, so that its client reconnects. It raises nothing: the others are woken, too."""
    for call in (subscriber.wake, subscriber.stop):
        try:
            call()
        except Exception as error:  # noqa: BLE001 - the other subscribers are woken all the same; the error is logged
            log_caught("subscriber to a match", error)
        else:
            return
