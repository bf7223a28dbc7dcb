"""Databases of the tests' own, made and dropped by name. For tests; used by name."""

from __future__ import annotations

import psycopg
from psycopg import sql


def run_on(url: str, statement: str, *names: str) -> None:
    """Run a statement outside any transaction, its `{}` replaced by names."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def drop_database(url: str, name: str) -> None:
    """Drop a database, whoever is still connected.

    An autovacuum worker in it belongs to nobody we may end; the plain form, which needs no such right, sends it away.
    """
    try:
        run_on(url, "DROP DATABASE {} WITH (FORCE)", name)
    except psycopg.errors.InsufficientPrivilege:
        run_on(url, "DROP DATABASE {}", name)
