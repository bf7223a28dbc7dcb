"""`foldtable audit`: exit code 0 only where nothing is wrong, and nothing that is hidden in what it says."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.support.played_matches import Playing, played

OFFICES = 0
"""A match of Al-Rashid in which the first seat uses an office within forty moves."""


@pytest.fixture
def audited(foldtable: Any, database_url: str) -> Any:
    """Call the command line with a database of three short matches, one of them still running."""

    async def play(playing: Playing) -> None:
        for number in range(3):
            await playing.match(number, 4, ends=number < 2)

    asyncio.run(played(database_url, play))

    def run(*words: str, code: int = 0) -> Any:
        done = foldtable("audit", *words, FOLDTABLE_DATABASE_URL=database_url)
        assert done.exit_code == code, done.output
        return done

    return run


def rows(database_url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        cursor = connection.execute(query)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []


def test_nothing_is_found_by_one_process_nor_by_two(audited: Any) -> None:
    for workers in ("1", "2"):
        done = audited("--workers", workers)
        assert "nothing altered, missing or out of order" in done.stdout
        assert "draws recomputed" in done.stdout
        assert "--since" in done.stdout


def test_what_is_wrong_is_named_and_counted_and_ends_with_1(audited: Any, database_url: str) -> None:
    rows(database_url, "UPDATE moves SET seat = 1 WHERE seq = 3 AND seat = 0")
    rows(database_url, "UPDATE moves SET seat = 0 WHERE seq = 4 AND seat = 1")
    done = audited("--workers", "1", code=1)
    assert "seat: was altered" in done.stdout
    found = json.loads(audited("--workers", "1", "--json", code=1).stdout)
    assert not found["ok"]
    assert found["wrong"] == len(found["findings"]) > 0
    assert {one["table"] for one in found["findings"]} <= {"moves", "events"}


def test_no_secret_is_ever_printed_and_of_a_running_match_no_hash_either(
    audited: Any, database_url: str
) -> None:
    secrets = [row[0].hex() for row in rows(database_url, "SELECT secret FROM matches")]
    rows(database_url, "UPDATE matches SET secret = set_byte(secret, 3, 255 - get_byte(secret, 3))")
    told = audited("--workers", "1", code=1).stdout
    secrets += [row[0].hex() for row in rows(database_url, "SELECT secret FROM matches")]
    assert "secret: does not match its commitment" in told
    assert not any(secret in told for secret in secrets)


def test_a_hash_of_a_running_match_is_named_and_not_printed(audited: Any, database_url: str) -> None:
    rows(database_url, "UPDATE moves SET hash = set_byte(hash, 3, 255 - get_byte(hash, 3)) WHERE seq = 2")
    found = json.loads(audited("--workers", "1", "--json", code=1).stdout)["findings"]
    running = {str(row[0]) for row in rows(database_url, "SELECT id FROM matches WHERE status = 'running'")}
    for one in found:
        assert (one["table"], one["seq"], one["column"]) == ("moves", 2, "hash")
        assert bool(one["expected"]) == (one["match_id"] not in running)
    assert len(found) == 3


def test_only_some_matches(audited: Any, database_url: str) -> None:
    ids: list[UUID] = [row[0] for row in rows(database_url, "SELECT id FROM matches ORDER BY id")]
    for words, matches in (
        (("--match", str(ids[1])), 1),
        (("--game", "al_rashid"), 1),
        (("--since", "2999-01-01"), 0),
        (("--after", str(ids[0])), 2),
    ):
        assert json.loads(audited("--workers", "1", "--json", *words).stdout)["matches"] == matches


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--game", "chess"), "unknown game 'chess'", id="another game"),
        pytest.param(("--match", "one"), "Invalid value", id="no id"),
        pytest.param(("--since", "yesterday"), "Invalid value", id="no time"),
    ],
)
def test_what_was_asked_wrongly_is_said(audited: Any, words: tuple[str, ...], said: str) -> None:
    assert said in audited(*words, code=2).stderr


def test_a_database_without_a_schema_or_none_at_all_is_said_in_a_line(
    foldtable: Any, empty_database_url: str
) -> None:
    done = foldtable("audit", FOLDTABLE_DATABASE_URL=empty_database_url)
    assert (done.exit_code, "migrate" in done.stderr) == (1, True)
    password = uuid4().hex
    done = foldtable("audit", FOLDTABLE_DATABASE_URL=f"postgresql://nobody:{password}@127.0.0.1:1/nothing")
    assert done.exit_code == 1
    assert password not in done.output


@pytest.mark.parametrize("workers", ["1", "2"])
def test_rows_that_the_rules_stumble_over_do_not_end_the_audit(
    foldtable: Any, database_url: str, workers: str
) -> None:
    """One byte: somebody uses an office that is another's. The event that is missing of another match is named all the same."""
    asyncio.run(played(database_url, _with_offices))
    rows(
        database_url,
        """UPDATE moves SET events = replace(convert_from(events, 'UTF8'), '"office_used","seat":0', '"office_used","seat":1')::bytea
        FROM matches WHERE matches.id = match_id AND game = 'al_rashid'""",
    )
    rows(
        database_url,
        """DELETE FROM events USING matches WHERE matches.id = match_id AND game <> 'al_rashid' AND type = 'match.started'""",
    )
    done = foldtable("audit", "--workers", workers, "--json", FOLDTABLE_DATABASE_URL=database_url)
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)["findings"]
    assert any("the row is not what was hashed" in one["what"] for one in found)
    assert ("events", 1, "match.started is missing") in {
        (one["table"], one["seq"], one["what"]) for one in found
    }


async def _with_offices(playing: Playing) -> None:
    offices = await playing.match(OFFICES, 40, ends=False, seats=2)
    assert any(b'"office_used","seat":0' in row.events for row in await playing.log.read(offices.id))
    await playing.match(OFFICES + 1, 6, ends=False)
