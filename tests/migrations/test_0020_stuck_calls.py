"""Step 0020: there is room for the calls of rules that did not return, and nothing else changes."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate

STUCK = "INSERT INTO stuck_calls (distribution, game, function, action) VALUES ('ladders 1.0', 'ladders', 'view', '')"


def test_stuck_calls_are_logged_and_go_on_the_way_back(empty_database_url: str) -> None:
    migrate(empty_database_url, "0020")
    with psycopg.connect(empty_database_url) as connection:
        kept = "SELECT relpersistence FROM pg_class WHERE relname = 'stuck_calls'"
        assert connection.execute(kept).fetchone() == ("p",)
        connection.execute(STUCK)
        assert connection.execute("SELECT count(*) FROM stuck_calls WHERE lifted_at IS NULL").fetchone() == (
            1,
        )
    downgrade(empty_database_url, "0017")
    migrate(empty_database_url, "0020")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM stuck_calls").fetchone() == (0,)
