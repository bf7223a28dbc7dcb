"""Feeds: who wants to hear of the matches of a player or a tenant is told when they change.

The wake-up channel says which matches moved on, and nothing else; what is told is always read from the table, once
for all feeds of this process. Changes that come close together are one reading and one telling. A slow poll of what
changed lately finds whatever a lost wake-up would have told. So a feed may tell the same state twice, and leaves out
states in between, but never the newest one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import structlog

from services.database import DatabaseUnavailable
from services.platform.feed_rows import MOST_AT_ONCE, FeedRow, FeedRows
from services.structured_logs import without_message

GATHER_SECONDS: Final = 0.02
"""Pause before changes are read, so that those close together are read at once."""
POLL_SECONDS: Final = 5.0
LOOK_BACK: Final = timedelta(seconds=30)
"""How far back a poll looks: clocks differ, and a commit takes its time."""
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Nothing that is asked for is older."""
MOST_PENDING: Final = 10_000
"""Changes that wait for one slow feed, or to be read; beyond it the feed begins anew."""
REMEMBERED: Final = 20_000
"""What was told to one feed lately, so that the poll does not tell it again."""
MOST_PASSED_OVER: Final = 100_000
"""Matches that no feed is told of, kept in mind so that their moves are not read."""

Hear = Callable[[Callable[[UUID | None, bool], None]], Callable[[], None]]

_log: Final = structlog.get_logger("foldtable.platform")


class Feed:
    """One who listens. Used by one task."""

    def __init__(self, tenant: str, player: str, *, bots: bool = False) -> None:
        """`player` empty: all matches of the tenant; `bots`: those of them that bots sit at."""
        self.tenant = tenant
        self.player = player
        self.bots = bots
        self._pending: dict[UUID, FeedRow] = {}
        self._told: OrderedDict[UUID, FeedRow] = OrderedDict()
        self._some = asyncio.Event()
        self._skipped = False

    def offer(self, row: FeedRow) -> bool:
        """Tell this, if it is of this feed and new; of one match only the newest waits. False: it is not of this feed."""
        if self.player and self.player not in row.players:
            return False
        known = self._pending.get(row.match_id) or self._told.get(row.match_id)
        if self.bots and not any(row.bots) and known is None:
            return False  # where one was told of, its going is told, too
        if known is not None and (known == row or known.version > row.version):
            return True
        self._pending[row.match_id] = row
        if len(self._pending) > MOST_PENDING:
            self.skip()
        self._some.set()
        return True

    def skip(self) -> None:
        """More has changed than is told: what waits is dropped, and the listener is to read."""
        self._pending.clear()
        self._skipped = True
        self._some.set()

    async def next(self) -> list[FeedRow] | None:
        """Wait for changes; None: changes were left out."""
        await self._some.wait()
        self._some.clear()
        if self._skipped:
            self._skipped = False
            return None
        rows, self._pending = list(self._pending.values()), {}
        for row in rows:
            self._told[row.match_id] = row
            self._told.move_to_end(row.match_id)
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return rows


class Feeds:
    """Every feed of this process. Hears of matches only while there is one."""

    def __init__(self, rows: FeedRows, hear: Hear) -> None:
        """`hear` is that of the log."""
        self._rows = rows
        self._hear = hear
        self._feeds: dict[str, set[Feed]] = {}
        """By tenant."""
        self._changed: set[UUID] = set()
        self._passed_over: set[UUID] = set()
        """Nobody who listens now is told of these, as long as the same people sit there."""
        self._some = asyncio.Event()
        self._missed = False
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._unhear: Callable[[], None] | None = None

    async def read(
        self, tenant: str, player: str, since: datetime | None, *, bots: bool = False
    ) -> tuple[list[FeedRow], bool, datetime]:
        """Give matches as `FeedRows` does, whether these are all, and the moment to ask from next; DatabaseUnavailable."""
        now = await self._rows.now()
        rows: list[FeedRow] = []
        if bots and since is not None:
            rows = await self._rows.changed_of_bots(tenant, _looked_back(since))
        elif bots:
            rows = await self._rows.waiting_for_bots(tenant)
        elif since is not None:
            rows = await self._rows.changed(tenant, player, _looked_back(since))
        elif player:
            rows = await self._rows.open_of(tenant, player)
        return rows[:MOST_AT_ONCE], len(rows) <= MOST_AT_ONCE, now

    async def watch(
        self,
        tenant: str,
        player: str,
        still_allowed: Callable[[], Awaitable[object]],
        *,
        bots: bool = False,
    ) -> AsyncIterator[list[FeedRow] | None]:
        """Give changes as they happen: None at the beginning, and again where changes were left out.

        `still_allowed` is asked now and then, and raises what ends the feed.
        """
        feed = Feed(tenant, player, bots=bots)
        loop = asyncio.get_running_loop()
        self._begin(feed)
        try:
            yield None
            asked = loop.time()
            while True:
                try:
                    async with asyncio.timeout_at(asked + POLL_SECONDS):
                        told = await feed.next()
                except TimeoutError:
                    pass  # nothing has changed; it is time to ask
                else:
                    yield told
                if loop.time() >= asked + POLL_SECONDS:
                    await still_allowed()
                    asked = loop.time()
        finally:
            self._end(feed)

    # ── beginning and end ──────────────────────────────────────────────────────────────────────────

    def _begin(self, feed: Feed) -> None:
        self._feeds.setdefault(feed.tenant, set()).add(feed)
        self._passed_over.clear()
        if self._unhear is None:
            self._unhear = self._hear(self._heard)
            self._tasks = asyncio.create_task(self._read_changes()), asyncio.create_task(self._poll())

    def _end(self, feed: Feed) -> None:
        feeds = self._feeds[feed.tenant]
        feeds.discard(feed)
        if not feeds:
            del self._feeds[feed.tenant]
        if not self._feeds and self._unhear is not None:
            self._unhear()
            self._unhear = None
            for task in self._tasks:
                task.cancel()
            self._changed.clear()
            self._passed_over.clear()

    # ── what changes ───────────────────────────────────────────────────────────────────────────────

    def _heard(self, match_id: UUID | None, reseated: bool) -> None:
        if match_id is None or len(self._changed) >= MOST_PENDING:
            self._missed = True
            self._changed.clear()
            self._passed_over.clear()
        elif match_id in self._passed_over and not reseated:
            return
        else:
            self._changed.add(match_id)
        self._some.set()

    async def _read_changes(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._some.clear()
            changed, self._changed = self._changed, set()
            missed, self._missed = self._missed, False
            try:
                await self._tell_changed(changed, missed=missed)
            except DatabaseUnavailable as problem:
                _log.warning("feeds wait for the database", error=str(problem))
                self._changed |= changed
                self._missed |= missed
                self._some.set()
                await asyncio.sleep(1)
            except Exception as error:  # noqa: BLE001 - one row must not silence all feeds; the poll tells the others
                _log_mistake(error)

    async def _tell_changed(self, changed: set[UUID], *, missed: bool) -> None:
        if missed:
            await self._tell_recent(None)
        match_ids = list(changed)
        for start in range(0, len(match_ids), MOST_AT_ONCE):
            some = match_ids[start : start + MOST_AT_ONCE]
            listeners = self._listeners()
            told = self._offer(await self._rows.by_id(some, list(self._feeds)))
            if listeners == self._listeners() and len(self._passed_over) < MOST_PASSED_OVER:
                self._passed_over.update(set(some) - told)

    async def _poll(self) -> None:
        since: datetime | None = None
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                now = await self._rows.now()
                await self._tell_recent(since)
                since = now
            except DatabaseUnavailable as problem:  # `since` stays, so the next poll looks back further
                _log.warning("feeds wait for the database", error=str(problem))
            except Exception as error:  # noqa: BLE001 - whatever it is, the next poll comes; it is logged
                _log_mistake(error)

    async def _tell_recent(self, since: datetime | None) -> None:
        """Tell what changed since the last poll, and a little before."""
        since = since or await self._rows.now() - timedelta(seconds=POLL_SECONDS)
        for tenant, feeds in tuple(self._feeds.items()):
            try:
                rows = await self._rows.changed(tenant, "", since - LOOK_BACK)
            except DatabaseUnavailable:
                raise
            except Exception as error:  # noqa: BLE001 - the other tenants are told; it is logged
                _log_mistake(error, tenant=tenant)
                continue
            if len(rows) > MOST_AT_ONCE:
                for feed in tuple(feeds):
                    feed.skip()
            self._offer(rows)

    def _offer(self, rows: Iterable[FeedRow]) -> set[UUID]:
        """Tell every feed what is of it; give the matches that are of any."""
        told: set[UUID] = set()
        for row in rows:
            for feed in self._feeds.get(row.tenant, ()):
                if feed.offer(row):
                    told.add(row.match_id)
        self._passed_over -= told
        return told

    def _listeners(self) -> set[Feed]:
        return set().union(*self._feeds.values())


def _log_mistake(error: Exception, **about: str) -> None:
    _log.error("internal error", method="feeds", **about, **without_message(error))


def _looked_back(since: datetime) -> datetime:
    """Give a moment a little before; there is none before the first that can be named."""
    return max(since, _FIRST) - LOOK_BACK
