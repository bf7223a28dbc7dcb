"""The log in Postgres."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

from services.database import DatabaseSettings, Pool, open_pool
from services.movelog import binary, queries
from services.movelog.asking import Row, ask
from services.movelog.checks import check_append, check_ended, check_limit, check_new
from services.movelog.failures import LogError, MatchUnknown
from services.movelog.group_commit import GroupCommit
from services.movelog.lanes import Lanes
from services.movelog.log import Heard, Wakeups
from services.movelog.postgres_clocks import PostgresClocks
from services.movelog.postgres_events import PostgresEvents
from services.movelog.postgres_lobby import PostgresLobby
from services.movelog.postgres_snapshots import PostgresSnapshots
from services.movelog.records import Append, Match, Move, Progress, SeatRecord
from services.movelog.rows import match_from, match_values, move_columns, move_from, seat_values
from services.movelog.wakeups import Announcer, Listener
from services.movelog.watchers import Watchers
from services.movelog.writer import WRITER_SESSION, Outcome, Pending, Writer

LARGEST_BATCH: Final = 64
READER_SESSION: Final = {"enable_seqscan": "off"}
"""Every question is about one match; a plan made while the tables were small must not stay."""


class PostgresLog:
    """A `MoveLog` over lanes of their own for appends and a pool for the rest.

        log = await PostgresLog.open(DatabaseSettings(url))
        ...
        await log.close()

    Or `async with await PostgresLog.open(...) as log`. It belongs to the event loop it was opened in. The
    database may go away and come back: meanwhile calls raise LogUnavailable, afterwards they work.
    """

    def __init__(self, settings: DatabaseSettings, readers: Pool) -> None:
        """Use `open`."""
        self._readers = readers
        self._lanes = Lanes(settings, WRITER_SESSION)
        self._writer = Writer(self._lanes)
        self._commits = GroupCommit(self._write, lanes=settings.writers, largest=LARGEST_BATCH)
        self._watchers = Watchers()
        self._announcer = Announcer(settings)
        self._listener = Listener(settings, self._watchers, self._announcer)
        self._clocks = PostgresClocks(readers)
        self._snapshots = PostgresSnapshots(readers)
        self._lobby = PostgresLobby(readers, self._reseated)
        self._events = PostgresEvents(readers)

    @classmethod
    async def open(cls, settings: DatabaseSettings) -> Self:
        """Open the log. Does not wait for the database; see `services.database.check_schema`."""
        readers = await open_pool(settings, name="log", most=settings.readers, session=READER_SESSION)
        return cls(settings, readers)

    @property
    def pool(self) -> Pool:
        """The connections for everything but appends; others of the process may share them."""
        return self._readers

    @property
    def lobby(self) -> PostgresLobby:
        """See `MoveLog.lobby`."""
        return self._lobby

    @property
    def events(self) -> PostgresEvents:
        """See `MoveLog.events`."""
        return self._events

    @property
    def clocks(self) -> PostgresClocks:
        """See `MoveLog.clocks`."""
        return self._clocks

    @property
    def snapshots(self) -> PostgresSnapshots:
        """See `MoveLog.snapshots`."""
        return self._snapshots

    async def create(self, match: Match, seats: Sequence[SeatRecord]) -> Match:
        """See `MoveLog.create`; ValueError for a match that cannot be."""
        seated = seat_values(check_new(match, seats))
        if await self._ask(queries.CREATE, (*match_values(match), *seated)):
            self._reseated(match.id, 0)
            return match
        return await self._created_before(match)

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """See `MoveLog.requested`."""
        rows = await self._ask(queries.FIND_REQUESTED, (tenant, request_id))
        return match_from(rows[0]) if rows else None

    async def take_in(self, match: Match, seats: Sequence[SeatRecord], moves: Sequence[Move]) -> bool:
        """See `MoveLog.take_in`; ValueError for a match that no log could hold."""
        check_ended(match, seats, moves)
        values = (*match_values(match), *seat_values(seats), *move_columns(moves))
        taken_in = bool(await self._ask(queries.TAKE_IN, values))
        if taken_in:
            self._reseated(match.id, match.version)
        return taken_in

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        rows = await self._ask(queries.FIND, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        return match_from(rows[0])

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`; ValueError or OverflowError for a move that no log could hold."""
        check_append(append)
        await self._commits.put(append.move.match_id, Pending(append, binary.row(append)))

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """See `MoveLog.read`; ValueError for a limit below zero."""
        check_limit(limit)
        return list(map(move_from, await self._ask(queries.READ, (match_id, after, limit))))

    async def progress(self, match_ids: Sequence[UUID]) -> dict[UUID, Progress]:
        """See `MoveLog.progress`."""
        rows = await self._ask(queries.PROGRESS, (list(match_ids),))
        return {row[0]: Progress(version=row[1], revocations=row[2]) for row in rows}

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.watch`."""
        self._listener.start()
        return self._watchers.watch(match_id)

    def hear(self, heard: Heard) -> Callable[[], None]:
        """See `MoveLog.hear`."""
        self._listener.start()
        return self._watchers.hear(heard)

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        await self._commits.close()
        await self._listener.close()
        await self._announcer.close()
        await self._lanes.close()
        await self._readers.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _write(self, batch: Sequence[Pending]) -> list[Outcome]:
        outcomes = await self._writer.write(batch)
        for pending, outcome in zip(batch, outcomes, strict=True):
            if outcome is None:
                move = pending.append.move
                self._watchers.wake(move.match_id)
                self._announcer.announce(move.match_id, move.seq)
        return outcomes

    async def _created_before(self, match: Match) -> Match:
        """The match that stood in the way of `match`: made by the same request, or the very same."""
        if match.request_id is not None:
            requested = await self.requested(match.tenant, match.request_id)
            if requested is not None:
                return requested
        if match.rematch_of is not None:
            earlier = await self._lobby.rematch_of(match.rematch_of)
            if earlier is not None:
                return earlier
        stored = await self.find(match.id)
        if (stored.tenant, stored.commitment) != (match.tenant, match.commitment):
            raise LogError(f"match id {match.id} is taken by another match")
        return stored

    async def _ask(self, query: str, values: tuple[Any, ...]) -> list[Row]:
        return await ask(self._readers, query, values)

    def _reseated(self, match_id: UUID, version: int) -> None:
        self._watchers.wake(match_id, reseated=True)
        self._announcer.announce(match_id, version, reseated=True)
