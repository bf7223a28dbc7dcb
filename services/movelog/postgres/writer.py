"""Writes batches of appends: one statement, one round trip, one commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable, UniqueViolation
from psycopg.pq.abc import PGresult

from services.movelog.failures import (
    ClocksStood,
    LogError,
    LogUnavailable,
    MatchUnknown,
    RequestIdTaken,
    StaleVersion,
    TokensRevoked,
    clock_refusal,
)
from services.movelog.postgres import binary, clock_queries, queries
from services.movelog.postgres.lane import Lane, Statement
from services.movelog.postgres.lanes import Lanes
from services.movelog.postgres.proposals import change_text
from services.movelog.records import Append, Status

WriteOutcome: TypeAlias = LogError | None
"""None: written and durable."""

MAX_REMEMBERED: Final = 100_000
"""Most remembered matches whose events are wanted."""
REQUEST_ID_CONSTRAINT: Final = "moves_request_id"
RETRY_ALONE: Final = (psycopg.IntegrityError, psycopg.DataError, DeadlockDetected, LockNotAvailable)
"""Errors that a single move of a batch may have caused. The batch was rolled back: nothing of it is written."""

WRITER_SESSION: Final = {
    # The only plan is nested loops over primary keys: the same for ten matches as for ten million, whatever
    # the statistics say, and locking in the order of ids (see queries.APPEND_BATCH).
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "plan_cache_mode": "force_generic_plan",
    # A match that another process has locked must not delay the others of its batch for long.
    "lock_timeout": "1000",
}


class Pending(NamedTuple):
    """An append and its binary form."""

    append: Append
    row: binary.Row


class Statements(NamedTuple):
    """The statements for a batch: a single move, several, and the same if a match ends."""

    alone: Statement
    alone_last: Statement
    together: Statement
    together_with_last: Statement

    def choose(self, batch: Sequence[Pending]) -> Statement:
        """Return the statement for a batch."""
        ends = any(map(_is_last, batch))
        if len(batch) == 1:
            return self.alone_last if ends else self.alone
        return self.together_with_last if ends else self.together


_ITEMS: Final = tuple(column.item_oid for column in binary.COLUMNS)
_ARRAYS: Final = tuple(column.oid for column in binary.COLUMNS)
_WITHOUT_EVENTS: Final = Statements(
    Statement(b"append", queries.APPEND.encode(), _ITEMS[: binary.WITHOUT_EVENTS]),
    Statement(b"append_last", queries.APPEND_LAST.encode(), _ITEMS[: binary.WITHOUT_EVENTS]),
    Statement(b"append_batch", queries.APPEND_BATCH.encode(), _ARRAYS[: binary.WITHOUT_EVENTS]),
    Statement(
        b"append_batch_with_last", queries.APPEND_BATCH_WITH_LAST.encode(), _ARRAYS[: binary.WITHOUT_EVENTS]
    ),
)
_WITH_EVENTS: Final = Statements(
    Statement(b"append_with_events", queries.APPEND_WITH_EVENTS.encode(), _ITEMS),
    Statement(b"append_last_with_events", queries.APPEND_LAST_WITH_EVENTS.encode(), _ITEMS),
    Statement(b"append_batch_with_events", queries.APPEND_BATCH_WITH_EVENTS.encode(), _ARRAYS),
    Statement(
        b"append_batch_with_last_and_events", queries.APPEND_BATCH_WITH_LAST_AND_EVENTS.encode(), _ARRAYS
    ),
)
_WITH_PROPOSAL: Final = Statement(
    b"append_with_proposal", queries.APPEND_WITH_PROPOSAL.encode(), (*_ITEMS, binary.TEXT.item_oid)
)
_WHY_NOT: Final = Statement(
    b"why_not",
    queries.WHY_NOT.encode(),
    (binary.UUID.item_oid, binary.TEXT.item_oid, binary.INT4.item_oid),
)
_APPEND_CLOCKED: Final = Statement(
    b"append_clocked",
    clock_queries.APPEND.encode(),
    tuple(column.oid for column in binary.CLOCKED_COLUMNS),
)
_WITH_PROPOSAL_CLOCKED: Final = Statement(
    b"append_with_proposal_clocked",
    clock_queries.APPEND_WITH_PROPOSAL.encode(),
    (*(column.oid for column in binary.CLOCKED_COLUMNS), binary.TEXT.item_oid),
)
_WHY_NOT_CLOCKED: Final = Statement(
    b"why_not_clocked",
    clock_queries.WHY_NOT.encode(),
    (
        binary.UUID.item_oid,
        binary.TEXT.item_oid,
        binary.INT4.item_oid,
        binary.INT4.item_oid,
        binary.BYTEA.item_oid,
        binary.TEXT.item_oid,
        binary.INT2.item_oid,
        binary.TEXT.item_oid,
    ),
)


class Writer:
    """Writes batches. Safe to call concurrently from several tasks; each takes a lane."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._matches_with_events: set[UUID] = set()
        """Matches whose platform is known to want events. This only saves a round trip: see queries._NO_EVENTS_WANTED."""

    async def write(self, batch: Sequence[Pending]) -> list[WriteOutcome]:
        """Write moves of different matches; return the outcome of each, in order. It raises no error of its own."""
        try:
            async with self._lanes.lane() as lane:
                if len(batch) == 1:
                    return [await self._write_alone(lane, batch[0], with_events=self._has_events(batch))]
                if any(map(_has_proposal, batch)):
                    return [await self._write_alone(lane, one, with_events=False) for one in batch]
                if any(map(_is_clocked, batch)):
                    return await self._write_apart(lane, batch)
                return await self._write_together(lane, batch)
        except psycopg.OperationalError as problem:
            return [_unavailable(pending, problem) for pending in batch]

    def _has_events(self, batch: Sequence[Pending]) -> bool:
        """Return whether events of a batch are known to be wanted."""
        return bool(self._matches_with_events) and any(
            pending.append.move.match_id in self._matches_with_events for pending in batch
        )

    async def _write_together(self, lane: Lane, batch: Sequence[Pending]) -> list[WriteOutcome]:
        with_events = self._has_events(batch)
        if len(batch) == 1:  # beside moves with clocks
            return [await self._write_alone(lane, batch[0], with_events=with_events)]
        rows = sorted(
            _row(pending, with_events=with_events) for pending in batch
        )  # match ids come first, and differ
        try:
            result = await lane.run(
                (_WITH_EVENTS if with_events else _WITHOUT_EVENTS).choose(batch), binary.columns(rows)
            )
        except RETRY_ALONE:
            return [await self._write_alone(lane, pending, with_events=with_events) for pending in batch]
        if result.ntuples == len(batch):
            return [None] * len(batch)
        written = {result.get_value(row, 0) for row in range(result.ntuples)}
        return [
            None
            if pending.row[binary.MATCH_ID] in written
            else await self._not_written(lane, pending, with_events=with_events)
            for pending in batch
        ]

    async def _write_apart(self, lane: Lane, batch: Sequence[Pending]) -> list[WriteOutcome]:
        """Write the moves of matches with clocks, and the others, each with their own statement."""
        clocked = [pending for pending in batch if _is_clocked(pending)]
        others = [pending for pending in batch if not _is_clocked(pending)]
        written = await self._write_clocked(lane, clocked)
        if others:
            written += await self._write_together(lane, others)
        found = {
            pending.row[binary.MATCH_ID]: one
            for pending, one in zip([*clocked, *others], written, strict=True)
        }
        return [found[pending.row[binary.MATCH_ID]] for pending in batch]

    async def _write_clocked(self, lane: Lane, batch: Sequence[Pending]) -> list[WriteOutcome]:
        rows = sorted(pending.row for pending in batch)
        try:
            result = await lane.run(_APPEND_CLOCKED, binary.columns(rows, binary.CLOCKED_COLUMNS))
        except RETRY_ALONE:
            return [await self._write_alone(lane, pending, with_events=False) for pending in batch]
        written = {result.get_value(row, 0) for row in range(result.ntuples)}
        return [
            None if pending.row[binary.MATCH_ID] in written else await _why_not(lane, pending)
            for pending in batch
        ]

    async def _write_alone(self, lane: Lane, pending: Pending, *, with_events: bool) -> WriteOutcome:
        try:
            if _has_proposal(pending):
                result = await _run_with_proposal(lane, pending)
            elif _is_clocked(pending):
                result = await lane.run(
                    _APPEND_CLOCKED, binary.columns([pending.row], binary.CLOCKED_COLUMNS)
                )
            else:
                statement = (_WITH_EVENTS if with_events else _WITHOUT_EVENTS).choose((pending,))
                result = await lane.run(statement, _row(pending, with_events=with_events))
        except psycopg.OperationalError as problem:
            return _unavailable(pending, problem)
        except UniqueViolation as clash:
            if clash.diag.constraint_name == REQUEST_ID_CONSTRAINT:
                return _request_id_taken(pending)
            return _refused(pending, clash)
        except psycopg.Error as problem:
            return _refused(pending, problem)
        if result.ntuples == 1:
            if with_events:
                self._remember(pending.append.move.match_id)
            return None
        return await self._not_written(lane, pending, with_events=with_events)

    async def _not_written(self, lane: Lane, pending: Pending, *, with_events: bool) -> WriteOutcome:
        """Return why a move was not written. If that may be because the platform wants events, write it with them first.

        The only statement for matches with a clock, and that for proposals, always write events.
        """
        if with_events or _is_clocked(pending) or _has_proposal(pending):
            return await _why_not(lane, pending)
        return await self._write_alone(lane, pending, with_events=True)

    def _remember(self, match_id: UUID) -> None:
        if len(self._matches_with_events) >= MAX_REMEMBERED:
            self._matches_with_events.clear()
        self._matches_with_events.add(match_id)


def _row(pending: Pending, *, with_events: bool) -> binary.Row:
    return binary.with_events(pending.append, pending.row) if with_events else pending.row


async def _run_with_proposal(lane: Lane, pending: Pending) -> PGresult:
    """Write one of the few moves that make, answer or close a proposal, always alone."""
    assert pending.append.proposal is not None
    change = change_text(pending.append.proposal).encode()
    if _is_clocked(pending):
        row = binary.columns([pending.row], binary.CLOCKED_COLUMNS)
        return await lane.run(_WITH_PROPOSAL_CLOCKED, (*row, change))
    return await lane.run(_WITH_PROPOSAL, (*binary.with_events(pending.append, pending.row), change))


async def _why_not(lane: Lane, pending: Pending) -> WriteOutcome:
    """Return why nothing was written although no error occurred. Only the loser of a race pays for this query."""
    move, tick = pending.append.move, pending.append.tick
    row = pending.row
    asked = (row[binary.MATCH_ID], row[binary.REQUEST_ID], row[binary.REVOCATIONS])
    try:
        if tick is None:
            result = await lane.run(_WHY_NOT, asked)
        else:
            at = (row[binary.SEQ], row[binary.PREVIOUS_HASH], row[binary.CAUSE], row[binary.SEAT])
            result = await lane.run(_WHY_NOT_CLOCKED, (*asked, *at, row[binary.GIVEN]))
    except psycopg.OperationalError as problem:
        return _unavailable(pending, problem)
    if result.get_value(0, 0) == binary.FALSE:
        return MatchUnknown(f"no match {move.match_id}")
    if result.get_value(0, 1) == binary.FALSE:
        return TokensRevoked(f"tokens of match {move.match_id} were revoked")
    if result.get_value(0, 2) == binary.TRUE:
        return _request_id_taken(pending)
    if tick is not None and result.get_value(0, 3) == binary.TRUE:
        if result.get_value(0, 4) == binary.TRUE:
            return ClocksStood(f"the clocks of match {move.match_id} stood still")
        return clock_refusal(
            move.match_id, tick.cause
        )  # the previous row is right, so the clock prevented it
    return StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}, or has another row there")


def _is_clocked(pending: Pending) -> bool:
    """Return whether a move changes clocks."""
    return pending.append.tick is not None


def _has_proposal(pending: Pending) -> bool:
    """Return whether a move makes, answers or closes a proposal."""
    return pending.append.proposal is not None


def _is_last(pending: Pending) -> bool:
    """Return whether a move ends its match."""
    return pending.append.status is Status.ENDED


def _request_id_taken(pending: Pending) -> RequestIdTaken:
    return RequestIdTaken(f"match {pending.append.move.match_id} has a move with this request id")


def _unavailable(pending: Pending, problem: psycopg.Error) -> LogUnavailable:
    kind = problem.sqlstate or type(problem).__name__
    return LogUnavailable(f"no answer for match {pending.append.move.match_id}: {kind}")


def _refused(pending: Pending, problem: psycopg.Error) -> LogError:
    """Return the error for a bug of ours. Postgres's message may quote the row, so only its code is passed on."""
    kind = problem.sqlstate or type(problem).__name__
    return LogError(f"the database refused a move of match {pending.append.move.match_id}: {kind}")
