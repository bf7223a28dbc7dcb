"""Step 0008: events are addressed to the endpoints that want them, in the transaction that writes them."""

from __future__ import annotations

import psycopg
import pytest

ENDPOINT = "INSERT INTO webhook_endpoints (tenant, url, types, secret, state) VALUES (%s, 'u', %s, 's', %s)"
EVENT = "INSERT INTO events (tenant, recorded_at, type, match_id) VALUES (%s, now(), %s, gen_random_uuid())"


@pytest.fixture
def connection(database_url: str) -> psycopg.Connection:
    with psycopg.connect(database_url, autocommit=True) as opened:
        opened.execute("INSERT INTO tenants (id) VALUES ('ours'), ('theirs')")
        yield opened


def counts(connection: psycopg.Connection) -> tuple[int, int]:
    """How many deliveries and lanes there are."""
    question = "SELECT (SELECT count(*) FROM webhook_deliveries), (SELECT count(*) FROM webhook_lanes)"
    return connection.execute(question).fetchone()


def test_an_event_is_addressed_to_whoever_wants_it(connection: psycopg.Connection) -> None:
    connection.execute(ENDPOINT, ("ours", ["match.ended"], "enabled"))
    connection.execute(ENDPOINT, ("ours", ["match.ended", "match.created"], "enabled"))
    connection.execute(ENDPOINT, ("ours", ["match.ended"], "disabled"))
    connection.execute(ENDPOINT, ("theirs", ["match.ended"], "enabled"))
    connection.execute(EVENT, ("ours", "match.ended"))
    assert counts(connection) == (2, 2)
    connection.execute(EVENT, ("ours", "seat.joined"))
    assert counts(connection) == (2, 2)


def test_what_is_rolled_back_is_addressed_to_nobody(connection: psycopg.Connection) -> None:
    connection.execute(ENDPOINT, ("ours", ["match.ended"], "enabled"))
    with connection.transaction(force_rollback=True):
        connection.execute(EVENT, ("ours", "match.ended"))
        assert counts(connection) == (1, 1)
    assert counts(connection) == (0, 0)
