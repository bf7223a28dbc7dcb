"""`foldtable migrate`: an empty database gets the schema; done twice it changes nothing."""

from __future__ import annotations

from typing import Any

from migrations.migrate import current_revision, newest_revision


def test_an_empty_database_is_brought_to_the_newest_schema(foldtable: Any, empty_database_url: str) -> None:
    for _ in range(2):
        assert foldtable("migrate", FOLDTABLE_DATABASE_URL=empty_database_url).exit_code == 0
        assert current_revision(empty_database_url) == newest_revision()


def test_a_database_that_is_not_there_ends_with_an_error(foldtable: Any) -> None:
    done = foldtable("migrate", FOLDTABLE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    assert done.exit_code == 1
    assert "the database is as it was" in done.stderr
