"""Step 0010: seats that are there already are played by persons."""

from __future__ import annotations

from uuid import UUID

import psycopg

from migrations.migrate import downgrade, migrate

OLD_SEAT = """
INSERT INTO seats (match_id, seat, tenant, state, player) VALUES (%s, 0, 'harbour', 'taken', 'ruth')
"""
BEFORE = "0009"


def test_a_seat_of_before_is_played_by_its_player(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
    migrate(empty_database_url, "0010")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT player, bot FROM seats").fetchall() == [("ruth", "")]


def test_on_the_way_back_the_seat_stays(empty_database_url: str) -> None:
    migrate(empty_database_url, "0010")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(OLD_SEAT, (UUID(int=1),))
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT player FROM seats").fetchall() == [("ruth",)]
