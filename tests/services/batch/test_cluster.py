"""Tasks on a Dask cluster of real processes: the same results as here, whoever is killed meanwhile."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from services.batch import cluster as cluster_module
from services.batch.cluster import Cluster
from services.batch.tasks import ClusterUnusable, Task
from tests.services.batch.slow_work import begun_and_awaited, failing, squared
from tests.support.dask_cluster import DaskCluster, dask_cluster
from tests.support.running_system import FOLDTABLE, environment, wait_until

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[3]
SIMULATE = ("simulate", "river_dragons", "--matches", "60", "--seats", "2", "--seed", "3", "--json")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster with two workers that no test harms."""
    folder = tmp_path_factory.mktemp("cluster")
    with dask_cluster(folder, extra={"PYTHONPATH": str(ROOT)}) as cluster:
        yield cluster


@pytest.fixture
def to_be_harmed(tmp_path: Path) -> Iterator[DaskCluster]:
    """A cluster with two workers of one test."""
    with dask_cluster(tmp_path, extra={"PYTHONPATH": str(ROOT)}) as cluster:
        yield cluster


def tasks(*works: Any) -> Iterator[Task[Any]]:
    return (Task(str(number), work) for number, work in enumerate(works))


def foldtable(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [FOLDTABLE, *words], capture_output=True, text=True, env={**environment(), **env}, timeout=200, check=False
    )  # fmt: skip


def test_every_task_has_its_result_once(running: DaskCluster) -> None:
    cluster = Cluster(running.address)
    try:
        found = [(task.key, result) for task, result in cluster.results(tasks(*range(20)), squared)]
        assert (cluster.size, str(cluster)) == (2, "2 threads of Dask workers")
        with pytest.raises(ValueError, match="no 2"):
            list(cluster.results(tasks(*range(5)), failing))
        assert list(cluster.results(tasks(), squared)) == []
    finally:
        cluster.close()
    assert sorted(found, key=lambda one: int(one[0])) == [(str(one), one * one) for one in range(20)]


def test_matches_are_the_same_as_here(running: DaskCluster, tmp_path: Path) -> None:
    here = foldtable(*SIMULATE, "--workers", "1")
    there = foldtable(*SIMULATE, "--cluster", running.address)
    assert here.returncode == there.returncode == 0, there.stderr
    assert here.stdout == there.stdout
    arena = ("arena", "river_dragons", "--matches", "4", "--levels", "greedy,random", "--parquet")
    for name, words in (("here", ("--workers", "1")), ("there", ("--cluster", running.address))):
        done = foldtable(*arena, str(tmp_path / name), *words)
        assert done.returncode == 0, done.stderr
    import duckdb

    one, two = (
        duckdb.sql(f"FROM '{tmp_path}/{name}/seats.parquet'").fetchall() for name in ("here", "there")
    )
    assert one == two
    assert len(one) == 8


def test_a_worker_that_is_killed_changes_nothing(to_be_harmed: DaskCluster, tmp_path: Path) -> None:
    """Both workers have a task when one of them is killed; the other one does both."""
    cluster = Cluster(to_be_harmed.address)
    try:
        works = [(number, str(tmp_path)) for number in range(6)]
        running = cluster.results(tasks(*works), begun_and_awaited)
        killed = []

        def kill_one(task: Task[Any]) -> bool:
            begun = [*tmp_path.glob("begun-*")]
            if len(begun) >= 2 and not killed:
                to_be_harmed.workers[0].kill()
                killed.append(True)
                (tmp_path / "go").touch()
            return bool(killed)

        import threading

        watching = threading.Thread(target=wait_until, args=(lambda: kill_one(Task("", 0)), 60))
        watching.start()
        found = [result for _, result in running]
        watching.join()
    finally:
        cluster.close()
    assert killed
    assert sorted(found) == [number * number for number in range(6)]
    assert to_be_harmed.workers[0].wait(10) == -9


def test_a_scheduler_that_is_lost_ends_the_run_and_it_is_continued_elsewhere(
    to_be_harmed: DaskCluster, tmp_path: Path
) -> None:
    place = tmp_path / "results.ndjson"
    words = (
        "simulate",
        "river_dragons",
        "--matches",
        "400",
        "--seats",
        "2",
        "--json",
        "--resume",
        str(place),
    )
    with subprocess.Popen(
        [FOLDTABLE, *words, "--cluster", to_be_harmed.address],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: place.exists() and place.read_bytes().count(b"\n") > 3, 100)
        to_be_harmed.scheduler.kill()
        _, told = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "the connection to the scheduler" in told
    assert f"the same command continues {place}" in told
    assert len(told.splitlines()) == 1
    kept = place.read_bytes().count(b"\n") - 1
    assert 2 < kept < 100
    continued = foldtable(*words, "--workers", "2")
    assert continued.stdout == foldtable(*words[:-2], "--workers", "2").stdout
    assert place.read_bytes().count(b"\n") == 101


def test_a_cluster_that_cannot_be_used_is_told_in_a_line(
    running: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER_SECONDS", 1)
    with pytest.raises(ClusterUnusable, match=r"no scheduler answers at tcp://127\.0\.0\.1:1"):
        Cluster("tcp://127.0.0.1:1")
    with pytest.raises(ClusterUnusable, match="is no address of a scheduler"):
        Cluster("127.0.0.1:8786")
    with dask_cluster(tmp_path, workers=0) as empty, pytest.raises(ClusterUnusable, match="has no workers"):
        Cluster(empty.address)
    monkeypatch.setattr(cluster_module, "installed", lambda: "foldtable 0.0.1")
    other = Cluster(running.address)
    try:
        with pytest.raises(ClusterUnusable, match="the workers need the same Foldtable"):
            list(other.results(tasks(1), squared))
    finally:
        other.close()


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cluster_module, "find_spec", lambda name: None if name == "distributed" else util.find_spec(name)
    )
    with pytest.raises(ClusterUnusable, match=r"pip install 'foldtable\[cluster\]'"):
        Cluster("tcp://127.0.0.1:8786")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--workers", "2"), "leave it out with --cluster", id="workers"),
        pytest.param(("--out", "logs"), "leave it out with --cluster", id="logs"),
    ],
)
def test_what_makes_no_sense_with_a_cluster_is_said(
    running: DaskCluster, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = foldtable(*SIMULATE, "--cluster", running.address, *words, PWD=str(tmp_path))
    assert (done.returncode, said in done.stderr) == (2, True)
    assert not (tmp_path / "logs").exists()
