"""Writes batches of appends: one statement, one round trip, one commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable, UniqueViolation

from services.movelog import binary
from services.movelog.failures import LogError, LogUnavailable, MatchUnknown, RequestIdTaken, StaleVersion
from services.movelog.lane import Lane, Statement
from services.movelog.lanes import Lanes
from services.movelog.queries import (
    APPEND,
    APPEND_BATCH,
    APPEND_BATCH_WITH_LAST,
    APPEND_LAST,
    WHY_NOT,
)
from services.movelog.records import Append, Status

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


_ITEMS: Final = tuple(column.item_oid for column in binary.COLUMNS)
_ARRAYS: Final = tuple(column.oid for column in binary.COLUMNS)
_APPEND: Final = Statement(b"append", APPEND.encode(), _ITEMS)
_APPEND_LAST: Final = Statement(b"append_last", APPEND_LAST.encode(), _ITEMS)
_APPEND_BATCH: Final = Statement(b"append_batch", APPEND_BATCH.encode(), _ARRAYS)
_APPEND_BATCH_WITH_LAST: Final = Statement(
    b"append_batch_with_last", APPEND_BATCH_WITH_LAST.encode(), _ARRAYS
)
_WHY_NOT: Final = Statement(b"why_not", WHY_NOT.encode(), (binary.UUID.item_oid, binary.TEXT.item_oid))


class Writer:
    """Writes batches. Safe to call at once from several tasks; each takes a lane."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes

    async def write(self, batch: Sequence[Pending]) -> list[Outcome]:
        """Write moves of different matches; say for each, in order, what came of it. Raises nothing of its own."""
        try:
            async with self._lanes.lane() as lane:
                if len(batch) == 1:
                    return [await _write_alone(lane, batch[0])]
                return await _write_together(lane, batch)
        except psycopg.OperationalError as problem:
            return [_unavailable(pending, problem) for pending in batch]


async def _write_together(lane: Lane, batch: Sequence[Pending]) -> list[Outcome]:
    rows = sorted(pending.row for pending in batch)  # match ids come first, and differ
    statement = _APPEND_BATCH_WITH_LAST if any(map(_is_last, batch)) else _APPEND_BATCH
    try:
        result = await lane.run(statement, binary.columns(rows))
    except RETRY_ALONE:
        return [await _write_alone(lane, pending) for pending in batch]
    if result.ntuples == len(batch):
        return [None] * len(batch)
    written = {result.get_value(row, 0) for row in range(result.ntuples)}
    return [
        None if pending.row[binary.MATCH_ID] in written else await _why_not(lane, pending)
        for pending in batch
    ]


async def _write_alone(lane: Lane, pending: Pending) -> Outcome:
    try:
        result = await lane.run(_APPEND_LAST if _is_last(pending) else _APPEND, pending.row)
    except psycopg.OperationalError as problem:
        return _unavailable(pending, problem)
    except UniqueViolation as clash:
        if clash.diag.constraint_name == REQUEST_ID_CONSTRAINT:
            return _request_id_taken(pending)
        return _refused(pending, clash)
    except psycopg.Error as problem:
        return _refused(pending, problem)
    return None if result.ntuples == 1 else await _why_not(lane, pending)


async def _why_not(lane: Lane, pending: Pending) -> Outcome:
    """Nothing was written, and no error: find out why. Only the loser of a race pays for this."""
    move = pending.append.move
    try:
        result = await lane.run(_WHY_NOT, (pending.row[binary.MATCH_ID], pending.row[binary.REQUEST_ID]))
    except psycopg.OperationalError as problem:
        return _unavailable(pending, problem)
    if result.get_value(0, 0) == binary.FALSE:
        return MatchUnknown(f"no match {move.match_id}")
    if result.get_value(0, 1) == binary.TRUE:
        return _request_id_taken(pending)
    return StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}")


def _is_last(pending: Pending) -> bool:
    """Tell whether a move ends its match."""
    return pending.append.status is Status.ENDED


def _request_id_taken(pending: Pending) -> RequestIdTaken:
    return RequestIdTaken(f"match {pending.append.move.match_id} has a move with this request id")


def _unavailable(pending: Pending, problem: psycopg.Error) -> LogUnavailable:
    kind = problem.sqlstate or type(problem).__name__
    return LogUnavailable(f"no answer for match {pending.append.move.match_id}: {kind}")


def _refused(pending: Pending, problem: psycopg.Error) -> LogError:
    """Our own mistake. Postgres's message may quote the row, so only its code is passed on."""
    kind = problem.sqlstate or type(problem).__name__
    return LogError(f"the database refused a move of match {pending.append.move.match_id}: {kind}")
