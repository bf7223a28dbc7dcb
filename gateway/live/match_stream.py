"""A match's event stream for one reader: first what was missed, read from the log page by page, then live."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from foldtable.matches.v1.match_service_pb2 import GetViewRequest, GetViewResponse, ListMovesRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.clients import call
from gateway.live import farewells, match_events
from gateway.live.connections import EventConnection
from gateway.live.follows import Follow
from gateway.live.readers import EventReader, Readers
from gateway.logs import without_message
from gateway.problem_documents import ProblemError
from gateway.stream_slots import Slot

PAGE: Final = 100
"""Moves read at once while catching up; what a reader has not taken yet holds no more than these."""

_log = structlog.get_logger("gateway.streams")


class MatchReader(EventReader):
    """Tells each version once, in order. Holds its follow until it ends."""

    __slots__ = ("_catching_up", "_follow", "_room", "_seconds", "_told", "position")

    def __init__(
        self, readers: Readers, slot: Slot, follow: Follow, *, after: int | None, seconds: float
    ) -> None:
        """`after` is the version the client has; None: it begins with a snapshot. `seconds`: deadline of a read."""
        super().__init__(readers, slot)
        self._follow = follow
        self._seconds = seconds
        self._told = after
        """The version told last."""
        self.position: int | None = None
        """The same once it is told by the topic; None while it still catches up by itself."""
        self._catching_up: asyncio.Task[None] | None = None
        self._room: asyncio.Future[None] | None = None
        follow.member = self

    @property
    def _version(self) -> int | None:
        return self._told

    async def snapshot(self) -> bytes:
        """Give the table as it stands, and go on after it; ProblemError."""
        shown: GetViewResponse = await call(
            self._follow.stream.matches.GetView,
            GetViewRequest(
                match_id=self._follow.match_id, audience=self._follow.wanted, form=PAYLOAD_FORM_JSON
            ),
            seconds=self._seconds,
            metadata=(("authorization", self._follow.authorization),),
            in_query=True,
        )
        self._told = shown.version
        return match_events.snapshot(shown)

    def begin(self, connection: EventConnection, opening: bytes) -> None:
        """Begin to tell."""
        self.open(connection, opening)
        self.wake()

    # ── heard from the topic ───────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Write what is new, if the client takes it."""
        if not self.is_open or self._catching_up is not None:
            return
        topic = self._follow.topic
        if self._told is None:
            if topic.version > 0:  # the match has just begun
                self._catch_up()
            return
        if not topic.holds(self._told):
            if self.position is None:
                self._catch_up()
            else:  # it was live, and has been left behind
                self._end("lagged", farewells.lagged(self._told))
            return
        self.position = self._told
        if not self._writable:
            return
        if self._told < topic.version:
            self._write(topic.after(self._told))
            self._told = self.position = topic.version
        if topic.ended and self._told >= topic.version:
            self._end("match ended", match_events.match_ended(self._told))

    def revoke(self, reason: str) -> None:
        """The credential is no longer good."""
        self._end("revoked", farewells.revoked(reason))

    # ── heard from the connection ──────────────────────────────────────────────────────────────────

    def connection_ready(self) -> None:
        """There is room again."""
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self.wake()
        if self.is_open:
            self._follow.topic.trim()

    def abandon(self) -> None:
        """Let go of the follow and the slot."""
        self._follow.member = None
        self._follow.end()
        if self._catching_up is not None and self._catching_up is not asyncio.current_task():
            self._catching_up.cancel()
        super().abandon()

    # ── catching up ────────────────────────────────────────────────────────────────────────────────

    def _catch_up(self) -> None:
        self._catching_up = asyncio.create_task(self._read_log(), name="catching up")

    async def _read_log(self) -> None:
        """Tell what the topic does not hold any more, at the client's own pace; it is in the log for ever."""
        try:
            if self._told is None:
                self._write_if_open(await self.snapshot())
            while self.is_open and not self._follow.topic.holds(self._told or 0):
                await self._has_room()
                self._write_if_open(await self._page())
        except ProblemError as problem:
            _log.warning("stream given up", reason=problem.reason.name)
            self.farewell()
        except Exception as error:  # noqa: BLE001 - whoever reads comes back instead of hearing nothing; it is logged
            _log.error("internal error", what="catching up", **without_message(error))
            self.farewell()
        finally:
            self._catching_up = None
        self.wake()

    async def _page(self) -> bytes:
        page = await call(
            self._follow.stream.matches.ListMoves,
            ListMovesRequest(
                match_id=self._follow.match_id,
                audience=self._follow.wanted,
                after_version=self._told or 0,
                page_size=PAGE,
                form=PAYLOAD_FORM_JSON,
            ),
            seconds=self._seconds,
            metadata=(("authorization", self._follow.authorization),),
            in_query=True,
        )
        if page.moves:
            self._told = page.moves[-1].version
        return b"".join(map(match_events.move_applied, page.moves))

    def _write_if_open(self, chunks: bytes) -> None:
        if self.is_open and chunks:
            self._write(chunks)

    async def _has_room(self) -> None:
        while self.is_open and not self._writable:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
