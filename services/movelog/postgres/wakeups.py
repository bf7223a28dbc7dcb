"""Notifying other processes of changed matches, by LISTEN and NOTIFY.

The appending transaction does not notify: commits with a NOTIFY take one lock for the whole server, which would
serialize all matches. An announcer notifies after the commit, over a connection of its own; matches that change
meanwhile are announced together next. A wake-up may be lost, so subscribers also poll slowly.

A payload is `<match id>:<version>`, several of them separated by commas, or EVERYTHING. It never says what
happened; `<match id>:<version>:seats` only says that cached seats of the match are out of date.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Final
from uuid import UUID

import psycopg
import structlog

from services.movelog.postgres.binary import TEXT, array
from services.movelog.postgres.lane import Lane, Statement
from services.movelog.postgres.queries import NOTIFY
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.postgres.database import Connection, DatabaseSettings, connect
from services.process.ending import end
from services.process.structured_logs import without_message

CHANNEL: Final = "foldtable_moves"
EVERYTHING: Final = "*"
"""Too many matches changed to name them: wake all subscribers."""
SEATS: Final = ":seats"
MATCHES_PER_PAYLOAD: Final = 100
"""At most about 5 400 bytes; Postgres accepts fewer than 8 000."""
MAX_PENDING: Final = 10_000
PAUSE_SECONDS: Final = 0.01
"""Pause between two notifications, so that a busy process sends a hundred a second and not one per move."""
FIRST_BACKOFF_SECONDS: Final = 0.1
LAST_BACKOFF_SECONDS: Final = 5.0
HEARTBEAT_SECONDS: Final = 10.0
"""How long a receiver gets nothing before it checks the connection: a frozen machine does not close it."""

_NOTIFY: Final = Statement(b"notify", NOTIFY.encode(), (TEXT.item_oid, TEXT.oid))
_log: Final = structlog.get_logger("foldtable.movelog")


class Announcer:
    """Notifies the other processes. It opens no connection before there is something to announce."""

    def __init__(self, settings: DatabaseSettings) -> None:
        self._settings = settings
        self._pending: dict[UUID, int] = {}
        self._reseated: set[UUID] = set()
        self._is_overfull = False
        self._has_news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.backend_pid = 0
        """The backend whose notifications are our own."""

    def announce(self, match_id: UUID, version: int, *, reseated: bool = False) -> None:
        """Notify soon; call it after the commit. See `WakeupSubscriptions.wake`."""
        if len(self._pending) >= MAX_PENDING:
            self._pending.clear()
            self._reseated.clear()
            self._is_overfull = True
        self._pending[match_id] = max(version, self._pending.get(match_id, 0))
        if reseated:
            self._reseated.add(match_id)
        self._has_news.set()
        if self._task is None:
            self._task = asyncio.create_task(
                _keep_up("announcer", self._settings, self._send), context=Context()
            )

    async def close(self) -> None:
        """Stop notifying. The subscribers' slow poll covers what was not announced yet."""
        await end(self._task)

    async def _send(self, connection: Connection) -> None:
        self.backend_pid = connection.info.backend_pid
        lane = Lane(connection, self._settings.response_seconds)
        try:
            while True:
                await self._has_news.wait()
                payloads = array(TEXT, [payload.encode() for payload in self._payloads()])
                await lane.run(_NOTIFY, (CHANNEL.encode(), payloads))
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            await lane.close()

    def _payloads(self) -> list[str]:
        """Take the pending announcements. If sending them fails, other processes miss them until they poll or reconnect."""
        self._has_news.clear()
        pending, self._pending = self._pending, {}
        reseated, self._reseated = self._reseated, set()
        if self._is_overfull:
            self._is_overfull = False
            return [EVERYTHING]
        entries = [
            f"{match_id}:{version}{SEATS if match_id in reseated else ''}"
            for match_id, version in pending.items()
        ]
        return [
            ",".join(entries[start : start + MATCHES_PER_PAYLOAD])
            for start in range(0, len(entries), MATCHES_PER_PAYLOAD)
        ]


class WakeupReceiver:
    """Receives the other processes' notifications and wakes the subscribers of this one. It opens no connection before `start`."""

    def __init__(
        self, settings: DatabaseSettings, subscriptions: WakeupSubscriptions, announcer: Announcer
    ) -> None:
        self._settings = settings
        self._subscriptions = subscriptions
        self._announcer = announcer
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to receive, unless it does already; does not wait for the database."""
        if self._task is None:
            self._task = asyncio.create_task(
                _keep_up("listener", self._settings, self._receive), context=Context()
            )

    async def close(self) -> None:
        await end(self._task)

    async def _receive(self, connection: Connection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._subscriptions.wake_all()  # whatever was announced before this moment was missed
        while True:
            async for notification in connection.notifies(timeout=HEARTBEAT_SECONDS):
                if notification.pid != self._announcer.backend_pid:  # our own subscribers were woken directly
                    self._on_notification(notification.payload)
            await connection.execute("")
            connection.must_take_writes()

    def _on_notification(self, payload: str) -> None:
        if payload == EVERYTHING:
            self._subscriptions.wake_all()
            return
        for entry in payload.split(","):
            match_id, _, news = entry.partition(":")
            try:
                self._subscriptions.wake(UUID(match_id), reseated=news.endswith(SEATS))
            except ValueError:
                _log.warning("malformed notification", channel=CHANNEL)


async def _keep_up(
    name: str, settings: DatabaseSettings, work: Callable[[Connection], Awaitable[None]]
) -> None:
    """Do `work` on a connection forever; open another one when it is lost, after a growing pause."""
    # Notifications need no durability; a receiver must not be ended by the statement timeout.
    session = {"synchronous_commit": "off"}
    backoff = FIRST_BACKOFF_SECONDS
    while True:
        try:
            async with await connect(settings, name=name, session=session) as connection:
                backoff = FIRST_BACKOFF_SECONDS
                await work(connection)
        except psycopg.Error as problem:  # also raised by a replica that cannot listen; the next server may
            _log.warning(
                "connection lost", connection=name, sqlstate=problem.sqlstate, again_in_seconds=backoff
            )
        except Exception as error:  # noqa: BLE001 - after any error another connection is opened; it is logged
            _log.error("internal error", connection=name, again_in_seconds=backoff, **without_message(error))
        await asyncio.sleep(backoff * random.uniform(0.5, 1.0))  # noqa: S311 - so that processes do not return in step
        backoff = min(backoff * 2, LAST_BACKOFF_SECONDS)
