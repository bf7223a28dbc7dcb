"""Many matches at once in Postgres."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final
from uuid import UUID

from psycopg import Rollback
from psycopg.errors import DeadlockDetected, UniqueViolation

from services.movelog.batches import MatchNow, NewMatch, first_of_each_reference
from services.movelog.checks import check_append, check_new
from services.movelog.notes import NO_NOTES
from services.movelog.postgres import batch_queries as queries
from services.movelog.postgres.asking import ask, ask_on, in_our_words
from services.movelog.postgres.clocks import PostgresClocks
from services.movelog.postgres.rows import (
    match_from,
    new_match_columns,
    notes_from,
    seating_from,
    start_columns,
)
from services.movelog.records import Append, Status
from services.postgres.database import Connection, Pool

Announce = Callable[[UUID, int], None]
"""Wakes all subscribers of a match, here and in other processes, with its version, and reports that its seats have changed."""

AT_ONCE: Final = 100
"""Matches in one statement: more would keep the event loop for long while their values are encoded."""


class PostgresBatches:
    """See `Batches`."""

    def __init__(self, pool: Pool, announce: Announce, clocks: PostgresClocks) -> None:
        self._pool = pool
        self._announce = announce
        self._clocks = clocks

    async def create(self, new: Sequence[NewMatch], *, all_or_none: bool) -> frozenset[UUID]:
        """See `Batches.create`."""
        first = first_of_each_reference(new)
        if all_or_none and len(first) < len(new):
            return frozenset()
        stored: set[UUID] = set()
        try:
            with in_our_words():
                async with self._pool.connection() as connection, connection.transaction():
                    for start in range(0, len(first), AT_ONCE):
                        stored |= await _created(connection, first[start : start + AT_ONCE])
                    if all_or_none and len(stored) < len(first):
                        raise Rollback
        except _Race:
            return frozenset()
        if all_or_none and len(stored) < len(first):
            return frozenset()
        for match_id in stored:
            self._announce(match_id, 0)
        return frozenset(stored)

    async def start(self, appends: Sequence[Append]) -> frozenset[UUID]:
        """See `Batches.start`."""
        for append in appends:
            check_append(append)
        begun: set[UUID] = set()
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                await ask_on(connection, queries.BY_KEYS, ())
                await ask_on(connection, queries.HOLD, ([append.move.match_id for append in appends],))
                for start in range(0, len(appends), AT_ONCE):
                    columns = start_columns(appends[start : start + AT_ONCE])
                    begun |= {row["match_id"] for row in await ask_on(connection, queries.START, columns)}
        for append in appends:
            if append.move.match_id in begun:
                self._announce(append.move.match_id, append.move.seq)
        return frozenset(begun)

    async def read(self, match_ids: Sequence[UUID]) -> dict[UUID, MatchNow]:
        """See `Batches.read`."""
        named = (list(match_ids),)
        with in_our_words():
            async with self._pool.connection() as connection:
                matches = await ask_on(connection, queries.FIND, named)
                seats = await ask_on(connection, queries.SEATING, named)
                noted = await ask_on(connection, queries.NOTES, named)
        notes = {row.pop("match_id"): notes_from(row) for row in noted}
        timed = [row["id"] for row in matches if row["clock"] is not None and row["status"] == Status.RUNNING]
        clocks = await self._clocks.of_several(timed) if timed else {}
        seatings = {
            match_id: seating_from(list(rows)) for match_id, rows in groupby(seats, lambda row: row["id"])
        }
        return {
            match.id: MatchNow(
                match=match,
                seating=seatings[match.id],
                notes=notes.get(match.id, NO_NOTES),
                clocks=clocks.get(match.id),
            )
            for match in map(match_from, matches)
        }

    async def requested(self, tenant: str, request_ids: Sequence[str]) -> dict[str, UUID]:
        """See `Batches.requested`."""
        rows = await ask(self._pool, queries.REQUESTED, (tenant, list(request_ids)))
        return {row["request_id"]: row["id"] for row in rows}

    async def referred(self, tenant: str, references: Sequence[str]) -> dict[str, UUID]:
        """See `Batches.referred`."""
        rows = await ask(self._pool, queries.REFERRED, (tenant, list(references)))
        return {row["reference"]: row["known_as"] for row in rows}


class _Race(Exception):  # noqa: N818 - says what happened, and is caught here
    """Another transaction got in between; nothing was written."""


async def _created(connection: Connection, new: Sequence[NewMatch]) -> set[UUID]:
    """Store matches; return the ids of those that were stored. Raises _Race."""
    seats = [check_new(one.match, one.seats) for one in new]
    columns = new_match_columns([one.match for one in new], [one.notes for one in new], seats)
    try:
        return {row["id"] for row in await ask_on(connection, queries.CREATE, columns)}
    except UniqueViolation as clash:
        if clash.diag.constraint_name != "match_notes_reference":
            raise
        raise _Race from None
    except DeadlockDetected:  # with somebody who creates the same matches in another order
        raise _Race from None
