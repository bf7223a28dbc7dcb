"""The steps: from empty to the newest and back, two at once, and their sum is the schema we think it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import sqlalchemy.exc

from migrations.migrate import EMPTY, current_revision, downgrade, migrate, newest_revision
from services.postgres import database

SNAPSHOT = Path(__file__).parent / "schema.txt"
"""Written anew by `python tests/migrations/test_migrations.py <url of an empty database>`; review it as a diff."""

COLUMNS = """
SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY 1, 2
"""
INDEXES = "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
OPTIONS = """
SELECT relname, relkind::text, reloptions FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL ORDER BY 1
"""
VIEWS = "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1"
TRIGGERS = """
SELECT event_object_table, trigger_name, action_timing, event_manipulation, action_statement
FROM information_schema.triggers WHERE trigger_schema = 'public' ORDER BY 1, 2
"""
ROWS = "SELECT 'schema_support', oldest_code FROM schema_support"


def schema(url: str) -> str:
    """Describe a database's schema, a line for each thing in it."""
    questions = {
        "column": COLUMNS,
        "constraint": CONSTRAINTS,
        "index": INDEXES,
        "options": OPTIONS,
        "trigger": TRIGGERS,
        "view": VIEWS,
        "row": ROWS,
    }
    with psycopg.connect(url) as connection:
        return "".join(
            f"{kind}: {' | '.join(' '.join(str(part).split()) for part in row)}\n"
            for kind, question in questions.items()
            for row in connection.execute(question)
        )


def things(url: str) -> set[str]:
    """Name every table, view, index, sequence, type and function of our own."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
            "UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace"
        )
        return {name for (name,) in found}


def test_the_sum_of_all_steps_is_the_schema_we_think_it_is(database_url: str) -> None:
    assert schema(database_url) == SNAPSHOT.read_text()


def test_an_empty_database_comes_to_the_newest_revision(empty_database_url: str) -> None:
    assert current_revision(empty_database_url) is None
    migrate(empty_database_url)
    assert current_revision(empty_database_url) == newest_revision()


def test_what_is_up_to_date_is_left_alone(database_url: str) -> None:
    before = schema(database_url)
    migrate(database_url)
    assert schema(database_url) == before


def test_the_way_back_leaves_nothing_but_alembic_s_own_table(database_url: str) -> None:
    downgrade(database_url, EMPTY)
    assert current_revision(database_url) is None
    assert {name for name in things(database_url) if "alembic_version" not in name} == set()
    migrate(database_url)
    assert schema(database_url) == SNAPSHOT.read_text()


def test_many_migrators_at_once_are_as_one(empty_database_url: str) -> None:
    with ThreadPoolExecutor(4) as migrators:
        for done in [migrators.submit(migrate, empty_database_url) for _ in range(4)]:
            done.result()
    assert schema(empty_database_url) == SNAPSHOT.read_text()


def test_a_step_that_fails_leaves_the_database_as_it_was(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("CREATE TABLE moves (in_the_way text)")
    before = things(empty_database_url)
    with pytest.raises(sqlalchemy.exc.ProgrammingError):
        migrate(empty_database_url)
    assert things(empty_database_url) == before
    assert current_revision(empty_database_url) is None


def test_the_code_and_the_steps_name_the_same_revision() -> None:
    assert newest_revision() == database.REVISION


@pytest.fixture
def operator(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def test_no_column_that_changes_with_each_move_is_in_an_index(operator: psycopg.Connection) -> None:
    """Otherwise each move would have to touch the index as well. The status changes twice in a match's life."""
    found = operator.execute(
        "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey) "
        "WHERE indrelid = 'matches'::regclass"
    )
    changing = {"version", "updated_at", "seats_to_act", "outcome"}
    assert changing.isdisjoint(name for (name,) in found)


@pytest.mark.parametrize(("status", "shown"), [("running", []), ("ended", [("tea", "loaded")])])
def test_analysts_read_moves_of_ended_matches_only(
    operator: psycopg.Connection, status: str, shown: list[tuple[str, str]]
) -> None:
    operator.execute(
        "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
        "secret, commitment, status, seats_to_act) VALUES (gen_random_uuid(), now(), now(), 1, 2, 't', 'g', '1', "
        "'{}', 's', 'c', %s, '{}')",
        (status,),
    )
    operator.execute(
        "INSERT INTO moves (match_id, recorded_at, seq, request_id, previous_hash, hash, request, events) "
        """SELECT id, now(), 1, 'r', '', '', '{"crate":"tea"}', '[{"type":"loaded"}]' FROM matches"""
    )
    found = operator.execute("SELECT request->>'crate', events->0->>'type' FROM moves_readable")
    assert found.fetchall() == shown


if __name__ == "__main__":
    migrate(sys.argv[1])
    SNAPSHOT.write_text(schema(sys.argv[1]))
