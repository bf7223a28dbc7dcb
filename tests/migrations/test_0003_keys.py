"""Step 0003: keys of before go on as they were; on the way back a key that was to end does not become good for ever."""

from __future__ import annotations

import psycopg
import pytest

from migrations.migrate import downgrade, migrate

INSERT = "INSERT INTO api_keys (tenant, prefix, hash, scopes{more}) VALUES ('acme', %s, %s, '{{matches:write}}'{values})"


@pytest.fixture
def at_0002(empty_database_url: str) -> str:
    migrate(empty_database_url, "0002")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("INSERT INTO tenants (id) VALUES ('acme')")
        connection.execute(INSERT.format(more="", values=""), ("ft_live_good", b"1"))
        connection.execute(INSERT.format(more=", revoked_at", values=", now()"), ("ft_live_over", b"2"))
    return empty_database_url


def test_keys_of_before_have_no_label_and_no_end(at_0002: str) -> None:
    migrate(at_0002, "0003")
    with psycopg.connect(at_0002) as connection:
        found = connection.execute(
            "SELECT prefix, label, expires_at, replaces, revoked_at IS NULL FROM api_keys ORDER BY prefix"
        ).fetchall()
    assert found == [("ft_live_good", "", None, None, True), ("ft_live_over", "", None, None, False)]


def test_the_release_before_issues_keys_on_the_new_schema(at_0002: str) -> None:
    migrate(at_0002, "0003")
    with psycopg.connect(at_0002) as connection:
        connection.execute(INSERT.format(more="", values=""), ("ft_live_new", b"3"))
        assert connection.execute("SELECT label FROM api_keys WHERE prefix = 'ft_live_new'").fetchone() == (
            "",
        )


def test_on_the_way_back_what_was_to_end_is_revoked(at_0002: str) -> None:
    migrate(at_0002, "0003")
    with psycopg.connect(at_0002) as connection:
        for number, (prefix, end) in enumerate((("ft_live_soon", "1 day"), ("ft_live_past", "-1 day"))):
            connection.execute(
                INSERT.format(more=", expires_at", values=", now() + %s::interval"),
                (prefix, bytes([9, number]), end),
            )
    downgrade(at_0002, "0002")
    with psycopg.connect(at_0002) as connection:
        good = connection.execute("SELECT prefix FROM api_keys WHERE revoked_at IS NULL").fetchall()
    assert good == [("ft_live_good",)]
