"""The log in Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

import psycopg

from services.database import DatabaseSettings, Pool, open_pool
from services.movelog import binary, queries
from services.movelog.checks import (
    MOST_SEATS,
    check_append,
    check_limit,
    check_new,
    check_seat,
    check_text,
)
from services.movelog.group_commit import GroupCommit
from services.movelog.lanes import Lanes
from services.movelog.log import (
    LogError,
    LogUnavailable,
    MatchUnknown,
    NoFreeSeat,
    SeatTaken,
    Wakeups,
)
from services.movelog.records import Append, Match, Move, SeatClaim
from services.movelog.rows import claim_from, match_from, match_values, move_from
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

    @classmethod
    async def open(cls, settings: DatabaseSettings) -> Self:
        """Open the log. Does not wait for the database; see `services.database.check_schema`."""
        readers = await open_pool(settings, name="log", most=settings.readers, session=READER_SESSION)
        return cls(settings, readers)

    @property
    def pool(self) -> Pool:
        """The connections for everything but appends; others of the process may share them."""
        return self._readers

    async def create(self, match: Match, claims: Sequence[SeatClaim]) -> Match:
        """See `MoveLog.create`; ValueError for a match that cannot be."""
        check_new(match, claims)
        seated = (
            [claim.seat for claim in claims],
            [claim.player for claim in claims],
            [claim.generation for claim in claims],
        )
        if await self._ask(queries.CREATE, (*match_values(match), *seated)):
            return match
        return await self._created_before(match)

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        rows = await self._ask(queries.FIND, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        return match_from(rows[0])

    async def claims(self, match_id: UUID) -> tuple[SeatClaim, ...]:
        """See `MoveLog.claims`; empty for an unknown match."""
        return tuple(map(claim_from, await self._ask(queries.CLAIMS, (match_id,))))

    async def claim(self, match_id: UUID, seat: int | None, player: str) -> SeatClaim:
        """See `MoveLog.claim`; ValueError for a seat the match does not have.

        A named player who already sits on the very seat gets the same claim again.
        """
        check_text(player)
        if seat is None:
            return await self._claim_lowest(match_id, player)
        if not 0 <= seat < MOST_SEATS:
            check_seat(seat, (await self.find(match_id)).seats)
        rows = await self._ask(queries.CLAIM_SEAT, (match_id, seat, player))
        if rows:
            return claim_from(rows[0])
        rows = await self._ask(queries.SEAT_HOLDER, (match_id, seat))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        seats, *holder = rows[0]
        check_seat(seat, seats)
        held = claim_from(tuple(holder))
        if player and held.player == player:
            return held
        raise SeatTaken(f"seat {seat} of match {match_id} is taken")

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`; ValueError or OverflowError for a move that no log could hold."""
        check_append(append)
        await self._commits.put(append.move.match_id, Pending(append, binary.row(append)))

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """See `MoveLog.read`; ValueError for a limit below zero."""
        check_limit(limit)
        return list(map(move_from, await self._ask(queries.READ, (match_id, after, limit))))

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.watch`."""
        self._listener.start()
        return self._watchers.watch(match_id)

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

    async def _claim_lowest(self, match_id: UUID, player: str) -> SeatClaim:
        while True:  # each further round means that somebody else has just taken a seat
            rows = await self._ask(queries.CLAIM_LOWEST, (match_id, player))
            if rows:
                return claim_from(rows[0])
            rows = await self._ask(queries.SEATS_LEFT, (match_id,))
            if not rows:
                raise MatchUnknown(f"no match {match_id}")
            if rows[0][0] <= 0:
                raise NoFreeSeat(f"match {match_id} has no free seat")

    async def _created_before(self, match: Match) -> Match:
        """The match that stood in the way of `match`: made by the same request, or the very same."""
        if match.request_id is not None:
            rows = await self._ask(queries.FIND_REQUESTED, (match.tenant, match.request_id))
            if rows:
                return match_from(rows[0])
        stored = await self.find(match.id)
        if (stored.tenant, stored.commitment) != (match.tenant, match.commitment):
            raise LogError(f"match id {match.id} is taken by another match")
        return stored

    async def _ask(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            async with self._readers.connection() as connection:
                cursor = await connection.execute(query, values, binary=True)
                return await cursor.fetchall()
        except psycopg.OperationalError as problem:
            kind = problem.sqlstate or type(problem).__name__
            raise LogUnavailable(f"the database does not answer: {kind}") from problem
        except psycopg.Error as problem:
            # Our own mistake. Postgres's message may quote the row, so only its code is passed on.
            raise LogError(f"the database refused a statement: {problem.sqlstate}") from None
