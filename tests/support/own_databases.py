"""Databases of the tests' own, made and dropped by name. For tests; used by name."""

from __future__ import annotations

import psycopg
from psycopg import sql

TRIES = 5
END_OUR_SESSIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = current_user
"""


def run_on(url: str, statement: str, *names: str) -> None:
    """Run a statement outside any transaction, its `{}` replaced by names."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def drop_database(url: str, name: str) -> None:
    """Drop a database, whoever is still connected.

    Not WITH (FORCE): it fails where an autovacuum worker is at work, which belongs to nobody we may end. The plain form
    sends that worker away, and we our own sessions; one that has come in between is ended the next time.
    """
    for left in reversed(range(TRIES)):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(END_OUR_SESSIONS, (name,))
        try:
            run_on(url, "DROP DATABASE {}", name)
        except psycopg.errors.ObjectInUse:
            if not left:
                raise
        else:
            return
