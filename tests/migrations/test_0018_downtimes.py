"""Step 0018: there is room for downtimes, and clocks that run stay as they are."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate

CLOCK = """
INSERT INTO clocks (match_id, seat, left_us, deadline_at)
VALUES ('00000000-0000-7000-8000-000000000000', 0, 60000000, '2026-01-01 00:01:00+00')
"""
DOWN = "INSERT INTO downtimes VALUES ('river_of_gold', '1.0.0', '2026-01-01', '2026-01-02')"


def test_clocks_stay_and_downtimes_go_on_the_way_back(empty_database_url: str) -> None:
    migrate(empty_database_url, "0017")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(CLOCK)
    migrate(empty_database_url, "0018")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM heartbeats").fetchone() == (0,), (
            "of before nothing is known"
        )
        connection.execute(DOWN)
    downgrade(empty_database_url, "0017")
    migrate(empty_database_url, "0018")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM downtimes").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM clocks").fetchone() == (1,)
