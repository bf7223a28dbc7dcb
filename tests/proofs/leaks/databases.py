"""Databases for two runs: the same, migrated, and empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo

from tests.support.own_databases import drop_database


@contextmanager
def two_databases(url: str, template: str) -> Iterator[tuple[str, str]]:
    """Copy a migrated database twice; both are dropped in the end."""
    names = [f"foldtable_leaks_{uuid4().hex[:12]}" for _ in range(2)]
    with psycopg.connect(url, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield make_conninfo(url, dbname=names[0]), make_conninfo(url, dbname=names[1])
        for name in names:
            drop_database(url, name)
