"""Databases of the tests' own, made, reused and dropped by name. For tests; used by name."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

TRIES = 5
END_OUR_SESSIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = current_user
"""
KEPT: Final = ("alembic_version", "schema_support")
"""The tables that a migration fills: what they hold belongs to the schema."""
ROWS: Final = """
SELECT relname FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> ALL (%s)
"""
SCHEMA: Final = """
WITH ours AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM (
    SELECT concat_ws(' ', relname, relkind, relacl, reloptions, relpersistence) FROM ours
    UNION ALL SELECT concat_ws(' ', ours.relname, attname, atttypid, attnum, attnotnull, attacl)
        FROM pg_attribute JOIN ours ON ours.oid = attrelid
    UNION ALL SELECT concat_ws(' ', ours.relname, adnum, pg_get_expr(adbin, adrelid))
        FROM pg_attrdef JOIN ours ON ours.oid = adrelid
    UNION ALL SELECT concat_ws(' ', ours.relname, pg_get_indexdef(indexrelid), indisvalid)
        FROM pg_index JOIN ours ON ours.oid = indexrelid
    UNION ALL SELECT concat_ws(' ', ours.relname, conname, convalidated, pg_get_constraintdef(pg_constraint.oid))
        FROM pg_constraint JOIN ours ON ours.oid = conrelid
    UNION ALL SELECT concat_ws(' ', ours.relname, tgname, tgenabled) FROM pg_trigger JOIN ours ON ours.oid = tgrelid
        WHERE NOT tgisinternal
    UNION ALL SELECT concat_ws(' ', proname, prosrc, proacl) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', nspname, nspacl) FROM pg_namespace
        WHERE nspname !~ '^pg_(toast_)?temp_'
    UNION ALL SELECT concat_ws(' ', extname, extversion) FROM pg_extension
    UNION ALL SELECT concat_ws(' ', setrole, setconfig) FROM pg_db_role_setting
        WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL SELECT concat_ws(' ', datacl, datallowconn, datconnlimit) FROM pg_database
        WHERE datname = current_database()
    UNION ALL SELECT row_to_json(alembic_version)::text FROM alembic_version
    UNION ALL SELECT row_to_json(schema_support)::text FROM schema_support
) AS parts (part)
"""
"""One value for all that a test may have changed beside rows."""


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


class ReusedDatabase:
    """A migrated database that is empty for each test.

    To empty it takes a tenth of the time of a new copy. A test that changes the schema, or a setting, leaves a database
    that is dropped; the next test gets a new one.
    """

    def __init__(self, url: str, template: str) -> None:
        """`url` leads to the server; `template` names the migrated database."""
        self._url = url
        self._template = template
        self._name: str | None = None
        self._schema = ""

    def acquire(self) -> str:
        """Return the address of the empty database."""
        if self._name is None:
            self._name = f"foldtable_test_{uuid4().hex[:12]}"
            run_on(self._url, "CREATE DATABASE {} TEMPLATE {}", self._name, self._template)
            with psycopg.connect(self._address(self._name), autocommit=True) as connection:
                self._schema = _schema(connection)
        return self._address(self._name)

    def release(self) -> None:
        """Empty the database, or drop it if more than its rows has changed."""
        if self._name is not None and not self._empty(self._name):
            self.drop()

    def drop(self) -> None:
        """Drop the database, if there is one."""
        if self._name is not None:
            drop_database(self._url, self._name)
            self._name = None

    def _empty(self, name: str) -> bool:
        """Return whether it is as new."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(END_OUR_SESSIONS, (name,))
        try:
            with psycopg.connect(
                self._address(name), autocommit=True, options="-c lock_timeout=5s"
            ) as connection:
                if _schema(connection) != self._schema:
                    return False
                tables = [table for (table,) in connection.execute(ROWS, (list(KEPT),))]
                names = sql.SQL(", ").join(map(sql.Identifier, tables))
                connection.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY").format(names))
                return True
        except psycopg.Error:  # a table is gone, a lock is held, nobody may connect: it is not as new
            return False

    def _address(self, name: str) -> str:
        return make_conninfo(self._url, dbname=name)


def _schema(connection: psycopg.Connection[tuple[str]]) -> str:
    row = connection.execute(SCHEMA).fetchone()
    assert row is not None
    return row[0]
