"""Telling other processes that a match moved on, by LISTEN and NOTIFY.

Not inside the transaction that appends: commits with a NOTIFY take one lock for the whole server, which would
put all matches in a row. An announcer has a connection of its own and tells after the commit; what comes
while it is telling is told together next. A wake-up may be lost; whoever waits polls slowly as well.

A payload is `<match id>:<version>`, several of them with commas between, or EVERYTHING. It never says what
happened; `<match id>:<version>:seats` says only that whoever keeps in mind who sits there has to look again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import psycopg
import structlog

from services.database import Connection, DatabaseSettings, connect
from services.ending import end
from services.movelog.queries import NOTIFY
from services.movelog.watchers import Watchers
from services.structured_logs import without_message

CHANNEL: Final = "foldtable_moves"
EVERYTHING: Final = "*"
"""Too much was missed to name it: let everybody look."""
SEATS: Final = ":seats"
MATCHES_PER_PAYLOAD: Final = 100
"""About 5 400 bytes at most; Postgres takes less than 8 000."""
MOST_PENDING: Final = 10_000
PAUSE_SECONDS: Final = 0.01
"""Between two tellings, so that a busy process sends a hundred a second and not one per move."""
FIRST_BACKOFF_SECONDS: Final = 0.1
LAST_BACKOFF_SECONDS: Final = 5.0
HEARTBEAT_SECONDS: Final = 10.0
"""How long a listener hears nothing before it asks whether anybody is there: a machine that froze closes nothing."""

_log: Final = structlog.get_logger("foldtable.movelog")


class Announcer:
    """Tells the other processes. Nothing is opened before there is something to tell."""

    def __init__(self, settings: DatabaseSettings) -> None:
        self._settings = settings
        self._pending: dict[UUID, int] = {}
        self._reseated: set[UUID] = set()
        self._is_overfull = False
        self._has_news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.backend_pid = 0
        """Whose notifications are our own."""

    def announce(self, match_id: UUID, version: int, *, reseated: bool = False) -> None:
        """Tell, soon; call it after the commit. See `Watchers.wake`."""
        if len(self._pending) >= MOST_PENDING:
            self._pending.clear()
            self._reseated.clear()
            self._is_overfull = True
        self._pending[match_id] = max(version, self._pending.get(match_id, 0))
        if reseated:
            self._reseated.add(match_id)
        self._has_news.set()
        if self._task is None:
            self._task = asyncio.create_task(_keep_up("announcer", self._settings, self._tell))

    async def close(self) -> None:
        """Tell no more. What was not told yet is covered by the slow poll of those who wait."""
        await end(self._task)

    async def _tell(self, connection: Connection) -> None:
        self.backend_pid = connection.info.backend_pid
        while True:
            await self._has_news.wait()
            payloads = self._payloads()
            await connection.execute(NOTIFY, (CHANNEL, payloads), binary=True)
            await asyncio.sleep(PAUSE_SECONDS)

    def _payloads(self) -> list[str]:
        """Take what is pending. If telling it then fails, it is lost to others until they poll or reconnect."""
        self._has_news.clear()
        pending, self._pending = self._pending, {}
        reseated, self._reseated = self._reseated, set()
        if self._is_overfull:
            self._is_overfull = False
            return [EVERYTHING]
        told = [
            f"{match_id}:{version}{SEATS if match_id in reseated else ''}"
            for match_id, version in pending.items()
        ]
        return [
            ",".join(told[start : start + MATCHES_PER_PAYLOAD])
            for start in range(0, len(told), MATCHES_PER_PAYLOAD)
        ]


class Listener:
    """Hears the other processes and wakes the watchers of this one. Nothing is opened before `start`."""

    def __init__(self, settings: DatabaseSettings, watchers: Watchers, announcer: Announcer) -> None:
        self._settings = settings
        self._watchers = watchers
        self._announcer = announcer
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen, if that has not been done; does not wait for the database."""
        if self._task is None:
            self._task = asyncio.create_task(_keep_up("listener", self._settings, self._listen))

    async def close(self) -> None:
        await end(self._task)

    async def _listen(self, connection: Connection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._watchers.wake_all()  # whatever was told before this moment was missed
        while True:
            async for notification in connection.notifies(timeout=HEARTBEAT_SECONDS):
                if notification.pid != self._announcer.backend_pid:  # our own watchers were woken directly
                    self._hear(notification.payload)
            await connection.execute("")
            connection.must_take_writes()

    def _hear(self, payload: str) -> None:
        if payload == EVERYTHING:
            self._watchers.wake_all()
            return
        for told in payload.split(","):
            match_id, _, news = told.partition(":")
            try:
                self._watchers.wake(UUID(match_id), reseated=news.endswith(SEATS))
            except ValueError:
                _log.warning("a notification that is not ours", channel=CHANNEL)


async def _keep_up(
    name: str, settings: DatabaseSettings, work: Callable[[Connection], Awaitable[None]]
) -> None:
    """Do `work` on a connection for ever; open another when it is lost, after a growing pause."""
    # A lost notification is worth nothing on disk; the statement timeout does not fit one who listens.
    session = {"synchronous_commit": "off"}
    backoff = FIRST_BACKOFF_SECONDS
    while True:
        try:
            async with await connect(settings, name=name, session=session) as connection:
                backoff = FIRST_BACKOFF_SECONDS
                await work(connection)
        except psycopg.Error as problem:  # also a replica that may not listen: the next one may
            _log.warning(
                "connection lost", connection=name, sqlstate=problem.sqlstate, again_in_seconds=backoff
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, another connection is opened; it is logged
            _log.error("internal error", connection=name, again_in_seconds=backoff, **without_message(error))
        await asyncio.sleep(backoff * random.uniform(0.5, 1.0))  # noqa: S311 - so that processes do not return in step
        backoff = min(backoff * 2, LAST_BACKOFF_SECONDS)
