"""One match in an event stream: first the moves that its client missed, read from the log page by page, then live moves.

With tables, the newest table follows the newest move, so that a client which is behind gets moves first and one table.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

import structlog

from foldtable.matches.v1.match_service_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    GetViewRequest,
    GetViewResponse,
    ListMovesRequest,
)
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.live import close_reasons
from gateway.problems.document import ProblemError
from gateway.upstream.rules import call
from gateway.upstream.subscriptions import match_events
from gateway.upstream.subscriptions.subscription import Subscription
from services.process.structured_logs import without_message

PAGE: Final = 100
"""Moves per read while catching up. No more than these wait in memory for a client."""

_log = structlog.get_logger("gateway.streams")


class StreamOfParts(Protocol):
    """The event stream that a part belongs to."""

    @property
    def is_open(self) -> bool: ...

    @property
    def is_writable(self) -> bool:
        """Whether the client can take more now."""
        ...

    def send(self, part: MatchPart, chunks: bytes) -> None:
        """Write events of a part; they are sent in this order."""
        ...

    def part_ended(self, part: MatchPart, why: str, last: bytes) -> None:
        """Write the last event of a part, which sends nothing more."""
        ...

    def stop(self) -> None:
        """End the stream, because this process can no longer serve it."""
        ...


class MatchPart:
    """Sends each version of a match once, in order. Holds its subscription until it is abandoned."""

    __slots__ = (
        "_catching_up",
        "_news_seen",
        "_room",
        "_seats_shown",
        "_seconds",
        "_stream",
        "position",
        "sent_version",
        "subscription",
    )

    def __init__(self, subscription: Subscription, *, after: int | None, seconds: float) -> None:
        """`after` is the version the client has; None: it begins with a snapshot. `seconds` is the deadline of one read."""
        self.subscription = subscription
        self._stream: StreamOfParts
        self._seconds = seconds
        self.sent_version = after
        """The version sent last."""
        self.position: int | None = None
        """The version sent last, once the moves come from the subscribed match; None while the part still catches up from the log."""
        self._news_seen = 0 if subscription.has_table else subscription.match.news_number
        """The number of the subscribed match's latest news that was sent."""
        self._seats_shown = b""
        """The event with which the stream of a waiting match began, until there is news."""
        self._catching_up: asyncio.Task[None] | None = None
        self._room: asyncio.Future[None] | None = None

    @property
    def match_id(self) -> str:
        return self.subscription.match_id

    def belong_to(self, stream: StreamOfParts) -> None:
        """Set the stream that the part writes to, and take what the subscription announces from now on."""
        self._stream = stream
        self.subscription.subscriber = self

    async def opening(self) -> bytes:
        """Return the event with the current state, and continue after its version. Raises ProblemError.

        While the match waits for players, that is its seats. With tables, the newest one is the opening; if none came
        yet, it is sent when it comes.
        """
        if self.subscription.has_table:
            return self._take_news()
        if self.subscription.newest == 0:
            return await self._seats()
        try:
            view = await self._view()
        except ProblemError as problem:
            if problem.reason.name != "MATCH_NOT_STARTED":
                raise
            self.sent_version = 0  # called off before it began: there is no state, and its only move says so
            return b""
        self.sent_version = view.version
        return match_events.snapshot(view)

    async def _view(self) -> GetViewResponse:
        return await call(
            self.subscription.stream.matches.GetView,
            GetViewRequest(
                match_id=self.subscription.match_id,
                audience=self.subscription.wanted,
                form=PAYLOAD_FORM_JSON,
                language=self.subscription.language,
            ),
            seconds=self._seconds,
            metadata=self._metadata,
            in_query=True,
        )

    async def _seats(self) -> bytes:
        found: GetMatchResponse = await call(
            self.subscription.stream.matches.GetMatch,
            GetMatchRequest(match_id=self.subscription.match_id),
            seconds=self._seconds,
            metadata=self._metadata,
            in_query=True,
        )
        self._seats_shown = match_events.seats_updated(found.match)
        return self._seats_shown

    # ── called by the subscribed match ─────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Write the moves that are new, if the client can take them."""
        if not self._stream.is_open or self._catching_up is not None:
            return
        match = self.subscription.match
        if self.sent_version is None:
            if self.subscription.has_table or match.version == 0:
                self._send_news()
            else:  # the match has just begun
                self._catch_up()
            if self.sent_version is None:
                return
        if not match.holds(self.sent_version):
            if self.position is None:
                self._catch_up()
            else:  # it was live, and its next move is held no longer
                self._stream.part_ended(self, "lagged", close_reasons.lagged(self.sent_version))
            return
        self.position = self.sent_version
        if not self._stream.is_writable:
            return
        if self.sent_version < match.version:
            chunks, self.sent_version = match.after(self.sent_version), match.version
            self.position = match.version
            self._stream.send(self, chunks)
        self._send_news()
        has_table = not self.subscription.has_table or self._news_seen == match.news_number > 0
        if match.ended and self.sent_version >= match.version and has_table:
            self._stream.part_ended(self, "match ended", match_events.match_ended(self.sent_version))

    def _send_news(self) -> None:
        """Write the newest table or seats, if the client can take them."""
        if self._stream.is_writable and (news := self._take_news()):
            self._stream.send(self, news)

    def _take_news(self) -> bytes:
        """Return the newest table or seats; nothing if the client has them, or has seen a newer version already.

        A client with the table before gets what has changed. A client without a version continues after that of the table.
        """
        match = self.subscription.match
        if match.news_number == self._news_seen or match.news_version < (self.sent_version or 0):
            return b""
        seats_shown, self._seats_shown = self._seats_shown, b""
        if match.news == seats_shown:
            self._news_seen = match.news_number
            return b""
        has_last = self._news_seen > 0 and self._news_seen == match.news_number - 1
        self._news_seen = match.news_number
        if self.subscription.has_table and self.sent_version is None:
            self.sent_version = match.news_version
        return match.news_patch if has_last and match.news_patch else match.news

    def revoke(self, reason: str) -> None:
        """End the part because the credential is no longer valid."""
        self._stream.part_ended(self, "revoked", close_reasons.revoked(reason))

    def stop(self) -> None:
        """End the whole stream because this process can no longer serve it."""
        self._stream.stop()

    # ── called by the stream ───────────────────────────────────────────────────────────────────────

    def ready(self) -> None:
        """Continue now that the client reads again."""
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self.wake()
        if self._stream.is_open:
            self.subscription.match.trim()

    def abandon(self) -> None:
        """Release the subscription. A second call does nothing."""
        self.subscription.subscriber = None
        self.subscription.end()
        if self._catching_up is not None and self._catching_up is not asyncio.current_task():
            self._catching_up.cancel()

    # ── catching up ────────────────────────────────────────────────────────────────────────────────

    def _catch_up(self) -> None:
        self._catching_up = asyncio.create_task(self._read_log(), name="catching up")

    async def _read_log(self) -> None:
        """Send the moves that the subscribed match no longer holds, read from the log at the client's own pace."""
        try:
            if self.sent_version is None:
                self._send_if_open(await self.opening())
            while self._stream.is_open and not self.subscription.match.holds(self.sent_version or 0):
                await self._has_room()
                self._send_if_open(await self._page())
        except ProblemError as problem:
            _log.warning("stream given up", reason=problem.reason.name)
            self._stream.stop()
        except Exception as error:  # noqa: BLE001 - the stream ends, so that its client reconnects; the error is logged
            _log.error("internal error", what="catching up", **without_message(error))
            self._stream.stop()
        finally:
            self._catching_up = None
        self.wake()
        if self._stream.is_open:
            self.subscription.match.trim()

    async def _page(self) -> bytes:
        page = await call(
            self.subscription.stream.matches.ListMoves,
            ListMovesRequest(
                match_id=self.subscription.match_id,
                audience=self.subscription.wanted,
                after_version=self.sent_version or 0,
                page_size=PAGE,
                form=PAYLOAD_FORM_JSON,
                language=self.subscription.language,
            ),
            seconds=self._seconds,
            metadata=self._metadata,
            in_query=True,
        )
        if page.moves:
            self.sent_version = page.moves[-1].version
        return b"".join(map(match_events.move_applied, page.moves))

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (
            (("authorization", self.subscription.authorization),) if self.subscription.authorization else ()
        )

    def _send_if_open(self, chunks: bytes) -> None:
        if self._stream.is_open and chunks:
            self._stream.send(self, chunks)

    async def _has_room(self) -> None:
        while self._stream.is_open and not self._stream.is_writable:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
