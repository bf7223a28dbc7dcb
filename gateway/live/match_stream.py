"""A match's event stream for one reader: first the moves it missed, read from the log page by page, then live moves."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from foldtable.matches.v1.match_service_pb2 import GetViewRequest, GetViewResponse, ListMovesRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.access.stream_slots import Slot
from gateway.live import close_reasons
from gateway.live.readers import EventReader, Readers
from gateway.problems.document import ProblemError
from gateway.server.event_connection import EventConnection
from gateway.telemetry.logs import without_message
from gateway.upstream.follow import match_events
from gateway.upstream.follow.follows import Follow
from gateway.upstream.rules import call

PAGE: Final = 100
"""Moves per read while catching up. No more than these wait in memory for a reader."""

_log = structlog.get_logger("gateway.streams")


class MatchReader(EventReader):
    """Sends each version once, in order. Holds its subscription until it ends."""

    __slots__ = ("_catching_up", "_follow", "_room", "_seconds", "_sent_version", "position")

    def __init__(
        self, readers: Readers, slot: Slot, follow: Follow, *, after: int | None, seconds: float
    ) -> None:
        """`after` is the version the client has; None: it begins with a snapshot. `seconds` is the deadline of one read."""
        super().__init__(readers, slot)
        self._follow = follow
        self._seconds = seconds
        self._sent_version = after
        """The version sent last."""
        self.position: int | None = None
        """The version sent last, once the moves come from the topic; None while the reader still catches up from the log."""
        self._catching_up: asyncio.Task[None] | None = None
        self._room: asyncio.Future[None] | None = None
        follow.member = self

    @property
    def _version(self) -> int | None:
        return self._sent_version

    async def snapshot(self) -> bytes:
        """Return the event with the current state, and continue after its version. Raises ProblemError."""
        shown: GetViewResponse = await call(
            self._follow.stream.matches.GetView,
            GetViewRequest(
                match_id=self._follow.match_id,
                audience=self._follow.wanted,
                form=PAYLOAD_FORM_JSON,
                language=self._follow.language,
            ),
            seconds=self._seconds,
            metadata=(("authorization", self._follow.authorization),),
            in_query=True,
        )
        self._sent_version = shown.version
        return match_events.snapshot(shown)

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Open the stream and send the moves that are new."""
        self.open(connection, opening)
        self.wake()

    # ── called by the topic ────────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Write the moves that are new, if the client can take them."""
        if not self.is_open or self._catching_up is not None:
            return
        topic = self._follow.topic
        if self._sent_version is None:
            if topic.version > 0:  # the match has just begun
                self._catch_up()
            return
        if not topic.holds(self._sent_version):
            if self.position is None:
                self._catch_up()
            else:  # it was live, and the topic no longer holds its next move
                self._end("lagged", close_reasons.lagged(self._sent_version))
            return
        self.position = self._sent_version
        if not self._writable:
            return
        if self._sent_version < topic.version:
            self._write(topic.after(self._sent_version))
            self._sent_version = self.position = topic.version
        if topic.ended and self._sent_version >= topic.version:
            self._end("match ended", match_events.match_ended(self._sent_version))

    def revoke(self, reason: str) -> None:
        """End the stream because the credential is no longer valid."""
        self._end("revoked", close_reasons.revoked(reason))

    # ── called by the connection ───────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """Continue now that the client reads again."""
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self.wake()
        if self.is_open:
            self._follow.topic.trim()

    def abandon(self) -> None:
        """Release the subscription and the slot."""
        self._follow.member = None
        self._follow.end()
        if self._catching_up is not None and self._catching_up is not asyncio.current_task():
            self._catching_up.cancel()
        super().abandon()

    # ── catching up ────────────────────────────────────────────────────────────────────────────────

    def _catch_up(self) -> None:
        self._catching_up = asyncio.create_task(self._read_log(), name="catching up")

    async def _read_log(self) -> None:
        """Send the moves that the topic no longer holds, read from the log at the client's own pace."""
        try:
            if self._sent_version is None:
                self._write_if_open(await self.snapshot())
            while self.is_open and not self._follow.topic.holds(self._sent_version or 0):
                await self._has_room()
                self._write_if_open(await self._page())
        except ProblemError as problem:
            _log.warning("stream given up", reason=problem.reason.name)
            self.stop()
        except Exception as error:  # noqa: BLE001 - the stream ends, so that its client reconnects; the error is logged
            _log.error("internal error", what="catching up", **without_message(error))
            self.stop()
        finally:
            self._catching_up = None
        self.wake()

    async def _page(self) -> bytes:
        page = await call(
            self._follow.stream.matches.ListMoves,
            ListMovesRequest(
                match_id=self._follow.match_id,
                audience=self._follow.wanted,
                after_version=self._sent_version or 0,
                page_size=PAGE,
                form=PAYLOAD_FORM_JSON,
                language=self._follow.language,
            ),
            seconds=self._seconds,
            metadata=(("authorization", self._follow.authorization),),
            in_query=True,
        )
        if page.moves:
            self._sent_version = page.moves[-1].version
        return b"".join(map(match_events.move_applied, page.moves))

    def _write_if_open(self, chunks: bytes) -> None:
        if self.is_open and chunks:
            self._write(chunks)

    async def _has_room(self) -> None:
        while self.is_open and not self._writable:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
