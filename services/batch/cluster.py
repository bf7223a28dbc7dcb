"""A Dask cluster that carries out tasks, by its scheduler's address. Dask comes with the extra `cluster`.

A scheduler gives the tasks of a worker that is lost to others. What others see of a task, on the dashboard and in the logs
of workers, is the name of the command and the task's key.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, TypeVar
from uuid import uuid4

from services.batch.installation import installed
from services.batch.tasks import QUEUED_PER_WORKER, ClusterUnusable, Task, WorkersKilled

W = TypeVar("W")
R = TypeVar("R")

ANSWER_SECONDS: Final = 10
"""How long a scheduler may take to answer, and then how long there may be no worker."""
COUNTED_SECONDS: Final = 5.0
"""How long a count of the workers is good for: they may come and go during a run."""
SCHEMES: Final = ("tcp://", "tls://")


class WrongInstallation(Exception):  # noqa: N818 - the name says what happened
    """A worker has another release of Foldtable, or other rules, than the process that gave it the task."""


class Cluster:
    """Executes tasks on the workers of a Dask scheduler. `with` ends the connection."""

    is_remote = True

    def __init__(self, address: str) -> None:
        """Connect to a scheduler, such as `tcp://10.0.0.5:8786`. Raises ClusterUnusable."""
        if not address.startswith(SCHEMES):
            raise ClusterUnusable(
                f"{address} is no address of a scheduler, such as tcp://10.0.0.5:8786 or tls://…"
            )
        if find_spec("distributed") is None:
            raise ClusterUnusable("a cluster needs Dask: pip install 'foldtable[cluster]'")
        self._address = address
        self._size = 1
        self._counted_until = 0.0
        self._dask: Any = import_module("distributed")
        for name in ("distributed.client", "distributed.core", "distributed.utils"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what they would log, we report in a sentence
        try:
            self._client = self._dask.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise ClusterUnusable(f"no scheduler answers at {address}: {type(problem).__name__}") from None
        try:
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except (OSError, TimeoutError):
            self.close()
            raise ClusterUnusable(f"the scheduler at {address} has no workers") from None

    @property
    def size(self) -> int:
        """Return the number of threads of all workers, as it was a few seconds ago. Raises OSError."""
        if time.monotonic() >= self._counted_until:
            self._size = max(1, sum(map(int, self._client.nthreads().values())))
            self._counted_until = time.monotonic() + COUNTED_SECONDS
        return self._size

    def __str__(self) -> str:
        return f"{self.size} thread{'' if self.size == 1 else 's'} of Dask workers"

    def close(self) -> None:
        """End the connection; the cluster remains."""
        with suppress(OSError, TimeoutError):
            self._client.close()

    def results(
        self, tasks: Iterator[Task[W]], do: Callable[[W], R]
    ) -> Generator[tuple[Task[W], R], None, None]:
        """Yield every task with its result, as `Executor` says."""
        run = f"foldtable-{do.__name__}-{uuid4().hex[:8]}"  # a scheduler keeps results by name, also those of other runs
        named = f"{do.__module__}:{do.__qualname__}"  # a worker looks it up once it has compared the releases
        waiting: dict[Any, Task[W]] = {}

        def submit(number: int) -> list[Any]:
            new = {
                self._client.submit(
                    carry_out, installed(), named, task, key=f"{run}-{task.key}", pure=False
                ): task
                for task in islice(tasks, number)
            }
            waiting.update(new)
            return list(new)

        try:
            first = submit(self.size * QUEUED_PER_WORKER)
            ready = self._dask.as_completed(first, loop=self._client.loop)
            for future in ready:
                for one in submit(max(1, self.size * QUEUED_PER_WORKER + 1 - len(waiting))):
                    ready.add(one)
                result = self._result_of(future)
                yield waiting.pop(future), result
        except OSError as problem:
            raise self._lost(problem) from None
        finally:
            with suppress(OSError, TimeoutError):
                self._client.cancel(list(waiting))

    def _result_of(self, future: Any) -> Any:
        try:
            return future.result()
        except self._dask.KilledWorker:
            raise WorkersKilled("workers of the cluster were killed again and again") from None
        except (WrongInstallation, ModuleNotFoundError) as problem:
            raise ClusterUnusable(f"the workers need the same Foldtable as this process: {problem}") from None
        except self._dask.client.FutureCancelledError as problem:
            raise self._lost(problem) from None

    def _lost(self, problem: Exception) -> ClusterUnusable:
        return ClusterUnusable(
            f"the connection to the scheduler at {self._address} was lost: {type(problem).__name__}"
        )


def carry_out(needs: str, named: str, task: Task[Any]) -> Any:
    """Carry out a task on a worker, by a function `module:name`. Raises WrongInstallation, and what the function raises."""
    if needs != installed():
        raise WrongInstallation(f"it has {needs}, a worker has {installed()}")
    module, _, name = named.partition(":")
    return getattr(import_module(module), name)(task.work)
