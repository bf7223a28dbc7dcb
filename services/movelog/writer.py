"""Writes batches of appends: one statement, one round trip, one commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable, UniqueViolation

from services.database import Connection, Pool
from services.movelog import binary
from services.movelog.log import LogError, LogUnavailable, MatchUnknown, RequestIdTaken, StaleVersion
from services.movelog.queries import APPEND, APPEND_BATCH, WHY_NOT
from services.movelog.records import Append

Outcome: TypeAlias = LogError | None
"""None: written and durable."""

REQUEST_ID_CONSTRAINT: Final = "moves_request_id"
RETRY_ALONE: Final = (psycopg.IntegrityError, psycopg.DataError, DeadlockDetected, LockNotAvailable)
"""What a single move of a batch may have caused. The batch was rolled back: nothing of it is written."""

WRITER_SESSION: Final = {
    # The only plan is nested loops over primary keys: the same for ten matches as for ten million, whatever
    # the statistics say, and locking in the order of ids (see queries.APPEND_BATCH).
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "plan_cache_mode": "force_generic_plan",
    # One match that somebody has locked must not hold up the others of its batch for long.
    "lock_timeout": "1000",
}


class Pending(NamedTuple):
    """An append and its binary form."""

    append: Append
    row: binary.Row


class Writer:
    """Writes batches. Safe to call at once from several tasks; each takes a connection."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def write(self, batch: Sequence[Pending]) -> list[Outcome]:
        """Write moves of different matches; say for each, in order, what came of it. Raises nothing of its own."""
        try:
            async with self._pool.connection() as connection:
                if len(batch) == 1:
                    return [await _write_alone(connection, batch[0])]
                return await _write_together(connection, batch)
        except psycopg.OperationalError as problem:
            return [_unavailable(pending, problem) for pending in batch]


async def _write_together(connection: Connection, batch: Sequence[Pending]) -> list[Outcome]:
    rows = sorted(pending.row for pending in batch)  # match ids come first and differ
    try:
        cursor = await connection.execute(APPEND_BATCH, binary.columns(rows), binary=True)
    except RETRY_ALONE:
        return [await _write_alone(connection, pending) for pending in batch]
    if cursor.rowcount == len(batch):
        return [None] * len(batch)
    written = {match_id for (match_id,) in await cursor.fetchall()}
    return [
        None if pending.append.move.match_id in written else await _why_not(connection, pending)
        for pending in batch
    ]


async def _write_alone(connection: Connection, pending: Pending) -> Outcome:
    append, move = pending.append, pending.append.move
    values = (
        move.match_id,
        move.seq,
        move.recorded_at,
        move.seat,
        move.request_id,
        move.previous_hash,
        move.hash,
        move.request,
        move.events,
        append.status.value,
        f"{{{','.join(map(str, append.to_act))}}}",
        append.outcome,
    )
    try:
        cursor = await connection.execute(APPEND, values, binary=True)
    except psycopg.OperationalError as problem:
        return _unavailable(pending, problem)
    except UniqueViolation as clash:
        if clash.diag.constraint_name == REQUEST_ID_CONSTRAINT:
            return _request_id_taken(pending)
        return _refused(pending, clash)
    except psycopg.Error as problem:
        return _refused(pending, problem)
    return None if cursor.rowcount == 1 else await _why_not(connection, pending)


async def _why_not(connection: Connection, pending: Pending) -> Outcome:
    """Nothing was written, and no error: find out why. Only the loser of a race pays for this."""
    move = pending.append.move
    try:
        cursor = await connection.execute(WHY_NOT, (move.match_id, move.request_id), binary=True)
        row = await cursor.fetchone()
    except psycopg.OperationalError as problem:
        return _unavailable(pending, problem)
    assert row is not None
    match_is_known, request_id_is_taken = row
    if not match_is_known:
        return MatchUnknown(f"no match {move.match_id}")
    if request_id_is_taken:
        return _request_id_taken(pending)
    return StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}")


def _request_id_taken(pending: Pending) -> RequestIdTaken:
    return RequestIdTaken(f"match {pending.append.move.match_id} has a move with this request id")


def _unavailable(pending: Pending, problem: psycopg.Error) -> LogUnavailable:
    kind = problem.sqlstate or type(problem).__name__
    return LogUnavailable(f"no answer for match {pending.append.move.match_id}: {kind}")


def _refused(pending: Pending, problem: psycopg.Error) -> LogError:
    """Our own mistake. Postgres's message may quote the row, so only its code is passed on."""
    kind = problem.sqlstate or type(problem).__name__
    return LogError(f"the database refused a move of match {pending.append.move.match_id}: {kind}")
