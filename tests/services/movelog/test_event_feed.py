"""Nothing is skipped in a feed, however slow a transaction is. A feed in the order of a sequence does skip."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from services.movelog.events import START, EventType, Position
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match
from services.webhooks.retention import forget

AMatch = Callable[..., Match]
Moves = Callable[[Match, int], list[Append]]
TENANT = "harbour-platform"

BY_SEQUENCE = """
SELECT number, match_id FROM events WHERE tenant = $1::text AND number > $2::int8 ORDER BY number
"""
"""What one would write at first: remember the highest number, ask for what is higher."""


@asynccontextmanager
async def slow_transaction(url: str, match: Match) -> AsyncIterator[psycopg.AsyncConnection]:
    """A move of a match, told and not committed yet; it is when the context closes."""
    async with await psycopg.AsyncConnection.connect(url) as connection:
        await connection.execute(
            "INSERT INTO events (tenant, match_id, recorded_at, type) VALUES (%s, %s, now(), 'move.applied')",
            (match.tenant, match.id),
        )
        yield connection


class BySequence:
    """A reader of the feed in the order of the sequence."""

    def __init__(self, log: PostgresLog) -> None:
        self._log = log
        self._after = 0
        self.seen: list[UUID] = []

    async def poll(self) -> None:
        async with self._log.pool.connection() as connection:
            cursor = await connection.execute(BY_SEQUENCE, (TENANT, self._after))
            for number, match_id in await cursor.fetchall():
                self._after = number
                self.seen.append(match_id)


class ByFeed:
    """A reader of ours."""

    def __init__(self, log: PostgresLog) -> None:
        self._log = log
        self._after = START
        self.seen: list[UUID] = []

    async def poll(self) -> None:
        for told in await self._log.events.read(TENANT, after=self._after, limit=10):
            self._after = told.position
            assert told.event.match_id is not None
            self.seen.append(told.event.match_id)


async def polled(reader: Any, count: int) -> list[UUID]:
    """Poll until so many have been seen, or for a while."""
    for _ in range(100):
        await reader.poll()
        if len(reader.seen) >= count:
            break
        await asyncio.sleep(0.02)
    return reader.seen


async def test_what_a_slow_transaction_commits_late_is_not_skipped(
    postgres_log: PostgresLog, database_url: str, a_match: AMatch
) -> None:
    """The same commits, read by both: a sequence loses the slow one for ever, the feed does not."""
    await postgres_log.events.record(TENANT, {EventType.MATCH_CREATED, EventType.MOVE_APPLIED})
    slow, quick = a_match(), a_match()
    by_sequence, by_feed = BySequence(postgres_log), ByFeed(postgres_log)
    async with slow_transaction(database_url, slow):  # it has drawn its number …
        await postgres_log.create(quick, [])  # … and this one a higher, and commits
        await by_sequence.poll()
        await by_feed.poll()
        assert by_sequence.seen == [quick.id]
        assert by_feed.seen == [], "what could still be preceded is held back"
    assert await polled(by_feed, 2) == [slow.id, quick.id]
    await by_sequence.poll()
    assert by_sequence.seen == [quick.id], "it asks for higher numbers, and never sees the slow one"


async def test_a_transaction_that_is_rolled_back_leaves_no_gap_to_wait_for(
    postgres_log: PostgresLog, database_url: str, a_match: AMatch
) -> None:
    await postgres_log.events.record(TENANT, {EventType.MATCH_CREATED})
    quick, reader = a_match(), ByFeed(postgres_log)
    async with slow_transaction(database_url, a_match()) as slow:
        await postgres_log.create(quick, [])
        await slow.rollback()
    assert await polled(reader, 1) == [quick.id]


async def test_many_readers_and_writers_at_once_and_nobody_misses_anything(
    postgres_log: PostgresLog, database_url: str, a_match: AMatch, moves: Moves
) -> None:
    await postgres_log.events.record(TENANT, {EventType.MOVE_APPLIED, EventType.MATCH_STARTED})
    matches = [await postgres_log.create(a_match(), []) for _ in range(8)]
    slow = [a_match() for _ in range(4)]
    writing = True

    async def play(match: Match) -> None:
        for append in moves(match, 8):
            await postgres_log.append(append)

    async def dawdle(match: Match, seconds: float) -> None:
        async with slow_transaction(database_url, match):
            await asyncio.sleep(seconds)

    async def follow(reader: ByFeed) -> list[UUID]:
        while writing:
            await reader.poll()
            await asyncio.sleep(0.002)
        return await polled(reader, 8 * 8 + 4)

    readers = [asyncio.create_task(follow(ByFeed(postgres_log))) for _ in range(3)]
    await asyncio.gather(*map(play, matches), *(dawdle(match, 0.05 * n) for n, match in enumerate(slow)))
    writing = False
    for reader in readers:
        seen = await reader
        assert sorted(seen) == sorted(
            [*(match.id for match in matches for _ in range(8)), *(m.id for m in slow)]
        )


async def test_a_feed_says_how_far_it_is_forgotten(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    await postgres_log.events.record(TENANT, {EventType.MATCH_STARTED, EventType.MOVE_APPLIED})
    match = await postgres_log.create(a_match(), [])
    for append in moves(match, 3):
        await postgres_log.append(append)
    reader = ByFeed(postgres_log)
    await polled(reader, 3)
    last = reader._after
    assert (await postgres_log.events.kept(TENANT, START)).forgotten == START
    assert await forget(postgres_log.pool, timedelta(days=1)) == 0
    assert await forget(postgres_log.pool, timedelta(0)) == 3
    assert (await postgres_log.events.kept(TENANT, last)).forgotten == last
    assert await postgres_log.events.read(TENANT, limit=10) == []


@pytest.mark.parametrize("position", [Position(2**63 - 1, 2**63 - 1), Position(0, 2**63 - 1)])
async def test_no_position_is_too_far(postgres_log: PostgresLog, position: Position) -> None:
    assert await postgres_log.events.read(TENANT, after=position, limit=10) == []
