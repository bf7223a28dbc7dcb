"""Step 0019: there is room for open proposals, and events can say what was proposed; stored events say nothing of it."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate

EVENT = "INSERT INTO events (recorded_at, tenant, type) VALUES (now(), 'acme', 'match.created')"


def test_stored_events_are_kept_and_proposals_go_on_the_way_back(empty_database_url: str) -> None:
    migrate(empty_database_url, "0017")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(EVENT)
    migrate(empty_database_url, "0019")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT type, proposal, result FROM events").fetchall() == [
            ("match.created", "", "")
        ]
        connection.execute(EVENT)  # as a process of the previous release writes it
        connection.execute(
            "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
            "secret, commitment, status, seats_to_act) VALUES "
            "(gen_random_uuid(), now(), now(), 3, 2, 'acme', 'river_dragons', '1', '{}', '', '', 'running', '{}')"
        )
        connection.execute("INSERT INTO proposals SELECT id, now(), 3, 3, 0, 'abort', '{1}' FROM matches")
    downgrade(empty_database_url, "0017")
    migrate(empty_database_url, "0019")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM proposals").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (2,)
