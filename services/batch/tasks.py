"""A piece of work, and what executes it.

Every executor calls the same function with the same values, so results depend on neither the executor nor the number of its
workers. A task whose worker was killed is done again. Each result is delivered once, in the order in which they are ready.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Generic, Protocol, TypeVar

import msgspec

W = TypeVar("W")
R = TypeVar("R")

QUEUED_PER_WORKER = 2
"""Tasks submitted ahead, so that no worker waits for the next one."""
MAX_KILLED = 3
"""Workers killed one after the other, while no task is finished, before the run gives up."""


class Task(msgspec.Struct, Generic[W], frozen=True):
    """A piece of work. A task may be done twice, so it must change nothing outside its result."""

    key: str
    """Names the task within its run, also in a later run that continues it."""
    work: W

    def __repr__(self) -> str:
        """Return a text without the work: clusters show and log what their tasks are called with."""
        return f"Task({self.key})"


class WorkersKilled(Exception):  # noqa: N818 - the name says what happened
    """Workers were killed again and again, and no task was finished meanwhile."""


class ClusterUnusable(Exception):  # noqa: N818 - the name says what happened
    """A cluster does not answer, has no workers, or has other programs than this process. The message says which."""


class Executor(Protocol):
    """Carries out tasks."""

    @property
    def size(self) -> int:
        """Return how many tasks are carried out at the same time."""
        ...

    @property
    def is_remote(self) -> bool:
        """Return whether tasks are carried out elsewhere, so that their arguments and errors may be seen by others."""
        ...

    def __str__(self) -> str:
        """Return what the work is done by, as text, such as `2 processes`."""
        ...

    def results(
        self, tasks: Iterator[Task[W]], do: Callable[[W], R]
    ) -> Generator[tuple[Task[W], R], None, None]:
        """Yield every task with its result. Raises what `do` raises, WorkersKilled, and ClusterUnusable.

        `do` is a function at the top level of a module. Closing the generator ends the work.
        """
        ...
