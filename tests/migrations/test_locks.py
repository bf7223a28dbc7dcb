"""Steps are taken while matches are played: what they may do to a table that is being written, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from alembic.script import ScriptDirectory
from psycopg.errors import QueryCanceled
from sqlalchemy.exc import DBAPIError, OperationalError

from migrations import migrate as migrating
from migrations.migrate import current_revision, downgrade, migrate
from tests.support.running_system import wait_until

GROW = (
    "matches",
    "seats",
    "moves",
    "seat_requests",
    "snapshots",
    "events",
    "webhook_deliveries",
    "webhook_lanes",
    "clocks",
)
"""MatchCache that grow with what is played; the others hold a few rows for each tenant."""
REWROTE = {"0002": {"matches"}}
"""Before the first stable release: a column that is computed and stored had to be computed for every row."""
INDEXED = {
    "0002": {"matches", "seats"},
    "0010": {"seats"},
    "0023": {"clocks"},
    "0025": {"seats", "seat_requests", "events"},
}
"""Before the first stable release: indexes on tables with rows in them, built while nobody could write. Those of 0023 begin
without a row, so the table, which only holds clocks of running matches, is read once for each. Those of 0025 are left out if
they were built before, without keeping anybody from writing: docs/run/upgrading.md has the statements.
"""

FILES = "SELECT relname, relfilenode FROM pg_class WHERE relkind = 'r' AND relname = ANY(%s)"
INDEXES = "SELECT indexrelid::regclass::text, tablename FROM pg_index JOIN pg_tables ON tablename::regclass = indrelid WHERE tablename = ANY(%s)"
CHECKED = "SELECT oid, conrelid::regclass::text FROM pg_constraint WHERE contype IN ('c', 'f') AND convalidated AND conrelid::regclass::text = ANY(%s)"
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
DEFINED = """
SELECT indexrelid, pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = ANY (ARRAY ['seats', 'events', 'seat_requests', 'forks']::regclass[])
"""
LOCKED = """
SELECT count(*) FROM pg_locks
WHERE granted AND mode = 'AccessExclusiveLock' AND relation = ANY (ARRAY ['seats', 'events', 'seat_requests', 'forks']::regclass[])
"""
APPEND = "UPDATE matches SET version = version + 1"


def steps() -> list[str]:
    """Return the revisions, oldest first."""
    script = ScriptDirectory.from_config(migrating._config())
    return [step.revision for step in reversed(list(script.walk_revisions()))]


def facts(url: str, question: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        return {str(name): str(fact) for name, fact in connection.execute(question, (list(GROW),))}


def test_no_step_rewrites_searches_or_indexes_a_table_that_grows(empty_database_url: str) -> None:
    """What takes longer with more rows is no step: see docs/run/upgrading.md for how it is done instead."""
    url = empty_database_url
    rewrote, indexed, searched = {}, {}, {}
    for revision in steps():
        files, indexes, checked = (facts(url, question) for question in (FILES, INDEXES, CHECKED))
        migrate(url, revision)
        now = facts(url, FILES)
        rewrote[revision] = {name for name in files if now.get(name, files[name]) != files[name]}
        new = facts(url, INDEXES).keys() - indexes.keys()
        indexed[revision] = {facts(url, INDEXES)[name] for name in new} & files.keys()
        found = facts(url, CHECKED)
        searched[revision] = {found[name] for name in found.keys() - checked.keys()} & files.keys()
    assert {revision: tables for revision, tables in rewrote.items() if tables} == REWROTE
    assert {revision: tables for revision, tables in indexed.items() if tables} == INDEXED
    assert {revision: tables for revision, tables in searched.items() if tables} == {}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrating, "DDL_LOCK_TIMEOUT", timedelta(milliseconds=200))
    monkeypatch.setattr(migrating, "DDL_PAUSE", timedelta(milliseconds=200))


@pytest.fixture
def old_url(empty_database_url: str) -> str:
    migrate(empty_database_url, "0004")
    return empty_database_url


@pytest.fixture
def holder(old_url: str) -> Iterator[psycopg.Connection]:
    """Somebody in the middle of an append that does not come to its end."""
    with psycopg.connect(old_url) as connection:
        connection.execute(APPEND)
        yield connection


def test_a_step_that_has_to_wait_steps_back_lets_moves_pass_and_comes_again(
    impatient: None, old_url: str, holder: psycopg.Connection
) -> None:
    with ThreadPoolExecutor(1) as migrator, psycopg.connect(old_url, autocommit=True) as player:
        migration = migrator.submit(migrate, old_url, "0005")
        player.execute("SET statement_timeout = '5s'")
        try:
            for _ in range(2):
                wait_until(lambda: player.execute(WAITING).fetchone() == (1,), 10)
                player.execute(
                    APPEND
                )  # behind the step, which waits for the append that holds its lock all the time
            assert not migration.done()
        finally:
            holder.commit()
        migration.result()
    assert current_revision(old_url) == "0005"


def test_a_step_that_never_gets_its_turn_leaves_the_database_as_it_was(
    impatient: None, old_url: str, holder: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "DDL_TRIES", 2)
    with pytest.raises(OperationalError, match="lock timeout"):
        migrate(old_url, "0005")
    assert current_revision(old_url) == "0004"


PAGE = Path(__file__).parents[2] / "docs" / "run" / "upgrading.md"
"""What operators read."""


@pytest.fixture
def before_forgetting(empty_database_url: str) -> str:
    migrate(empty_database_url, "0024")
    return empty_database_url


def built_before() -> list[str]:
    """Return the statements of docs/run/upgrading.md that build the indexes of step 0025."""
    (block,) = re.findall(r"### Step 0025.*?```sql\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    return [one for one in block.split(";\n") if one.strip()]


def test_indexes_are_built_while_tables_can_be_read(before_forgetting: str) -> None:
    """Whatever shuts out readers comes after the last index, since all steps are one transaction."""
    step = ScriptDirectory.from_config(migrating._config()).get_revision("0025")
    assert step is not None
    statements = step.module.UPGRADE
    last = max(number for number, one in enumerate(statements) if "IF NOT EXISTS" in one)
    with psycopg.connect(before_forgetting) as connection:
        for one in statements[: last + 1]:
            connection.execute(one)
        assert connection.execute(LOCKED).fetchone() == (0,)
        connection.rollback()


def test_the_indexes_of_the_page_are_those_of_the_step(before_forgetting: str) -> None:
    """Built before, none is built again; and they are the same, or the schema would differ."""
    with psycopg.connect(before_forgetting, autocommit=True) as connection:
        for statement in built_before():
            connection.execute(statement)
        by_hand = connection.execute(DEFINED).fetchall()
        migrate(before_forgetting, "0025")
        assert set(by_hand) <= set(connection.execute(DEFINED).fetchall())
    downgrade(before_forgetting, "0024")
    migrate(before_forgetting, "0025")
    with psycopg.connect(before_forgetting) as connection:
        by_step = {definition for _, definition in connection.execute(DEFINED)}
    assert {definition for _, definition in by_hand} <= by_step
    assert len(built_before()) == 6


def test_an_index_whose_build_has_failed_is_refused_by_name(before_forgetting: str) -> None:
    failing = [one for one in built_before() if "events_of_match" in one or "forks_by_account" in one]
    with (
        psycopg.connect(before_forgetting) as player,
        psycopg.connect(before_forgetting, autocommit=True) as operator,
    ):
        player.execute("LOCK TABLE events, forks IN ROW EXCLUSIVE MODE")
        operator.execute("SET statement_timeout = '300ms'")
        for statement in failing:
            with pytest.raises(QueryCanceled):  # it waits for the player, as such a build does
                operator.execute(statement)
    with pytest.raises(DBAPIError) as refused:
        migrate(before_forgetting, "0025")
    said = str(refused.value.orig)
    assert "events_of_match, forks_by_account" in said
    assert "DROP INDEX CONCURRENTLY" in said
    assert current_revision(before_forgetting) == "0024"
    with psycopg.connect(before_forgetting, autocommit=True) as operator:
        for name in ("events_of_match", "forks_by_account"):
            operator.execute(f"DROP INDEX CONCURRENTLY {name}")
    migrate(before_forgetting, "0025")
