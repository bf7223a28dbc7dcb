"""Step 0014: a match that is there already has the id its rows were hashed with."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), now(), 5, 2, 'harbour', 'harbour', '1', '{}', 's', 'c', 'running', '{0}')
"""
BEFORE = "0013"


def test_a_match_of_before_came_with_the_id_it_has(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
    migrate(empty_database_url, "0014")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT original_id FROM matches").fetchall() == [(None,)]
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (1,)
