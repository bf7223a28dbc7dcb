"""The connections for appends, opened on demand and kept while they work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import psycopg

from services.movelog.postgres.lane import Lane
from services.postgres.connection import NoAnswer
from services.postgres.database import DatabaseSettings

RETRY_SECONDS: Final = 0.1
"""Pause between two attempts to connect."""


class Lanes:
    """A pool of idle lanes. The caller limits their number: one for each concurrent batch."""

    def __init__(self, settings: DatabaseSettings, session: Mapping[str, str]) -> None:
        self._settings = settings
        self._session = session
        self._idle: list[Lane] = []
        self._opening: asyncio.Task[Lane] | None = None
        """A pending attempt to connect. It goes on when nobody waits for it: the next host of the address may accept it."""
        self._down_since: float | None = None
        """When the database was first unreachable since it was last reached."""

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[Lane]:
        """Lend a lane. Raise psycopg.OperationalError if none can be opened in time."""
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
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel()
            for late in await asyncio.gather(opening, return_exceptions=True):
                if isinstance(late, Lane):
                    await late.close()

    async def _take(self) -> Lane:
        while self._idle:
            lane = self._idle.pop()
            if lane.is_open:  # the server may have gone while it was idle
                return lane
        return await self._open()

    async def _open(self) -> Lane:
        """Try to connect for a limited time: a database that restarts is back within a second or two.

        The time counts from when the database was first unreachable. Later callers fail at once while it is still
        unreachable, and do not wait as long again behind the earlier ones.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            missing_since = begun if self._down_since is None else self._down_since
            deadline = missing_since + self._settings.pool_seconds
            try:
                lane = await self._attempt(max(RETRY_SECONDS, deadline - loop.time()))
            except psycopg.OperationalError:
                self._down_since = missing_since
                if loop.time() + RETRY_SECONDS > deadline:
                    raise
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._down_since = None
                if lane.is_open:  # the connection may have been opened while nobody waited
                    return lane

    async def _attempt(self, seconds: float) -> Lane:
        """Wait up to `seconds` for the pending attempt, or for a new one. Raise psycopg.OperationalError."""
        opening = self._under_way()
        await asyncio.wait({opening}, timeout=seconds)
        if not opening.done():
            raise NoAnswer("no connection yet")
        lane = opening.result()
        if self._opening is not opening:  # another batch has taken the connection
            return await self._attempt(seconds)
        self._opening = None
        return lane

    def _under_way(self) -> asyncio.Task[Lane]:
        """Return the pending attempt, or a finished one whose connection nobody has taken; else begin one."""
        opening = self._opening
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
            opening = self._opening = asyncio.create_task(Lane.open(self._settings, self._session))
        return opening
