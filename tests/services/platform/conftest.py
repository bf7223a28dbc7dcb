"""Connections to a database of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from platform_stack import Platform, running_platform

from services.postgres.database import Connection, DatabaseSettings, Pool, open_pool


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    opened = await open_pool(DatabaseSettings(database_url, pool_seconds=0.5), name="test", most=4)
    yield opened
    await opened.close()


@pytest.fixture
async def connection(pool: Pool) -> AsyncIterator[Connection]:
    async with pool.connection() as opened:
        yield opened


@pytest.fixture
async def platform(database_url: str) -> AsyncIterator[Platform]:
    """A running platform service."""
    async with running_platform(database_url) as running:
        yield running
