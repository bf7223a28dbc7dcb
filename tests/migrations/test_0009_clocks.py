"""Step 0009: matches that are there already have no clock."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), now(), 5, 2, 'harbour', 'harbour', '1', '{}', 's', 'c', 'running', '{0}')
"""
BEFORE = "0008"


def test_a_match_of_before_hurries_nobody(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
    migrate(empty_database_url, "0009")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT clock, version FROM matches").fetchall() == [(None, 5)]
        assert connection.execute("SELECT count(*) FROM clocks").fetchone() == (0,)


def test_on_the_way_back_the_match_stays(empty_database_url: str) -> None:
    migrate(empty_database_url, "0009")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
        connection.execute("INSERT INTO clocks (match_id, seat, left_us) VALUES (%s, 0, 1)", (UUID(int=1),))
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT version FROM matches").fetchall() == [(5,)]
