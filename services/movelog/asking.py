"""Asking Postgres, and saying in the log's own words that it did not answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from services.database import Connection, Pool
from services.movelog.failures import LogError, LogUnavailable

Row = tuple[Any, ...]


async def ask(pool: Pool, query: str, values: tuple[Any, ...]) -> list[Row]:
    """Run one statement and give its rows; LogUnavailable, or psycopg.errors.UniqueViolation."""
    with in_our_words():
        async with pool.connection() as connection:
            return await ask_on(connection, query, values)


async def ask_on(connection: Connection, query: str, values: tuple[Any, ...]) -> list[Row]:
    """Run one statement on a connection, perhaps one of several in a transaction."""
    cursor = await connection.execute(query, values, binary=True)
    return await cursor.fetchall() if cursor.description is not None else []


@contextmanager
def in_our_words() -> Iterator[None]:
    """Turn psycopg's errors into ours, all but the one that callers tell apart: a key that exists."""
    try:
        yield
    except psycopg.OperationalError as problem:
        kind = problem.sqlstate or type(problem).__name__
        raise LogUnavailable(f"the database does not answer: {kind}") from problem
    except psycopg.errors.UniqueViolation:
        raise
    except psycopg.Error as problem:
        # Our own mistake. Postgres's message may quote the row, so only its code is passed on.
        raise LogError(f"the database refused a statement: {problem.sqlstate}") from None
