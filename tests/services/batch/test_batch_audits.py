"""An audit and a mass replay on a cluster: the findings are those found here, and nobody who watches the cluster learns a secret."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

from tests.support.dask_cluster import DaskCluster, dask_cluster
from tests.support.played_matches import Playing, played
from tests.support.running_system import FOLDTABLE, environment, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def altered(module_database_url: str) -> str:
    """A database of six matches, in which one move and one event are altered."""

    async def play(playing: Playing) -> None:
        for number in range(6):
            await playing.match(number, 8, ends=number % 2 == 0)

    asyncio.run(played(module_database_url, play))
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute("UPDATE moves SET request_id = 'x' WHERE ctid = (SELECT max(ctid) FROM moves)")
        connection.execute("UPDATE events SET player = 'x' WHERE number = (SELECT max(number) FROM events)")
    return module_database_url


def foldtable(url: str, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**environment(), "FOLDTABLE_DATABASE_URL": url}
    return subprocess.run([FOLDTABLE, *words], capture_output=True, text=True, env=env, timeout=200, check=False)  # fmt: skip


@pytest.fixture(scope="module")
def cluster(altered: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Workers that know the database by their own environment, with a password in its address."""
    folder = tmp_path_factory.mktemp("cluster")
    with dask_cluster(folder, extra={"FOLDTABLE_DATABASE_URL": f"{altered} password=hush-hush"}) as running:
        yield running


def without_times(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in {"seconds", "workers"}}


def test_the_same_is_found_here_and_there(altered: str, cluster: DaskCluster) -> None:
    here, there = (
        foldtable(altered, "audit", "--json", *words)
        for words in (("--workers", "1"), ("--cluster", cluster.address))
    )
    assert here.returncode == there.returncode == 1, there.stderr
    assert without_times(json.loads(here.stdout)) == without_times(json.loads(there.stdout))
    assert {one["table"] for one in json.loads(here.stdout)["findings"]} == {"moves", "events"}
    one, two = (
        foldtable(altered, "replay-all", "--json", *words)
        for words in (("--workers", "2"), ("--cluster", cluster.address))
    )
    assert one.returncode == two.returncode == 0, two.stderr
    assert one.stdout == two.stdout


def test_what_a_cluster_logs_names_no_password_and_no_secret(altered: str, cluster: DaskCluster) -> None:
    """Also when a task fails, which Dask logs with everything that it was called with."""
    with psycopg.connect(altered, autocommit=True) as connection:
        secrets = [row[0].hex() for row in connection.execute("SELECT secret FROM matches").fetchall()]
        connection.execute("ALTER TABLE snapshots RENAME TO mislaid")
        try:
            failed = foldtable(altered, "audit", "--cluster", cluster.address)
        finally:
            connection.execute("ALTER TABLE mislaid RENAME TO snapshots")
    assert failed.returncode == 1
    assert "the database does not answer: 42P01" in failed.stderr
    wait_until(lambda: "Compute Failed" in cluster.logs(), 20)
    logs = cluster.logs()
    assert "hush-hush" not in logs + failed.stderr
    assert "dbname=" not in logs
    assert not any(secret in logs for secret in secrets)


def test_a_worker_without_a_database_or_with_another_one_is_told(
    altered: str, database_url: str, tmp_path: Path
) -> None:
    for name, extra, said in (
        ("none", {}, "FOLDTABLE_DATABASE_URL is not set on a worker"),
        ("another", {"FOLDTABLE_DATABASE_URL": database_url}, "no match where there should be 6"),
    ):
        (folder := tmp_path / name).mkdir()
        with dask_cluster(folder, workers=1, extra=extra) as running:
            done = foldtable(altered, "audit", "--cluster", running.address)
        assert (done.returncode, said in done.stderr) == (1, True), done.stderr


def test_an_audit_is_continued_where_it_was_cut_off(altered: str, tmp_path: Path) -> None:
    whole = foldtable(altered, "audit", "--workers", "1", "--parquet", str(tmp_path / "tables"), "--json")
    lines = tmp_path / "tables" / "results.ndjson"
    table = f"SELECT * FROM '{tmp_path}/tables/findings.parquet'"
    before = duckdb.sql(table).fetchall()
    assert len(before) == json.loads(whole.stdout.splitlines()[-1])["wrong"] > 0
    lines.write_bytes(lines.read_bytes()[:-40])
    again = foldtable(altered, "audit", "--workers", "1", "--parquet", str(tmp_path / "tables"), "--json")
    assert duckdb.sql(table).fetchall() == before
    assert without_times(json.loads(again.stdout.splitlines()[-1])) == without_times(
        json.loads(whole.stdout.splitlines()[-1])
    )
    other = foldtable(altered, "audit", "--game", "al_rashid", "--resume", str(lines))
    assert (other.returncode, 'game "", not "al_rashid"' in other.stderr) == (2, True)


def test_a_simulation_that_is_killed_is_continued_and_counts_every_match_once(tmp_path: Path) -> None:
    place = tmp_path / "results.ndjson"
    words = ("simulate", "river_dragons", "--matches", "240", "--seats", "2", "--json", "--workers", "2")
    with subprocess.Popen(
        [FOLDTABLE, *words, "--resume", place], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:  # fmt: skip
        wait_until(lambda: place.exists() and place.read_bytes().count(b"\n") > 5, 100)
        os.kill(process.pid, signal.SIGKILL)
    kept = place.read_bytes().count(b"\n") - 1
    assert 5 <= kept < 60
    continued = foldtable("", *words, "--resume", str(place))
    assert continued.returncode == 0, continued.stderr
    assert continued.stdout == foldtable("", *words).stdout
    assert place.read_bytes().count(b"\n") == 61
    other = foldtable("", *words, "--resume", str(place), "--seed", "2")
    assert (other.returncode, "seed 0, not 2" in other.stderr) == (2, True)
