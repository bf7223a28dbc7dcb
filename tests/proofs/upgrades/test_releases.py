"""The releases we know of, and whether the schema of today lets their code in. `make prove P=upgrades` plays it through."""

from __future__ import annotations

import subprocess
from pathlib import Path

import psycopg
import pytest

from migrations.migrate import migrate
from services.postgres.database import REVISION
from tests.proofs.upgrades.old_code import ROOT, HistoryMissing, run_python, unpack
from tests.proofs.upgrades.releases import PREVIOUS, RELEASES, Release, release_of
from tests.proofs.upgrades.rows import dump, load, read, write
from tests.proofs.upgrades.samples import Sample, stored

CHECK_SCHEMA = """
import asyncio, sys

try:
    from services.postgres.database import REVISION, DatabaseSettings, check_schema, open_pool
except ModuleNotFoundError:  # where they were up to the schema 0014
    from services.database import REVISION, DatabaseSettings, check_schema, open_pool

async def check(url):
    pool = await open_pool(DatabaseSettings(url), name="upgrades", most=1)
    async with pool, pool.connection() as connection:
        await check_schema(connection)

asyncio.run(check(sys.argv[1]))
print(REVISION, end="")
"""


@pytest.fixture(params=(RELEASES[0], PREVIOUS), ids=lambda release: release.revision)
def release(request: pytest.FixtureRequest) -> Release:
    found: Release = request.param
    return found


@pytest.fixture
def code(release: Release, tmp_path: Path) -> Path:
    """A release's code, without its stubs."""
    try:
        unpack(release.commit, tmp_path)
    except HistoryMissing as missing:
        pytest.skip(f"{missing}; clone the repository with its history")
    return tmp_path


def test_releases_are_listed_oldest_first_and_the_previous_one_is_before_this_code() -> None:
    revisions = [one.revision for one in RELEASES]
    assert revisions == sorted(set(revisions))
    assert PREVIOUS.revision < REVISION
    assert release_of(PREVIOUS.revision) is PREVIOUS
    with pytest.raises(KeyError, match="there are: 0001"):
        release_of("0002")


def test_the_schema_of_today_is_fit_for_the_release_before(database_url: str) -> None:
    """Expand, then contract: what a step takes away, the release before must not need any more."""
    with psycopg.connect(database_url) as connection:
        (oldest_code,) = connection.execute("SELECT oldest_code FROM schema_support").fetchone() or ("",)
    assert oldest_code <= PREVIOUS.revision


def test_a_release_s_own_code_starts_on_the_schema_of_today(
    release: Release, code: Path, database_url: str
) -> None:
    assert run_python(code, "-c", CHECK_SCHEMA, database_url) == release.revision


def test_samples_were_written_by_the_code_of_their_releases() -> None:
    assert {revision: Sample(revision).told.commit for revision in stored()} == {
        one.revision: one.commit for one in RELEASES
    }


def test_rows_come_back_as_they_were_written(empty_database_url: str, tmp_path: Path) -> None:
    revision = stored()[-1]
    newest = Sample(revision).rows
    migrate(empty_database_url, revision)  # a later step may have added columns
    write(tmp_path / "rows.jsonl", newest)
    assert read(tmp_path / "rows.jsonl") == newest
    with psycopg.connect(empty_database_url) as connection:
        load(connection, newest)
        again = dump(connection)
    assert {name: rows for name, rows in again.items() if rows} == newest


def test_the_code_of_a_commit_that_is_not_here_is_said_to_be_missing(tmp_path: Path) -> None:
    if subprocess.run(["git", "-C", ROOT, "rev-parse"], capture_output=True, check=False).returncode:
        pytest.skip("this is no clone")
    with pytest.raises(HistoryMissing, match="not in this checkout's history"):
        unpack("0" * 40, tmp_path)
