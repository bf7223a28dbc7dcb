"""Step 0015: a tenant that is there already lets nobody read without a credential, and no session was revoked."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate

BEFORE = "0014"


def test_a_tenant_of_before_shows_nothing_to_anybody(empty_database_url: str) -> None:
    migrate(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("INSERT INTO tenants (id) VALUES ('acme')")
    migrate(empty_database_url, "0015")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT id, anonymous_read FROM tenants").fetchall() == [("acme", False)]
        assert connection.execute("SELECT count(*) FROM session_revocations").fetchone() == (0,)
    downgrade(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT id FROM tenants").fetchall() == [("acme",)]
