"""Step 0016: bots of a match there is move as fast as before, and nobody has said to be ready."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), now(), 0, 2, 'harbour', 'harbour', '1', '{}', 's', 'c', 'waiting', '{}')
"""
OLD_SEAT = """
INSERT INTO seats (match_id, seat, tenant, state, player, name)
VALUES (%s, 0, 'harbour', 'taken', 'ruth', 'Ruth')
"""
BEFORE = "0015"


def test_matches_and_seats_of_before_and_of_the_release_before(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
        connection.execute(OLD_SEAT, (UUID(int=1),))
    migrate(empty_database_url, "0016")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=2),))
        connection.execute(OLD_SEAT, (UUID(int=2),))
        assert connection.execute("SELECT bot_pace_ms FROM matches").fetchall() == [(0,), (0,)]
        assert connection.execute("SELECT ready FROM seats").fetchall() == [(False,), (False,)]


def test_on_the_way_back_matches_and_seats_stay(empty_database_url: str) -> None:
    migrate(empty_database_url, "0016")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_MATCH, (UUID(int=1),))
        connection.execute(OLD_SEAT, (UUID(int=1),))
        connection.execute("UPDATE seats SET ready = true")
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (1,)
        assert connection.execute("SELECT name FROM seats").fetchall() == [("Ruth",)]
