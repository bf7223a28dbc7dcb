"""A Dask cluster of real processes on loopback: a scheduler and workers, each with one thread."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.running_system import environment, wait_until

_SCHEDULER = (
    *(sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
    *("--no-dashboard", "--no-jupyter", "--scheduler-file"),
)
_WORKER = (
    *(sys.executable, "-m", "distributed.cli.dask_worker", "--host", "127.0.0.1", "--nthreads", "1"),
    *("--no-nanny", "--no-dashboard", "--memory-limit", "0", "--scheduler-file"),
)


@dataclass
class DaskCluster:
    """The processes of a cluster, and what they write."""

    address: str
    folder: Path
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def logs(self) -> str:
        """Return everything that scheduler and workers have written."""
        return "".join(log.read_text() for log in sorted(self.folder.glob("*.log")))


@contextmanager
def dask_cluster(
    folder: Path, *, workers: int = 2, extra: Mapping[str, str] | None = None
) -> Iterator[DaskCluster]:
    """Run a cluster until the end; `extra` is for the environment of its workers."""
    place = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler = stack.enter_context(_running((*_SCHEDULER, str(place)), folder, "scheduler"))
        wait_until(lambda: place.exists() and place.read_text().endswith("}"), 60)
        cluster = DaskCluster(json.loads(place.read_text())["address"], folder, scheduler)
        for number in range(workers):
            command = (*_WORKER, str(place), "--name", f"worker-{number}")
            cluster.workers.append(
                stack.enter_context(_running(command, folder, f"worker-{number}", extra or {}))
            )
        wait_until(lambda: cluster.logs().count("Registered to:") == workers, 60)
        yield cluster


@contextmanager
def _running(
    command: Sequence[str], folder: Path, name: str, extra: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    env = {**environment(), "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info", **(extra or {})}
    with (
        (folder / f"{name}.log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=folder) as process,
    ):
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
