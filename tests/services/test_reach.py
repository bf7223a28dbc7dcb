"""A pool whose database goes away: the first wait a while, those after them do not, and a busy pool is no lost database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from psycopg_pool import PoolTimeout

from services.postgres.database import DatabaseSettings, Pool, open_pool
from services.postgres.reach import ReachingPool

SECONDS = 0.6


async def waited(pool: Pool) -> float:
    """How long a request waits until it is told that there is no connection."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(PoolTimeout):
        async with pool.connection():
            pass
    return loop.time() - began


@pytest.fixture
async def nowhere(tmp_path: object) -> AsyncIterator[Pool]:
    settings = DatabaseSettings(f"host={tmp_path} dbname=nothing", pool_seconds=SECONDS)
    pool = await open_pool(settings, name="nowhere", most=2)
    yield pool
    await pool.close()


async def test_requests_in_line_do_not_wait_one_after_the_other(nowhere: Pool) -> None:
    """As those for one match: the last would be told after as many waits as there are requests before it."""
    waits = [await waited(nowhere) for _ in range(10)]
    assert sum(waits) < 3 * SECONDS, waits
    assert max(waits[2:]) < SECONDS / 2, waits


async def test_a_busy_pool_is_waited_for_as_long_as_ever(database_url: str) -> None:
    pool = await open_pool(DatabaseSettings(database_url, pool_seconds=SECONDS), name="busy", most=1)
    async with pool.connection():
        waits = [await waited(pool) for _ in range(3)]
    assert min(waits) > SECONDS * 0.9, waits
    async with pool.connection() as connection:
        assert await (await connection.execute("SELECT 1")).fetchone() == (1,)
    await pool.close()


async def test_a_database_that_is_back_is_waited_for_again(database_url: str) -> None:
    pool = await open_pool(DatabaseSettings(database_url, pool_seconds=SECONDS), name="back", most=1)
    assert isinstance(pool, ReachingPool)
    async with pool.connection():
        pass
    pool.reach.missed()
    assert pool.reach.seconds_left(SECONDS) > 0
    async with pool.connection():
        pass
    assert pool.reach.missing_since is None
    await pool.close()
