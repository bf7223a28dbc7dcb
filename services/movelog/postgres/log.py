"""The log in Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

import structlog
from psycopg import Rollback
from psycopg.errors import UniqueViolation

from services.movelog.checks import check_append, check_ended, check_limit, check_new, check_text, fork_origin
from services.movelog.failures import (
    ClocksStood,
    ForksUsedUp,
    LogError,
    LogUnavailable,
    MatchUnknown,
    ReferenceTaken,
)
from services.movelog.identities import SeatIdentities
from services.movelog.lobby import PlayerRule
from services.movelog.log import Wakeups, WakeupSubscriber
from services.movelog.match_ids import imported_id
from services.movelog.notes import NO_NOTES, MatchChange, Notes
from services.movelog.postgres import binary, note_queries, queries
from services.movelog.postgres.asking import ask, ask_in_order, ask_on, hold_good, in_our_words
from services.movelog.postgres.batches import PostgresBatches
from services.movelog.postgres.clocks import PostgresClocks
from services.movelog.postgres.events import PostgresEvents
from services.movelog.postgres.group_commit import GroupCommit
from services.movelog.postgres.lanes import Lanes
from services.movelog.postgres.lobby import PostgresLobby, must_hold
from services.movelog.postgres.players import PostgresSeatPlayers
from services.movelog.postgres.proposals import PostgresProposals
from services.movelog.postgres.rows import (
    match_from,
    match_values,
    move_columns,
    move_from,
    note_values,
    notes_from,
    players_values,
    seat_values,
)
from services.movelog.postgres.snapshots import PostgresSnapshots
from services.movelog.postgres.wakeups import Announcer, WakeupReceiver
from services.movelog.postgres.writer import WRITER_SESSION, Pending, WriteOutcome, Writer
from services.movelog.records import Append, ForkQuota, Match, Move, Progress, SeatRecord, TokenUse
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.postgres.database import DatabaseSettings, Pool, open_pool
from services.postgres.records import NamedRow
from services.process.structured_logs import is_debugging

LARGEST_BATCH: Final = 64
TRIES: Final = 3
"""Attempts to write a row of a match whose clocks stood still."""
_log: Final = structlog.get_logger("foldtable.movelog")

READER_SESSION: Final = {"enable_seqscan": "off"}
"""Every query is about one match; a plan made while the tables were small must not be kept."""


class PostgresLog:
    """A `MoveLog` that uses lanes for appends and a pool for everything else.

        log = await PostgresLog.open(DatabaseSettings(url))
        ...
        await log.close()

    Or `async with await PostgresLog.open(...) as log`. It belongs to the event loop it was opened in. The
    database may become unreachable and come back: meanwhile calls raise LogUnavailable, afterwards they work.
    """

    def __init__(self, settings: DatabaseSettings, readers: Pool) -> None:
        """Use `open`."""
        self._readers = readers
        self._lanes = Lanes(settings.direct, WRITER_SESSION)
        self._writer = Writer(self._lanes)
        self._commits = GroupCommit(self._write, lanes=settings.writers, largest=LARGEST_BATCH)
        self._subscriptions = WakeupSubscriptions()
        self._announcer = Announcer(settings.direct)
        self._receiver = WakeupReceiver(settings.direct, self._subscriptions, self._announcer)
        self._clocks = PostgresClocks(readers, self._lanes)
        self._snapshots = PostgresSnapshots(readers, self._lanes)
        self._lobby = PostgresLobby(readers, self._reseated)
        self._players = PostgresSeatPlayers(readers, self._reseated)
        self._batches = PostgresBatches(readers, self._reseated, self._clocks)
        self._events = PostgresEvents(readers)
        self._proposals = PostgresProposals(readers, self._reseated)

    @classmethod
    async def open(cls, settings: DatabaseSettings) -> Self:
        """Open the log. Does not wait for the database; see `services.postgres.database.check_schema`."""
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
    def players(self) -> PostgresSeatPlayers:
        """See `MoveLog.players`."""
        return self._players

    @property
    def batches(self) -> PostgresBatches:
        """See `MoveLog.batches`."""
        return self._batches

    @property
    def events(self) -> PostgresEvents:
        """See `MoveLog.events`."""
        return self._events

    @property
    def proposals(self) -> PostgresProposals:
        """The open proposals, to end those whose time is up."""
        return self._proposals

    @property
    def clocks(self) -> PostgresClocks:
        """See `MoveLog.clocks`."""
        return self._clocks

    @property
    def snapshots(self) -> PostgresSnapshots:
        """See `MoveLog.snapshots`."""
        return self._snapshots

    async def create(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        *,
        token: TokenUse | None = None,
        rule: PlayerRule | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """See `MoveLog.create`. Raises ValueError for an impossible match."""
        values = (*match_values(match), *seat_values(check_new(match, seats)), *note_values(notes))
        async with self._with_own_reference(match.tenant, notes.reference):
            created = await self._create(values, token, rule)
        if created:
            self._reseated(match.id, 0)
            return match
        return await self._created_before(match)

    async def fork(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        quota: ForkQuota,
        *,
        token: TokenUse | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """See `MoveLog.fork`."""
        values = (*match_values(match), *seat_values(check_new(match, seats)), *note_values(notes))
        origin = fork_origin(match)
        counted = created = False
        async with (
            self._with_own_reference(match.tenant, notes.reference),
            self._readers.connection() as connection,
            connection.transaction(),
        ):
            if token is not None:
                await hold_good(connection, token)
            counts = (origin, quota.account, quota.most)
            counted = bool(await ask_on(connection, queries.COUNT_FORK, counts))
            if counted:
                created = bool(await ask_on(connection, queries.CREATE, values))
                if not created:
                    raise Rollback  # a repeat is not counted
        if created:
            self._reseated(match.id, 0)
            return match
        if not counted and (
            match.request_id is None or await self.requested(match.tenant, match.request_id) is None
        ):
            await self.find(origin)  # it may have been deleted meanwhile
            raise ForksUsedUp(f"{quota.most} forks of match {origin} were made")
        return await self._created_before(match)

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """See `MoveLog.requested`."""
        rows = await self._ask(queries.FIND_REQUESTED, (tenant, request_id))
        return match_from(rows[0]) if rows else None

    async def import_match(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        moves: Sequence[Move],
        *,
        notes: Notes = NO_NOTES,
        identities: Sequence[SeatIdentities] = (),
    ) -> bool:
        """See `MoveLog.import_match`. Raises ValueError for a match that no log could store."""
        check_ended(match, seats, moves)
        values = (*match_values(match), *seat_values(seats), *note_values(notes), *move_columns(moves))
        known = {one.seat for one in identities}
        changed = [row for row in seats if row.replaced or row.seat in known]
        async with (
            self._with_own_reference(match.tenant, notes.reference),
            self._readers.connection() as connection,
            connection.transaction(),
        ):
            imported = bool(await ask_on(connection, queries.IMPORT, values))
            if imported and changed:
                players = players_values(changed, identities)
                await ask_on(connection, queries.IMPORT_PLAYERS, (match.id, *players))
        if imported:
            self._reseated(match.id, match.version)
        return imported

    async def change(
        self, match_id: UUID, change: MatchChange, check: Callable[[Notes], None] = lambda _: None
    ) -> None:
        """See `MoveLog.change`."""
        check_text(change.title or "")
        match = await self.find(match_id)
        async with (
            self._with_own_reference(match.tenant, change.reference or ""),
            self._readers.connection() as connection,
            connection.transaction(),
        ):
            held = await ask_on(connection, note_queries.HOLD, (match_id,))
            if not held:
                raise MatchUnknown(f"no match {match_id}")
            rows = await ask_on(connection, note_queries.NOTES, (match_id,))
            noted = change.noted(notes_from(rows[0]) if rows else NO_NOTES)
            check(noted)
            visibility = None if change.visibility is None else change.visibility.value
            values = (match_id, change.title, visibility, *note_values(noted))
            await ask_on(connection, note_queries.CHANGE, values)
        self._reseated(match_id, held[0]["version"])

    async def notes(self, match_id: UUID) -> Notes:
        """See `MoveLog.notes`."""
        rows = await self._ask(note_queries.NOTES, (match_id,))
        return notes_from(rows[0]) if rows else NO_NOTES

    async def own(self, tenant: str, match_id: UUID) -> UUID | None:
        """See `MoveLog.own`."""
        rows = await self._ask(queries.OWN, (tenant, [match_id, imported_id(tenant, match_id)], match_id))
        return rows[0]["id"] if rows else None

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        rows = await self._ask(queries.FIND, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        return match_from(rows[0])

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`. Raises ValueError or OverflowError for a move that no log could store."""
        check_append(append)
        move = append.move
        for _ in range(TRIES):
            try:
                await self._commits.put(move.match_id, Pending(append, binary.row(append)))
                break
            except ClocksStood:
                await self._clocks.resume(move.match_id)
        else:
            raise LogUnavailable(f"the clocks of match {move.match_id} stand still")
        if is_debugging():
            _log.debug("appended", match_id=move.match_id, version=move.seq)

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """See `MoveLog.read`. Raises ValueError for a limit below zero."""
        check_limit(limit)
        rows = await ask_in_order(self._readers, queries.READ, (match_id, after, limit))
        return list(map(move_from, rows))

    async def progress(self, match_ids: Sequence[UUID]) -> dict[UUID, Progress]:
        """See `MoveLog.progress`."""
        rows = await self._ask(queries.PROGRESS, (list(match_ids),))
        return {row.pop("id"): Progress(**row) for row in rows}

    def announce(self, match_id: UUID) -> None:
        """Wake whoever follows a match or has it cached, here and in other processes: its seats were changed, or it was deleted."""
        self._reseated(match_id, 0)

    def subscribe_to_match(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.subscribe_to_match`."""
        self._receiver.start()
        return self._subscriptions.subscribe_to_match(match_id)

    def subscribe_to_all(self, subscriber: WakeupSubscriber) -> Callable[[], None]:
        """See `MoveLog.subscribe_to_all`."""
        self._receiver.start()
        return self._subscriptions.subscribe_to_all(subscriber)

    async def close(self) -> None:
        """Finish pending writes and close the database connections."""
        await self._commits.close()
        await self._receiver.close()
        await self._announcer.close()
        await self._lanes.close()
        await self._readers.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _write(self, batch: Sequence[Pending]) -> list[WriteOutcome]:
        outcomes = await self._writer.write(batch)
        for pending, outcome in zip(batch, outcomes, strict=True):
            if outcome is None:
                move = pending.append.move
                # Who has to answer a proposal is told like a change of seats, which streams look at apart from moves.
                others = pending.append.proposal is not None
                self._subscriptions.wake(move.match_id, reseated=others)
                self._announcer.announce(move.match_id, move.seq, reseated=others)
        return outcomes

    async def _create(
        self, values: tuple[Any, ...], token: TokenUse | None, rule: PlayerRule | None
    ) -> list[NamedRow]:
        if token is None and rule is None:
            return await self._ask(queries.CREATE, values)
        with in_our_words():
            async with self._readers.connection() as connection, connection.transaction():
                if token is not None:
                    await hold_good(connection, token)
                if rule is not None:
                    await must_hold(connection, rule)
                return await ask_on(connection, queries.CREATE, values)

    @asynccontextmanager
    async def _with_own_reference(self, tenant: str, reference: str) -> AsyncIterator[None]:
        """Raises ReferenceTaken if the block could not write notes because another match of the tenant has their reference."""
        try:
            with in_our_words():
                yield
        except UniqueViolation as clash:
            if clash.diag.constraint_name != "match_notes_reference":
                raise
            rows = await self._ask(note_queries.REFERRED, (tenant, reference))
            if not rows:
                raise LogUnavailable("the reference was free again at once; nothing was written") from None
            raise ReferenceTaken("another match has this reference", match_id=rows[0]["known_as"]) from None

    async def _created_before(self, match: Match) -> Match:
        """Return the stored match that conflicts with `match`: created by the same request, or the same match."""
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

    async def _ask(self, query: str, values: tuple[Any, ...]) -> list[NamedRow]:
        return await ask(self._readers, query, values)

    def _reseated(self, match_id: UUID, version: int) -> None:
        self._subscriptions.wake(match_id, reseated=True)
        self._announcer.announce(match_id, version, reseated=True)
