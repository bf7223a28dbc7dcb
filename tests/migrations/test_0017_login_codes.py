"""Step 0017: there is room for login codes, which survive a crash, and nothing else changes."""

from __future__ import annotations

import psycopg

from migrations.migrate import downgrade, migrate

CODE = "INSERT INTO login_codes VALUES ('\\x01', 'acme', 'ada', '{read}', '1 hour', 0, now())"


def test_login_codes_are_logged_and_go_on_the_way_back(empty_database_url: str) -> None:
    migrate(empty_database_url, "0016")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("INSERT INTO session_revocations VALUES ('acme', 'ada', 2)")
    migrate(empty_database_url, "0017")
    with psycopg.connect(empty_database_url) as connection:
        kept = "SELECT relpersistence FROM pg_class WHERE relname = 'login_codes'"
        assert connection.execute(kept).fetchone() == ("p",)
        connection.execute(CODE)
    downgrade(empty_database_url, "0016")
    migrate(empty_database_url, "0017")
    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("SELECT count(*) FROM login_codes").fetchone() == (0,)
        assert connection.execute("SELECT revocations FROM session_revocations").fetchone() == (2,)
