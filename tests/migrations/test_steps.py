"""Each step by itself: what it makes of rows there are, what the release before writes on it, and the way back.

That no row of any release is lost is in test_rows_of_every_release.py, and that every default is meant in schema.txt.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import psycopg
import pytest

from migrations.migrate import downgrade, migrate
from tests.proofs.upgrades.rows import dump

MATCH: Final = (
    "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret, "
    "commitment, status, seats_to_act) VALUES "
    "(gen_random_uuid(), now(), now(), 5, 2, 'acme', 'harbour', '1', '{}', 's', 'c', 'running', '{0}')"
)
SEAT: Final = (
    "INSERT INTO seats (match_id, seat, tenant, state, player, name) "
    "VALUES (gen_random_uuid(), 0, 'acme', 'taken', 'ruth', 'Ruth')"
)
TENANT: Final = "INSERT INTO tenants (id) VALUES (left(gen_random_uuid()::text, 8))"
KEY: Final = (
    f"WITH owner AS ({TENANT} RETURNING id) INSERT INTO api_keys (tenant, prefix, hash, scopes) "
    "SELECT id, 'ft_live_good', id::bytea, '{matches:write}' FROM owner"
)
REVOKED: Final = "INSERT INTO session_revocations VALUES ('acme', gen_random_uuid()::text, 2)"
EVENT: Final = "INSERT INTO events (recorded_at, tenant, type) VALUES (now(), 'acme', 'match.created')"
CLOCK: Final = (
    "INSERT INTO clocks (match_id, seat, left_us, deadline_at) "
    "VALUES (gen_random_uuid(), 0, 60000000, '2026-01-01 00:01:00+00')"
)
TICKET: Final = "INSERT INTO stream_tickets VALUES ('\\x01', now(), '\\x02')"
CODE: Final = "INSERT INTO login_codes VALUES ('\\x01', 'acme', 'ada', '{read}', '1 hour', 0, now())"
DOWN: Final = "INSERT INTO downtimes VALUES ('river_of_gold', '1.0.0', '2026-01-01', '2026-01-02')"
PROPOSED: Final = "INSERT INTO proposals SELECT id, now(), 3, 3, 0, 'abort', '{1}' FROM matches"
NOTED: Final = """
INSERT INTO match_notes (match_id, tenant, reference, metadata) SELECT id, tenant, 'round-1', '{"round":1}' FROM matches LIMIT 1
"""
AWAY: Final = (
    "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
    "VALUES (gen_random_uuid(), 'acme', 'ada', now(), now() + interval '1 day', false)"
)
DELETED: Final = "INSERT INTO deleted_matches (tenant, match_id) VALUES ('acme', gen_random_uuid())"
STUCK: Final = (
    "INSERT INTO stuck_calls (distribution, game, function, action) VALUES ('l 1.0', 'l', 'view', '')"
)


class Step(NamedTuple):
    """A step, and rows before and after it."""

    before: str
    after: str
    stored: str
    """What the release before writes, on its own schema and on the new one."""
    asks: str = "SELECT generate_series(1, 2) / 3"
    says: tuple[Any, ...] = (0,)
    """What the new release reads in each of those rows."""
    new: str = ""
    """What only the new release writes: it does not stand in the way back, and goes."""


STEPS: Final = {
    "keys have no label and no end": Step(
        "0002",
        "0003",
        KEY,
        "SELECT label, expires_at, replaces, revoked_at FROM api_keys",
        ("", None, None, None),
    ),
    "tickets go": Step("0003", "0004", MATCH, new=TICKET),
    "undo is by consent within a day": Step(
        "0004",
        "0005",
        MATCH,
        "SELECT undo_rule, undo_seconds, version FROM matches",
        ("consent", 86_400, 5),
    ),
    "no match is a fork": Step("0006", "0007", MATCH, "SELECT forked_from FROM matches", (None,)),
    "nobody is hurried": Step(
        "0008",
        "0009",
        MATCH,
        "SELECT clock, (SELECT count(*) FROM clocks) FROM matches",
        (None, 0),
        CLOCK,
    ),
    "people play": Step("0009", "0010", SEAT, "SELECT player, bot FROM seats", ("ruth", "")),
    "names are those given with the seat, and nobody has said more": Step(
        "0010",
        "0011",
        SEAT,
        "SELECT name, renamed, data FROM seats",
        ("Ruth", False, b""),
        "UPDATE seats SET renamed = true, data = '{}'",
    ),
    "every seat has its own limits, and forks are counted from now on": Step(
        "0012",
        "0013",
        SEAT,
        "SELECT account, (SELECT count(*) FROM forks) FROM seats",
        ("", 0),
        "UPDATE seats SET account = 'of/another/seat'",
    ),
    "a match came with the id it has": Step(
        "0013", "0014", MATCH, "SELECT original_id FROM matches", (None,)
    ),
    "nobody reads without a credential, and no session was revoked": Step(
        "0014",
        "0015",
        TENANT,
        "SELECT anonymous_read, (SELECT count(*) FROM session_revocations) FROM tenants",
        (False, 0),
    ),
    "bots move as before": Step("0015", "0016", MATCH, "SELECT bot_pace_ms FROM matches", (0,)),
    "nobody has said to be ready": Step(
        "0015", "0016", SEAT, "SELECT ready FROM seats", (False,), "UPDATE seats SET ready = true"
    ),
    "login codes go, revocations stay": Step("0016", "0017", REVOKED, new=CODE),
    "clocks run on, and of earlier downtimes nothing is known": Step(
        "0017", "0018", CLOCK, "SELECT (SELECT count(*) FROM heartbeats) FROM clocks", (0,), DOWN
    ),
    "stored events say nothing of proposals": Step(
        "0018", "0019", EVENT, "SELECT type, proposal, result FROM events", ("match.created", "", "")
    ),
    "proposals go, matches stay": Step("0018", "0019", MATCH, new=PROPOSED),
    "calls that got stuck go": Step("0019", "0020", MATCH, new=STUCK),
    "notes go, matches stay": Step("0020", "0021", MATCH, new=NOTED),
    "nobody was replaced": Step(
        "0021", "0022", SEAT, "SELECT replaced FROM seats", ([],), "UPDATE seats SET replaced = '[1]'"
    ),
    "stored events say nothing of replaced players": Step(
        "0021", "0022", EVENT, "SELECT type, replaced FROM events", ("match.created", "")
    ),
    "nobody is erased; who comes from now on has a salt": Step(
        "0024", "0025", SEAT, "SELECT erased FROM seats", (None,), "UPDATE seats SET salt = '\\x01'"
    ),
    "revocations are for good": Step(
        "0024", "0025", REVOKED, "SELECT until, revocations FROM session_revocations", (None, 2)
    ),
    "which matches were deleted is forgotten": Step("0024", "0025", MATCH, new=DELETED),
    "no match is paused": Step("0022", "0023", MATCH, "SELECT paused_by FROM matches", (None,)),
    "players announce no vacations themselves, and vacations go": Step(
        "0023", "0024", TENANT, "SELECT vacation_days FROM tenants", (0,), AWAY
    ),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_rows_of_before_and_of_the_release_before(empty_database_url: str, step: Step) -> None:
    migrate(empty_database_url, step.before)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(step.stored)
        migrate(empty_database_url, step.after)
        connection.execute(step.stored)
        assert connection.execute(step.asks).fetchall() == [step.says] * 2
        downgrade(empty_database_url, step.before)
        both = dump(connection)
        assert {len(rows) for name, rows in both.items() if name != "schema_support"} == {0, 2}
        migrate(empty_database_url, step.after)
        if step.new:
            assert connection.execute(step.new).rowcount > 0
        downgrade(empty_database_url, step.before)
        assert dump(connection) == both


def test_on_the_way_back_from_0003_a_key_that_was_to_end_is_revoked(empty_database_url: str) -> None:
    """Else it would become good for ever."""
    migrate(empty_database_url, "0003")
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(KEY)
        for prefix, end in (("ft_live_soon", "1 day"), ("ft_live_past", "-1 day")):
            connection.execute(KEY.replace("ft_live_good", prefix))
            connection.execute(
                "UPDATE api_keys SET expires_at = now() + %s::interval WHERE prefix = %s", (end, prefix)
            )
        downgrade(empty_database_url, "0002")
        good = connection.execute("SELECT prefix FROM api_keys WHERE revoked_at IS NULL").fetchall()
    assert good == [("ft_live_good",)]


def test_on_the_way_back_from_0011_the_newest_name_stays(empty_database_url: str) -> None:
    migrate(empty_database_url, "0011")
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(SEAT)
        connection.execute("UPDATE seats SET name = 'Captain Ruth', renamed = true")
        downgrade(empty_database_url, "0010")
        assert connection.execute("SELECT name FROM seats").fetchall() == [("Captain Ruth",)]


def test_tickets_are_not_logged_and_everything_else_is(database_url: str) -> None:
    """They may be gone after a crash; login codes and calls that got stuck may not."""
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u' "
            "AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert found == [("stream_tickets",)]
