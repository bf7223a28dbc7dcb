"""Tests share a database one after the other: what tests/support/own_databases.py promises."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.support.own_databases import ReusedDatabase


@pytest.fixture(scope="module")
def database(postgres_url: str, template_database: str) -> Iterator[ReusedDatabase]:
    database = ReusedDatabase(postgres_url, template_database)
    yield database
    database.drop()


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_rows_are_gone_and_what_belongs_to_the_schema_stays(database: ReusedDatabase) -> None:
    url = database.acquire()
    run(url, "INSERT INTO tenants (id) VALUES ('t')")
    run(url, "SELECT nextval(pg_get_serial_sequence('events', 'number'))")
    database.release()

    assert database.acquire() == url
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM tenants").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
        assert connection.execute(
            "SELECT nextval(pg_get_serial_sequence('events', 'number'))"
        ).fetchone() == (1,)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE matches ADD COLUMN more int",
        "DROP INDEX matches_by_activity",
        "ALTER TABLE events DISABLE TRIGGER events_addressed",
        "DROP TABLE moves CASCADE",
        "CREATE TABLE more ()",
        "DELETE FROM alembic_version",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$",
        "DO $$ BEGIN EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database()); END $$",
    ],
)
def test_a_database_that_was_changed_is_not_used_again(database: ReusedDatabase, change: str) -> None:
    url = database.acquire()
    run(url, change)
    database.release()

    assert database.acquire() != url


def test_sessions_that_were_left_open_do_not_hold_it_up(database: ReusedDatabase) -> None:
    url = database.acquire()
    with psycopg.connect(url) as left:
        left.execute("LOCK TABLE matches")
        database.release()
        assert database.acquire() == url
        with pytest.raises(psycopg.OperationalError):
            left.execute("SELECT 1")
