"""The connections for appends, opened when they are needed and kept while they are good."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import psycopg

from services.database import DatabaseSettings
from services.movelog.lane import Lane

RETRY_SECONDS: Final = 0.1
"""Between two attempts to connect."""


class Lanes:
    """Idle lanes. How many there are at most is for the caller to keep: one for each batch under way."""

    def __init__(self, settings: DatabaseSettings, session: Mapping[str, str]) -> None:
        self._settings = settings
        self._session = session
        self._idle: list[Lane] = []

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[Lane]:
        """Lend a lane; psycopg.OperationalError if none can be opened in time."""
        lane = await self._take()
        try:
            yield lane
        finally:
            if lane.is_open:
                self._idle.append(lane)

    async def close(self) -> None:
        """Close the idle lanes."""
        while self._idle:
            await self._idle.pop().close()

    async def _take(self) -> Lane:
        while self._idle:
            lane = self._idle.pop()
            if lane.is_open:  # the server may have gone while it was idle
                return lane
        return await self._open()

    async def _open(self) -> Lane:
        """Try for a while: a database that restarts is back within a second or two."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.pool_seconds
        while True:
            try:
                return await Lane.open(self._settings, self._session)
            except psycopg.OperationalError:
                if loop.time() + RETRY_SECONDS > deadline:
                    raise
            await asyncio.sleep(RETRY_SECONDS)
