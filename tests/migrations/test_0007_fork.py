"""Step 0007: matches that are there already are no forks, and stay on the way back."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), now(), 5, 2, 'harbour', 'harbour', '1', '{}', 's', 'c', 'running', '{0}')
"""


def test_a_match_of_before_is_no_fork(empty_database_url: str) -> None:
    migrate(empty_database_url, "0006")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
    migrate(empty_database_url, "0007")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT forked_from, version FROM matches").fetchall() == [(None, 5)]
    downgrade(empty_database_url, "0006")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT version FROM matches").fetchall() == [(5,)]
