"""Step 0005: matches that are there already allow what a new one allows unasked."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), now(), 5, 2, 'harbour', 'harbour', '1', '{}', 's', 'c', 'running', '{0}')
"""


def test_a_match_of_before_allows_undo_by_consent_within_a_day(empty_database_url: str) -> None:
    migrate(empty_database_url, "0004")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
    migrate(empty_database_url, "0005")
    with psycopg.connect(empty_database_url) as connection:
        found = connection.execute("SELECT undo_rule, undo_seconds, version FROM matches").fetchall()
    assert found == [("consent", 86_400, 5)]


def test_on_the_way_back_the_match_stays(empty_database_url: str) -> None:
    migrate(empty_database_url, "0005")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
    downgrade(empty_database_url, "0004")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT version FROM matches").fetchall() == [(5,)]
