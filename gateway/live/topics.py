"""One match for one audience, and everybody in this process who follows it.

The moves come once, by the follow that has the voice. A move is rendered once and waits in a ring until every reader
has it; a reader for whom the ring has moved on was too slow. Memory is bounded by the ring, whoever reads.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from foldtable.matches.v1 import match_pb2
from foldtable.rules.v1.table_pb2 import Audience
from gateway.live.follows import Follow
from gateway.live.match_events import move_applied

if TYPE_CHECKING:
    from gateway.live.follow_stream import FollowStream

RING_EVENTS: Final = 128
RING_BYTES: Final = 512 * 1024
WOKEN_AT_ONCE: Final = 100

TopicKey = tuple[str, int, int]


def topic_key(match_id: str, audience: Audience) -> TopicKey:
    """Tell topics apart: match, kind of audience, seat."""
    return match_id, audience.kind, audience.seat if audience.HasField("seat") else -1


class Topic:
    """Belongs to one follow stream, and is gone with its last follow."""

    __slots__ = (
        "_follows",
        "_ring",
        "_ring_bytes",
        "_stream",
        "audience",
        "ended",
        "key",
        "version",
        "voice",
    )

    def __init__(
        self, stream: FollowStream, match_id: str, audience: Audience, *, version: int, ended: bool
    ) -> None:
        """`version` is the match's when the first follow began."""
        self._stream = stream
        self.key = topic_key(match_id, audience)
        self.audience = audience
        self.version = version
        self.ended = ended
        self.voice: Follow | None = None
        """The follow that is told the moves; every other one is silent."""
        self._follows: dict[int, Follow] = {}
        self._ring: deque[bytes] = deque()
        """The newest moves without a gap; the last is that of `version`."""
        self._ring_bytes = 0

    # ── who follows ────────────────────────────────────────────────────────────────────────────────

    def add(self, follow: Follow) -> None:
        """Take a follow in that has begun."""
        self._follows[follow.id] = follow
        follow.wanted = self.audience
        if self.voice is None:
            self._give_voice(follow)

    def remove(self, follow: Follow) -> None:
        """Let a follow go; another one gets its voice."""
        self._follows.pop(follow.id, None)
        if not self._follows:
            self._stream.forget(self)
        elif self.voice is follow:
            self._give_voice(next(iter(self._follows.values())))

    def _give_voice(self, follow: Follow) -> None:
        self.voice = follow
        if not self.ended:
            self._stream.listen(follow, after=self.version)

    # ── what happens ───────────────────────────────────────────────────────────────────────────────

    def move(self, move: match_pb2.Move) -> None:
        """Take in the next move; one that is known is passed over."""
        if move.version != self.version + 1:
            return
        self.version = move.version
        chunk = move_applied(move)
        self._ring.append(chunk)
        self._ring_bytes += len(chunk)
        while len(self._ring) > RING_EVENTS or (self._ring_bytes > RING_BYTES and len(self._ring) > 1):
            self._ring_bytes -= len(self._ring.popleft())
        self._wake()

    def end(self, version: int) -> None:
        """The match is over; `version` was its last."""
        if version == self.version and not self.ended:
            self.ended = True
            self._wake()

    def _wake(self) -> None:
        self._wake_some(tuple(self._follows.values()), 0)

    def _wake_some(self, follows: tuple[Follow, ...], start: int) -> None:
        """Wake a few now and the rest in the event loop's next turns: thousands must not hold up everybody else."""
        end = start + WOKEN_AT_ONCE
        for follow in follows[start:end]:
            if follow.member is not None:  # it may have left meanwhile
                follow.member.wake()
        if end < len(follows):
            asyncio.get_running_loop().call_soon(self._wake_some, follows, end)
        else:
            self.trim()

    # ── what readers take ──────────────────────────────────────────────────────────────────────────

    def holds(self, position: int) -> bool:
        """Tell whether everything after a version is in the ring."""
        return position >= self.version - len(self._ring)

    def after(self, position: int) -> bytes:
        """Give the chunks after a version the ring holds; the very same object for everybody who is only one behind."""
        missing = self.version - position
        if missing <= 0:
            return b""
        if missing == 1:
            return self._ring[-1]
        return b"".join(list(self._ring)[-missing:])

    def trim(self) -> None:
        """Drop what everybody has; called where the slowest may have got on."""
        if self._ring:
            # A reader may be ahead: its snapshot is newer than what the voice has told so far.
            needed = max(0, self.version - min(self._positions(), default=self.version))
            while len(self._ring) > needed:
                self._ring_bytes -= len(self._ring.popleft())

    def _positions(self) -> Iterator[int]:
        for follow in self._follows.values():
            if follow.member is not None and follow.member.position is not None:
                yield follow.member.position
