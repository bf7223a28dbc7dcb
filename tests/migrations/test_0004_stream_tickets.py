"""Step 0004: tickets are kept outside the write-ahead log, and nothing else changes."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate


def test_tickets_are_not_logged_and_everything_else_is(empty_database_url: str) -> None:
    migrate(empty_database_url, "0004")
    with psycopg.connect(empty_database_url) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u' "
            "AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert found == [("stream_tickets",)]


def test_on_the_way_back_tickets_are_forgotten(empty_database_url: str) -> None:
    migrate(empty_database_url, "0004")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("INSERT INTO stream_tickets VALUES ('\\x01', now(), '\\x02')")
    downgrade(empty_database_url, "0003")
    migrate(empty_database_url, "0004")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM stream_tickets").fetchone() == (0,)
