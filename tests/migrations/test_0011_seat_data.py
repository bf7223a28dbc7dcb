"""Step 0011: who sits there already has the name that was given with the seat, and has said nothing else."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_SEAT = """
INSERT INTO seats (match_id, seat, tenant, state, player, name)
VALUES (%s, 0, 'harbour', 'taken', 'ruth', 'Ruth')
"""
BEFORE = "0010"


def test_a_seat_of_before_keeps_its_name_and_has_no_data(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
    migrate(empty_database_url, "0011")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT name, renamed, data FROM seats").fetchall() == [
            ("Ruth", False, b"")
        ]


def test_on_the_way_back_the_newest_name_stays(empty_database_url: str) -> None:
    migrate(empty_database_url, "0011")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
        connection.execute("UPDATE seats SET name = 'Captain Ruth', renamed = true, data = '{}'")
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT name FROM seats").fetchall() == [("Captain Ruth",)]
