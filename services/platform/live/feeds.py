"""Feeds: subscribers to the matches of a player or a tenant are notified when these change.

The wake-up channel only says which matches changed; the updates are always read from the database, once for all feeds
of this process. Changes close together are read and sent together. A slow poll of recent changes covers lost wake-ups.
So a feed may send the same state twice, and may skip intermediate states, but never the latest one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import structlog

from services.movelog.log import WakeupSubscriber
from services.platform.live.feed_rows import MAX_AT_ONCE, FeedRow, FeedRows
from services.postgres.database import DatabaseUnavailable
from services.process.caught_errors import log_caught
from services.process.structured_logs import without_message

GATHER_SECONDS: Final = 0.02
"""Pause before changes are read, so that those close together are read at once."""
POLL_SECONDS: Final = 5.0
LOOK_BACK: Final = timedelta(seconds=30)
"""How far back a poll looks: clocks differ, and a commit takes its time."""
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""No request may ask for older changes."""
MAX_PENDING: Final = 10_000
"""Most changes that wait for one slow subscriber, or to be read; beyond that, feeds must begin again."""
REMEMBERED: Final = 20_000
"""Most recently sent matches remembered per feed, so that the poll does not send them again."""
MAX_PASSED_OVER: Final = 100_000
"""Most matches remembered as belonging to no feed, so that their changes are not read."""

SubscribeToAll = Callable[[WakeupSubscriber], Callable[[], None]]

_log: Final = structlog.get_logger("foldtable.platform")


class FeedSubscription:
    """The subscription of one caller to a feed. Used by one task."""

    def __init__(self, tenant: str, player: str, *, bots: bool = False) -> None:
        """`player` empty: all matches of the tenant; `bots`: only those with bots."""
        self.tenant = tenant
        self.player = player
        self.bots = bots
        self._pending: dict[UUID, FeedRow] = {}
        self._sent: OrderedDict[UUID, tuple[int, int]] = OrderedDict()
        """Version and hash of what was sent of a match: whole rows of so many would be megabytes of metadata."""
        self._some = asyncio.Event()
        self._skipped = False

    def offer(self, row: FeedRow) -> bool:
        """Queue a row if it belongs to this feed and is new, in place of an older row of the match; return whether it belongs."""
        if self.player and not row.is_of(self.player):
            return False
        pending = self._pending.get(row.match_id)
        known = _mark(pending) if pending is not None else self._sent.get(row.match_id)
        if self.bots and not any(row.bots) and known is None:
            return False  # a match that was sent before is also sent when it leaves the feed
        if known is not None and (known == _mark(row) or known[0] > row.version):
            return True
        self._pending[row.match_id] = row
        if len(self._pending) > MAX_PENDING:
            self.skip()
        self._some.set()
        return True

    def skip(self) -> None:
        """Drop the waiting rows because too much has changed; the subscriber must read the list again."""
        self._pending.clear()
        self._skipped = True
        self._some.set()

    async def next(self) -> list[FeedRow] | None:
        """Wait for changes and return them; None: too many came, and they were dropped."""
        await self._some.wait()
        self._some.clear()
        if self._skipped:
            self._skipped = False
            return None
        rows, self._pending = list(self._pending.values()), {}
        for row in rows:
            self._sent[row.match_id] = _mark(row)
            self._sent.move_to_end(row.match_id)
        while len(self._sent) > REMEMBERED:
            self._sent.popitem(last=False)
        return rows


def _mark(row: FeedRow) -> tuple[int, int]:
    """Return the version of a row, and a number that another row of it has only by a rare chance."""
    return row.version, hash(row)


class Feeds:
    """All feeds of this process. It subscribes to wake-ups only while there is a subscription."""

    def __init__(self, rows: FeedRows, subscribe_to_all: SubscribeToAll) -> None:
        """`subscribe_to_all` is the log's method of this name."""
        self._rows = rows
        self._subscribe_to_all = subscribe_to_all
        self._by_tenant: dict[str, set[FeedSubscription]] = {}
        """By tenant."""
        self._changed: set[UUID] = set()
        self._passed_over: set[UUID] = set()
        """Matches that belong to no current feed, as long as their seats do not change."""
        self._some = asyncio.Event()
        self._missed = False
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._unsubscribe: Callable[[], None] | None = None

    async def read(
        self, tenant: str, player: str, since: datetime | None, *, bots: bool = False
    ) -> tuple[list[FeedRow], bool, datetime]:
        """Return matches in the order of `FeedRows`, whether these are all, and the moment to ask from next.

        Raises DatabaseUnavailable if there is no database.
        """
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
        return rows[:MAX_AT_ONCE], len(rows) <= MAX_AT_ONCE, now

    async def subscribe(
        self,
        tenant: str,
        player: str,
        still_allowed: Callable[[], Awaitable[object]],
        *,
        bots: bool = False,
    ) -> AsyncIterator[list[FeedRow] | None]:
        """Yield changes as they happen; None at the beginning, and again whenever changes were dropped.

        `still_allowed` is called every POLL_SECONDS; if it raises an error, the feed ends with that.
        """
        subscription = FeedSubscription(tenant, player, bots=bots)
        loop = asyncio.get_running_loop()
        self._begin(subscription)
        try:
            yield None
            asked = loop.time()
            while True:
                try:
                    async with asyncio.timeout_at(asked + POLL_SECONDS):
                        offered = await subscription.next()
                except TimeoutError:
                    pass  # nothing has changed; it is time for `still_allowed`
                else:
                    yield offered
                if loop.time() >= asked + POLL_SECONDS:
                    await still_allowed()
                    asked = loop.time()
        finally:
            self._end(subscription)

    # ── beginning and end ──────────────────────────────────────────────────────────────────────────

    def _begin(self, subscription: FeedSubscription) -> None:
        self._by_tenant.setdefault(subscription.tenant, set()).add(subscription)
        self._passed_over.clear()
        if self._unsubscribe is None:
            self._unsubscribe = self._subscribe_to_all(self._on_wakeup)
            self._tasks = (
                asyncio.create_task(self._read_changes(), context=Context()),
                asyncio.create_task(self._poll(), context=Context()),
            )

    def _end(self, subscription: FeedSubscription) -> None:
        subscriptions = self._by_tenant[subscription.tenant]
        subscriptions.discard(subscription)
        if not subscriptions:
            del self._by_tenant[subscription.tenant]
        if not self._by_tenant and self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
            for task in self._tasks:
                task.cancel()
            self._changed.clear()
            self._passed_over.clear()

    # ── changes ────────────────────────────────────────────────────────────────────────────────────

    def _on_wakeup(self, match_id: UUID | None, reseated: bool) -> None:
        if match_id is None or len(self._changed) >= MAX_PENDING:
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
                await self._send_changed(changed, missed=missed)
            except DatabaseUnavailable as problem:
                _log.warning("feeds wait for the database", error=str(problem))
                self._changed |= changed
                self._missed |= missed
                self._some.set()
                await asyncio.sleep(1)
            except Exception as error:  # noqa: BLE001 - one row must not silence all feeds; the poll sends the others
                _log_mistake(error)

    async def _send_changed(self, changed: set[UUID], *, missed: bool) -> None:
        if missed:
            await self._send_recent(None)
        match_ids = list(changed)
        for start in range(0, len(match_ids), MAX_AT_ONCE):
            some = match_ids[start : start + MAX_AT_ONCE]
            subscriptions = self._all_subscriptions()
            offered = self._offer(await self._rows.by_id(some, list(self._by_tenant)))
            if subscriptions == self._all_subscriptions() and len(self._passed_over) < MAX_PASSED_OVER:
                self._passed_over.update(set(some) - offered)

    async def _poll(self) -> None:
        since: datetime | None = None
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                now = await self._rows.now()
                await self._send_recent(since)
                since = now
            except DatabaseUnavailable as problem:  # `since` stays, so the next poll looks back further
                _log.warning("feeds wait for the database", error=str(problem))
            except Exception as error:  # noqa: BLE001 - whatever it is, the next poll comes; it is logged
                _log_mistake(error)

    async def _send_recent(self, since: datetime | None) -> None:
        """Send what changed since the last poll, and a little before."""
        since = since or await self._rows.now() - timedelta(seconds=POLL_SECONDS)
        for tenant, subscriptions in tuple(self._by_tenant.items()):
            try:
                rows = await self._rows.changed(tenant, "", since - LOOK_BACK)
            except DatabaseUnavailable:
                raise
            except Exception as error:  # noqa: BLE001 - the other tenants still get theirs; it is logged
                _log_mistake(error, tenant=tenant)
                continue
            if len(rows) > MAX_AT_ONCE:
                for subscription in tuple(subscriptions):
                    subscription.skip()
            self._offer(rows)

    def _offer(self, rows: Iterable[FeedRow]) -> set[UUID]:
        """Offer the rows to all feeds; return the matches that belong to any."""
        offered: set[UUID] = set()
        for row in rows:
            for subscription in self._by_tenant.get(row.tenant, ()):
                try:
                    if subscription.offer(row):
                        offered.add(row.match_id)
                except Exception as error:  # noqa: BLE001 - the other feeds get theirs, this one begins again; it is logged
                    log_caught("offer to a feed", error)
                    subscription.skip()
        self._passed_over -= offered
        return offered

    def _all_subscriptions(self) -> set[FeedSubscription]:
        return set().union(*self._by_tenant.values())


def _log_mistake(error: Exception, **about: str) -> None:
    _log.error("internal error", method="feeds", **about, **without_message(error))


def _looked_back(since: datetime) -> datetime:
    """Return the moment LOOK_BACK earlier; moments before `_FIRST` count as `_FIRST`."""
    return max(since, _FIRST) - LOOK_BACK
