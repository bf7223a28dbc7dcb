"""A pool of connections that remembers that the database is unreachable, so that not every request waits for it."""

from __future__ import annotations

import time
from typing import Any, Final

import psycopg
from psycopg_pool import AsyncConnectionPool

from services.postgres.connection import PostgresConnection

QUICK_SECONDS: Final = 0.01
"""How long a request waits for a connection if the database has been unreachable for longer than a request's limit."""


class Reach:
    """Since when the database has been unreachable; None while it is reachable."""

    def __init__(self) -> None:
        self.missing_since: float | None = None

    def missed(self) -> None:
        """Record that a connection could not be opened."""
        if self.missing_since is None:
            self.missing_since = time.monotonic()

    def found(self) -> None:
        """Record that there is a connection."""
        self.missing_since = None

    def seconds_left(self, limit: float) -> float:
        """Return how long a request may still wait, given its limit and how long the database has been unreachable."""
        if self.missing_since is None:
            return limit
        return max(QUICK_SECONDS, self.missing_since + limit - time.monotonic())


class ReachingPool(AsyncConnectionPool[PostgresConnection]):
    """Waits for a database that has just become unreachable, but hardly at all for one that stays unreachable.

    Requests for the same match queue up: each would wait for its whole limit before the next one begins to, until all their
    callers have given up. In the background the pool goes on trying to connect.
    """

    def __init__(self, conninfo: str, **settings: Any) -> None:
        self.reach = reach = Reach()

        class Noting(PostgresConnection):
            """A connection that records in `reach` whether it could be opened."""

            @classmethod
            async def connect(cls, *words: Any, **more: Any) -> Any:
                try:
                    connection = await super().connect(*words, **more)
                except psycopg.OperationalError:
                    reach.missed()
                    raise
                reach.found()
                return connection

        super().__init__(conninfo, connection_class=Noting, **settings)

    async def getconn(self, timeout: float | None = None) -> PostgresConnection:  # noqa: ASYNC109 - the pool's own parameter
        """Return a connection. Raise psycopg_pool.PoolTimeout if there is none in time."""
        if timeout is None:
            timeout = self.reach.seconds_left(self.timeout)
        connection = await super().getconn(timeout)
        self.reach.found()  # a new connection may have failed meanwhile, for example because there are too many
        return connection
