"""One byte of any column, a row that is missing, rows in each other's place, a log cut short: each is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.services.audit.coverage import COVERED, NOT_COVERED, NOT_OF_MATCHES
from tests.support.auditing import ALTERED, altered, audit, names

EACH = [(table, column) for table, columns in COVERED.items() for column in columns]
NUMBERED = ("events", "number")
"""Postgres lets nobody update it, so it is altered by hand, below."""
_RUNNING = "match_id NOT IN (SELECT id FROM matches WHERE paused_by IS NOT NULL)"
WHERE = {
    ("matches", "created_at"): "version > 0",
    ("matches", "version"): "version > 0",
    ("matches", "game"): "version > 0",
    ("matches", "seats"): "version > 0",
    ("matches", "rules_version"): "version > 0",
    ("matches", "options"): "version > 0",
    ("matches", "outcome"): "status = 'ended'",
    ("matches", "seats_to_act"): "status = 'running'",
    ("moves", "seq"): "seq = 5",
    ("moves", "hash"): "seq = 5",
    ("moves", "previous_hash"): "seq = 5",
    ("clocks", "left_us"): _RUNNING,
    ("events", "seat"): _RUNNING,
    ("events", "player"): "version > 0",
    ("events", "transaction"): "type = 'move.applied' AND version = 5",
}
"""Which row, where not any will do."""


@pytest.fixture(scope="module")
def kinds(few_matches: str) -> dict[tuple[str, str], str]:
    """The type of every column of every table."""
    query = """
    SELECT columns.table_name, column_name, udt_name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
    """
    with psycopg.connect(few_matches) as connection:
        return {(row[0], row[1]): row[2] for row in connection.execute(query)}


def test_the_audit_finds_nothing_where_nothing_is_wrong(few_matches: str) -> None:
    tally = audit(few_matches)
    assert [str(one) for one in tally.findings] == []
    assert tally.draws > 0
    with psycopg.connect(few_matches) as connection:
        for table, rows in tally.rows.items():
            ((there,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()  # type: ignore[arg-type]
            assert (table, rows) == (table, there)
    assert set(tally.rows) == set(COVERED)


def test_every_column_is_either_audited_or_there_is_a_reason_why_not(
    kinds: dict[tuple[str, str], str],
) -> None:
    there = {column for column in kinds if column[0] not in NOT_OF_MATCHES}
    assert there == {*EACH, *NOT_COVERED}
    assert not {*EACH} & {*NOT_COVERED}
    assert {table for table, _ in kinds} == {*COVERED, *NOT_OF_MATCHES}


@pytest.mark.parametrize(
    ("table", "column"), [pytest.param(*one, id=".".join(one)) for one in EACH if one != NUMBERED]
)
def test_one_altered_byte_is_named(
    few_matches: str, kinds: dict[tuple[str, str], str], table: str, column: str
) -> None:
    kind = kinds[table, column]
    assert kind in ALTERED
    with altered(few_matches, table, column, kind, WHERE.get((table, column), "true")) as row:
        tally = audit(few_matches)
    assert tally.wrong > 0
    if column in {"match_id", "id"}:
        return  # the row is missing in its own match, and one too many in another, or of none
    found = names(tally, table, column)
    assert found, [str(one) for one in tally.findings]
    assert {one.match_id for one in found} == {row["id"] if table == "matches" else row["match_id"]}


@pytest.mark.parametrize("table", ["matches", "events"])
def test_an_outcome_that_is_no_text_is_named(few_matches: str, table: str) -> None:
    with altered(few_matches, table, "outcome", "bytea", as_told="set_byte({c}, 3, 255)"):
        found = names(audit(few_matches), table, "outcome")
    assert len(found) == 1
    assert "\N{REPLACEMENT CHARACTER}" in found[0].found


def test_everything_is_right_again(few_matches: str) -> None:
    """Or else the tests before this one have shown less than they say."""
    assert [str(one) for one in audit(few_matches).findings] == []


@pytest.fixture
def undone(few_matches: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection to alter rows over, whose tables are put back afterwards."""
    tables = tuple(COVERED)
    with psycopg.connect(few_matches, autocommit=True) as connection:
        for table in tables:
            connection.execute(f"CREATE TABLE kept_{table} AS TABLE {table}")  # type: ignore[arg-type]
        yield connection
        for table in tables:
            columns = [row[0] for row in connection.execute(_COLUMNS, (table,))]
            listed = ", ".join(columns)
            connection.execute(f"DELETE FROM {table}")  # type: ignore[arg-type]
            connection.execute(
                f"INSERT INTO {table} ({listed}) OVERRIDING SYSTEM VALUE SELECT {listed} FROM kept_{table}"
            )  # type: ignore[arg-type]
            connection.execute(f"DROP TABLE kept_{table}")  # type: ignore[arg-type]


_COLUMNS = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'
"""
ENDED = "(SELECT id FROM matches WHERE status = 'ended' ORDER BY id LIMIT 1)"
NUMBERED_OTHERWISE = """
CREATE TEMPORARY TABLE taken AS SELECT * FROM events WHERE version = 5 AND type = 'move.applied' LIMIT 1;
DELETE FROM events WHERE number = (SELECT number FROM taken);
UPDATE taken SET number = number # 64;
INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM taken;
DROP TABLE taken
"""
HARM = {
    "a move is missing": (
        f"DELETE FROM moves WHERE match_id = {ENDED} AND seq = 7",
        "moves 7 seq: row 7 missing",
    ),
    "moves are missing": (
        f"DELETE FROM moves WHERE match_id = {ENDED} AND seq IN (7, 8)",
        "moves 7 seq: rows 7 to 8 missing",
    ),
    "the log is cut short": (
        f"DELETE FROM moves WHERE match_id = {ENDED} AND seq > 10",
        "and the log ends at 10: the last rows are missing",
    ),
    "two moves in each other's place": (
        f"""UPDATE moves SET seq = CASE seq WHEN 7 THEN -8 WHEN 8 THEN -7 ELSE seq END WHERE match_id = {ENDED};
        UPDATE moves SET seq = -seq WHERE match_id = {ENDED} AND seq < 0""",
        "moves 7 previous_hash: is not the hash of the row before",
    ),
    "an event names no match": (
        "UPDATE events SET match_id = NULL WHERE number = (SELECT max(number) FROM events WHERE type = 'move.applied')",
        " match_id: number",
    ),
    "a match is missing": (f"DELETE FROM matches WHERE id = {ENDED}", "rows, and no such match"),
    "a seat is missing": (
        f"DELETE FROM seats WHERE match_id = {ENDED} AND seat = 1",
        "seats 1 seat: has no row",
    ),
    "a clock is missing": ("DELETE FROM clocks WHERE seat = 1", "clocks 1 seat: has no clock"),
    "a clock too many": (
        f"INSERT INTO clocks (match_id, seat, left_us) VALUES ({ENDED}, 0, 5)",
        "clocks 0 seat: there is no such clock in this match",
    ),
    "an event is missing": (
        f"DELETE FROM events WHERE match_id = {ENDED} AND version = 6 AND type = 'turn.started'",
        "turn.started is missing",
    ),
    "an event told twice": (
        f"""INSERT INTO events (tenant, match_id, type, version, seat, to_act, recorded_at)
        SELECT tenant, match_id, type, version, seat, to_act, recorded_at FROM events
        WHERE match_id = {ENDED} AND type = 'match.started'""",
        "happened before it",
    ),
    "an event that is numbered otherwise": (NUMBERED_OTHERWISE, "happened before it"),
    "a tenant that is not there": ("UPDATE matches SET tenant = 'nobody'", "there is no tenant nobody"),
    "all of a match's moves are gone": (
        f"DELETE FROM moves WHERE match_id = {ENDED}",
        "and the log ends at 0: the last rows are missing",
    ),
    "a match that was not imported with the id it says": (
        f"UPDATE matches SET original_id = gen_random_uuid() WHERE id = {ENDED}",
        "matches original_id: is not the id that the match's id here is derived from",
    ),
    "a time that no calendar has": (
        f"UPDATE matches SET updated_at = '20000-01-01' WHERE id = {ENDED}",
        "cannot be read: DataError",
    ),
}


@pytest.mark.parametrize(("harm", "named"), HARM.values(), ids=HARM)
def test_what_is_missing_or_out_of_order_is_named(
    few_matches: str, undone: psycopg.Connection[Any], harm: str, named: str
) -> None:
    undone.execute(harm)  # type: ignore[arg-type]
    told = [str(one) for one in audit(few_matches).findings]
    assert any(named in one for one in told), told
