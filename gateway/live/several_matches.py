"""The event stream of several matches, for a page that shows many and may hold few connections (HTTP/1.1: six).

Each event has the id of its match in its data. Its own id says what the client has then of each match, in the order in which they
were asked for, such as `12.0.40` (before.py). A match that the client may no longer read ends with `revoked`, and the others go on.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from gateway.access.stream_slots import Slot
from gateway.http.sse import chunk, events_in
from gateway.live.before import LOST
from gateway.live.match_part import MatchPart
from gateway.live.open_streams import OpenStream, OpenStreams
from gateway.problems.document import ProblemError
from gateway.server.event_connection import EventConnection

_DATA: Final = b"\ndata: {"
_OF_A_MATCH: Final = b'\ndata: {"match_id":'
_PER_STREAM: Final = frozenset({"lagged", "drain"})
"""Ends of one part with which the whole stream ends: its client has to reconnect."""
_TELLS_NO_ID: Final = (b"event: reset\n", b"event: drain\n", b"event: lagged\n")
"""Events after which a client continues where it was before."""
AGAIN_SECONDS: Final = 15.0
"""How long a stream goes on without a match that could not be reached, before its client has to reconnect."""


@dataclass(frozen=True)
class LostMatch:
    """A match that the client had on its stream before, and may no longer read."""

    match_id: str
    sent_version: int | None
    """The version that the client has."""
    reason: str
    """The reason with which a request would be refused; empty: the client was told before."""


@dataclass(frozen=True)
class AbsentMatch:
    """A match that the client had on its stream before, and that cannot be reached now."""

    match_id: str
    sent_version: int | None
    """The version that the client has."""
    problem: ProblemError
    """With which a request would be refused."""


class SeveralMatchesStream(OpenStream):
    """Sends the events of its parts, each marked with its match. It ends when the last match has ended."""

    __slots__ = ("_again", "_ended_early", "_lost", "_matches", "_open_parts", "_parts")

    def __init__(
        self, open_streams: OpenStreams, slot: Slot, matches: tuple[MatchPart | LostMatch | AbsentMatch, ...]
    ) -> None:
        """`matches` are in the order of the versions in the ids of events."""
        super().__init__(open_streams, slot)
        self._matches = matches
        self._parts = tuple(one for one in matches if isinstance(one, MatchPart))
        self._open_parts = set(self._parts)
        self._lost: set[MatchPart | LostMatch | AbsentMatch] = {
            one for one in matches if isinstance(one, LostMatch)
        }
        """The matches of which the client is or was told that it may no longer read them."""
        self._again: asyncio.TimerHandle | None = None
        """Timer that ends a stream without some of its matches."""
        self._ended_early = b""
        """The last events of parts that ended before the stream was open."""
        for part in self._parts:
            part.belong_to(self)

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Open the stream and send what is new of each match."""
        self.open(connection, opening + self._ended_early)
        if not self._open_parts and self.is_open:
            self._end("revoked", b"")
        for part in self._parts:
            if part in self._open_parts and self.is_open:
                part.wake()
        if self.is_open and any(isinstance(one, AbsentMatch) for one in self._matches):
            self._again = asyncio.get_running_loop().call_later(AGAIN_SECONDS, self.stop)

    def marked(self, of: MatchPart | LostMatch, chunks: bytes) -> bytes:
        """Return the events of a match with its id and the versions that the client has after them."""
        match = of.match_id.encode("ascii")
        return b"".join(chunk(self._marked(of, event, match)) for event in events_in(chunks))

    def _marked(self, of: MatchPart | LostMatch, event: bytes, match: bytes) -> bytes:
        own: bytes | None = None
        if event.startswith(b"id: "):
            # More of the same match may follow in these chunks, so its version is the event's and not the last.
            line, _, event = event.partition(b"\n")
            own = line[len(b"id: ") :]
        if own is not None or not event.startswith(_TELLS_NO_ID):
            versions = [own if one is of and own else self._version_of(one) for one in self._matches]
            event = b"id: %b\n%b" % (b".".join(versions), event)
        if _OF_A_MATCH in event:
            return event
        return event.replace(_DATA, b'%b"%b",' % (_OF_A_MATCH, match), 1)

    def _version_of(self, one: MatchPart | LostMatch | AbsentMatch) -> bytes:
        """Return what the client has of a match, as its part of an id."""
        return LOST.encode() if one in self._lost else b"%d" % (one.sent_version or 0)

    # ── called by the parts ────────────────────────────────────────────────────────────────────────

    def send(self, part: MatchPart, chunks: bytes) -> None:
        """Write events of a part."""
        self._write(self.marked(part, chunks))

    def part_ended(self, part: MatchPart, why: str, last: bytes) -> None:
        """Write the last event of a part; end the stream with its last part, or if its client has to reconnect."""
        if part not in self._open_parts:
            return
        self._open_parts.discard(part)
        if why == "revoked":
            self._lost.add(part)
        marked = self.marked(part, last)
        if why in _PER_STREAM or not self._open_parts:
            self._end(why, marked)
        else:
            part.abandon()
            if self.is_open:
                self._write(marked)
            else:
                self._ended_early += marked

    # ── called by the connection ───────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """Continue now that the client reads again."""
        for part in tuple(self._open_parts):
            part.ready()

    def abandon(self) -> None:
        """Release the subscriptions and the slot."""
        if self._again is not None:
            self._again.cancel()
        for part in self._parts:
            part.abandon()
        super().abandon()
