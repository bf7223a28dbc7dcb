"""Step 0013: every seat there is has its own limits, and forks are counted from now on."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_SEAT = """
INSERT INTO seats (match_id, seat, tenant, state, player, name)
VALUES (%s, 0, 'harbour', 'taken', 'ruth', 'Ruth')
"""
BEFORE = "0012"


def test_a_seat_of_before_has_its_own_limits_and_one_of_the_release_before_too(
    empty_database_url: str,
) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
    migrate(empty_database_url, "0013")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=2),))
        assert connection.execute("SELECT account FROM seats").fetchall() == [("",), ("",)]
        assert connection.execute("SELECT count(*) FROM forks").fetchone() == (0,)


def test_on_the_way_back_the_seats_stay(empty_database_url: str) -> None:
    migrate(empty_database_url, "0013")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
        connection.execute("UPDATE seats SET account = 'of/another/seat'")
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT name FROM seats").fetchall() == [("Ruth",)]
