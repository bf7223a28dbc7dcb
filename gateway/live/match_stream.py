"""The event stream of one match."""

from __future__ import annotations

from gateway.access.stream_slots import Slot
from gateway.live.match_part import MatchPart
from gateway.live.open_streams import OpenStream, OpenStreams
from gateway.server.event_connection import EventConnection


class MatchStream(OpenStream):
    """Sends the events of its one part unchanged; the ids of events are versions."""

    __slots__ = ("_part",)

    def __init__(self, open_streams: OpenStreams, slot: Slot, part: MatchPart) -> None:
        super().__init__(open_streams, slot)
        self._part = part
        part.belong_to(self)

    @property
    def _version(self) -> int | None:
        return self._part.sent_version

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Open the stream and send what is new."""
        self.open(connection, opening)
        self._part.wake()

    # ── called by the part ─────────────────────────────────────────────────────────────────────────

    def send(self, part: MatchPart, chunks: bytes) -> None:
        """Write events."""
        del part  # there is only one
        self._write(chunks)

    def part_ended(self, part: MatchPart, why: str, last: bytes) -> None:
        """End the stream with its match."""
        del part
        self._end(why, last)

    # ── called by the connection ───────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """Continue now that the client reads again."""
        self._part.ready()

    def abandon(self) -> None:
        """Release the subscription and the slot."""
        self._part.abandon()
        super().abandon()
