"""Queries to Postgres, with its errors translated to those of the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from services.movelog.failures import LogError, LogUnavailable, TokensRevoked
from services.movelog.postgres.queries import HOLD_GOOD
from services.movelog.records import TokenUse
from services.postgres.database import Connection, Pool
from services.postgres.records import NamedRow, named_rows

Row = tuple[Any, ...]


async def ask(pool: Pool, query: str, values: tuple[Any, ...]) -> list[NamedRow]:
    """Run one statement and return its rows by name. Raises LogUnavailable, or psycopg.errors.UniqueViolation."""
    with in_our_words():
        async with pool.connection() as connection:
            return await ask_on(connection, query, values)


async def ask_on(connection: Connection, query: str, values: tuple[Any, ...]) -> list[NamedRow]:
    """Run one statement on a connection, possibly inside a transaction."""
    return await named_rows(connection, query, values)


async def ask_in_order(pool: Pool, query: str, values: tuple[Any, ...]) -> list[Row]:
    """Run one statement like `ask` and return its rows as tuples, for the moves of a match (rows.py)."""
    with in_our_words():
        async with pool.connection() as connection:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchall()


async def hold_good(connection: Connection, token: TokenUse) -> None:
    """Block revocations of a match's tokens until the transaction ends. Raises TokensRevoked if some were revoked already."""
    if not await ask_on(connection, HOLD_GOOD, (token.match_id, token.revocations)):
        raise TokensRevoked(f"tokens of match {token.match_id} were revoked")


@contextmanager
def in_our_words() -> Iterator[None]:
    """Translate psycopg's errors to the log's, except the one that callers handle themselves: an existing key."""
    try:
        yield
    except psycopg.OperationalError as problem:
        kind = problem.sqlstate or type(problem).__name__
        raise LogUnavailable(f"the database does not answer: {kind}") from problem
    except psycopg.errors.UniqueViolation:
        raise
    except psycopg.Error as problem:
        # A bug of ours. Postgres's message may quote the row, so only its code is passed on.
        raise LogError(f"the database refused a statement: {problem.sqlstate}") from None
