"""The feed of a tenant's events, for platforms that pull. No event is skipped: one is returned only when none can
still appear before it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from foldtable.platform.v1 import webhook_service_pb2 as pb
from services.identity.administration import scope_missing, with_key
from services.identity.callers import AnyCaller
from services.identity.scopes import Scope, held
from services.movelog.events import START, FeedEvent, Position
from services.movelog.log import WakeupSubscriber
from services.movelog.postgres.events import Kept, PostgresEvents
from services.process.reasons import Reason
from services.rpc.cursors import cursor, page_size, read_cursor
from services.rpc.drain import Drain
from services.rpc.refusals import Refused, malformed
from services.webhooks.api.endpoints import read_types, webhook_administrator
from services.webhooks.cloud_events import cloud_event

MAX_WAIT: Final = 30.0
POLL_SECONDS: Final = 0.5
LARGEST_NUMBER: Final = 2**63 - 1
_PLACE: Final = re.compile(r"([0-9]{1,20}) ([0-9]{1,20})(?: ([0-9a-f]{32}))?")
"""The text of a cursor: a transaction, a number, and an event."""


class EventFeed:
    """Reads a tenant's feed, and sets which event types are recorded for it."""

    def __init__(
        self,
        events: PostgresEvents,
        subscribe_to_all: Callable[[WakeupSubscriber], Callable[[], None]],
        drain: Drain,
    ) -> None:
        self._events = events
        self._subscribe_to_all = subscribe_to_all
        self._drain = drain

    async def recording(
        self, caller: AnyCaller, _request: pb.GetEventRecordingRequest
    ) -> pb.GetEventRecordingResponse:
        """Return the event types that are recorded for the feed."""
        by = webhook_administrator(caller)
        return pb.GetEventRecordingResponse(event_types=sorted(await self._events.recorded(by.tenant)))

    async def record(
        self, caller: AnyCaller, request: pb.SetEventRecordingRequest
    ) -> pb.SetEventRecordingResponse:
        """Set the event types that are recorded from now on."""
        by = webhook_administrator(caller)
        types = read_types(request.event_types)
        await self._events.record(by.tenant, types)
        return pb.SetEventRecordingResponse(event_types=sorted(types))

    async def read(self, caller: AnyCaller, request: pb.ReadEventsRequest) -> pb.ReadEventsResponse:
        """Return the events after a cursor.

        Raises Refused FEED_OFF if nothing is recorded for the feed, CURSOR_EXPIRED if events after the cursor are deleted, or its event is
        no longer there: then the database was restored, and positions after its event may belong to other events.
        """
        by = with_key(caller)
        if Scope.MATCHES_READ not in held(by.scopes):
            raise scope_missing(Scope.MATCHES_READ)
        if request.limit < 0:
            raise malformed("$.limit", "must not be negative")
        question = ("events", by.tenant)
        begin = _begin(request.after, question) if request.after else FROM_THE_START
        after = begin.after
        wait = request.wait.seconds + request.wait.nanos / 1_000_000_000
        if not 0 <= wait <= MAX_WAIT:
            raise malformed("$.wait", f"must be from 0 to {MAX_WAIT:.0f} seconds")
        rows = await self._read(by.tenant, after, page_size(request.limit), wait)
        kept = await self._events.kept(by.tenant, after)
        if request.after:
            _must_continue(begin, kept)
        if not rows and not await self._events.recorded(by.tenant):
            raise Refused(Reason.FEED_OFF, "no events are kept for this feed; choose their types first")
        return pb.ReadEventsResponse(
            cloud_events=[cloud_event(row.event) for row in rows],
            cursor=cursor(_continued(rows, after, kept), question),
        )

    async def _read(self, tenant: str, after: Position, limit: int, wait: float) -> list[FeedEvent]:
        """Return events; if there are none, wait for a wake-up, which every committed move sends, and poll in case one is lost.

        An event can be read a moment after its wake-up: it appears when no transaction that began earlier is still open.
        """
        found = await self._events.read(tenant, after=after, limit=limit)
        if found or wait == 0:
            return found
        woken = asyncio.Event()

        def on_wakeup(match_id: UUID | None, reseated: bool) -> None:
            del match_id, reseated
            woken.set()

        unsubscribe = self._subscribe_to_all(on_wakeup)
        end = asyncio.get_running_loop().time() + wait
        try:
            while (
                not found and not self._drain.begun and (left := end - asyncio.get_running_loop().time()) > 0
            ):
                try:
                    await asyncio.wait_for(woken.wait(), min(left, POLL_SECONDS))
                except TimeoutError:
                    pass
                else:
                    woken.clear()
                    await asyncio.sleep(min(left, SETTLE_SECONDS))
                found = await self._events.read(tenant, after=after, limit=limit)
        finally:
            unsubscribe()
        return found


SETTLE_SECONDS: Final = 0.05
"""Pause after a wake-up before the feed is read. A wake-up may be for any match, and thousands may come within a second."""


class _Begin(NamedTuple):
    """Where to continue."""

    after: Position
    event: str
    """The hexadecimal id of the event there; empty in cursors of earlier releases, and where no event is."""


FROM_THE_START: Final = _Begin(START, "")


def _begin(token: str, question: tuple[str, str]) -> _Begin:
    try:
        found = _PLACE.fullmatch(read_cursor(token, question))
    except Refused:
        raise _not_a_cursor() from None
    if found is None:
        raise _not_a_cursor()
    transaction, number, event = found.groups()
    return _Begin(
        Position(min(int(transaction), LARGEST_NUMBER), min(int(number), LARGEST_NUMBER)), event or ""
    )


def _must_continue(begin: _Begin, kept: Kept) -> None:
    """Raises Refused CURSOR_EXPIRED unless everything after a position can be returned.

    Positions are numbers of Postgres's own. After a restore to an earlier time they are given again, to other events.
    """
    if begin.after < kept.forgotten:
        raise Refused(Reason.CURSOR_EXPIRED, "events after this cursor are forgotten; begin again without")
    if begin.after == kept.forgotten:
        return
    if kept.event is None or begin.event not in {"", kept.event.hex}:
        raise Refused(
            Reason.CURSOR_EXPIRED,
            "the event of this cursor is not in the feed: the database was restored; begin again without",
        )


def _continued(rows: Sequence[FeedEvent], after: Position, kept: Kept) -> str:
    """Return the text of the position after these events; after none, of the latest position that is known."""
    if rows:
        last, event = rows[-1].position, rows[-1].event.id.hex
    elif after > kept.forgotten:
        last, event = after, kept.event.hex if kept.event else ""
    else:
        last, event = kept.forgotten, ""
    return f"{last.transaction} {last.number} {event}".strip()


def _not_a_cursor() -> Refused:
    return malformed(
        "$.after", "is not a cursor of this feed; begin again without", reason=Reason.PAGE_TOKEN_INVALID
    )
