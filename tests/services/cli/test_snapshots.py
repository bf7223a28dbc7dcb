"""`foldtable snapshots`: made anew or deleted at any time, and nobody sees a difference."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.movelog.postgres.log import PostgresLog
from services.movelog.records import SeatRecord, SeatState
from services.postgres.database import DatabaseSettings
from tests.support.match_documents import a_match


@pytest.fixture
def in_the_log(foldtable: Any, database_url: str) -> Any:
    """Call the command line with a database, and give what it prints."""

    def run(*words: str, fails: str = "") -> str:
        done = foldtable("snapshots", *words, FOLDTABLE_DATABASE_URL=database_url)
        assert done.exit_code == (1 if fails else 0), done.output
        assert fails in done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def matches(database_url: str) -> list[UUID]:
    """Two long matches and a short one."""

    async def take_in() -> list[UUID]:
        async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
            made = [a_match(moves=moves, match_id=uuid4()) for moves in (110, 70, 10)]
            for match, rows in made:
                seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(match.seats))
                assert await log.import_match(match, seats, rows)
            return [match.id for match, _ in made]

    return asyncio.run(take_in())


def test_they_are_made_anew_for_every_long_match_and_deleted(in_the_log: Any, matches: list[UUID]) -> None:
    assert in_the_log("rebuild") == "3 snapshots written"
    assert in_the_log("rebuild") == "3 snapshots written"
    assert in_the_log("delete", "--match", str(matches[1])) == "1 snapshots deleted"
    assert in_the_log("delete") == "2 snapshots deleted"
    assert in_the_log("delete") == "0 snapshots deleted"


def test_of_one_match_only(in_the_log: Any, matches: list[UUID]) -> None:
    assert in_the_log("rebuild", "--match", str(matches[0])) == "2 snapshots written"
    assert in_the_log("rebuild", "--match", str(matches[2])) == "0 snapshots written"
    assert in_the_log("delete", "--match", str(matches[2])) == "0 snapshots deleted"


def test_a_match_that_is_not_there_is_said_in_a_line(in_the_log: Any) -> None:
    assert in_the_log("rebuild", "--match", str(uuid4()), fails="no match") == ""


def test_a_database_that_is_not_there_is_said(foldtable: Any) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    done = foldtable("snapshots", "delete", FOLDTABLE_DATABASE_URL=nowhere)
    assert done.exit_code == 1
    assert done.stderr.startswith("error: connection failed")


def test_an_older_schema_is_said_in_a_line(foldtable: Any, empty_database_url: str) -> None:
    done = foldtable("snapshots", "delete", FOLDTABLE_DATABASE_URL=empty_database_url)
    assert done.exit_code == 1
    assert "migrate" in done.stderr
