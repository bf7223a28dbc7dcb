"""Carrying out the tasks of a run that may have been begun before."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TypeVar

from services.batch.journal import Journal
from services.batch.tasks import Executor, Task

W = TypeVar("W")
R = TypeVar("R")


def results(
    executor: Executor, tasks: Iterator[Task[W]], do: Callable[[W], R], journal: Journal[R] | None = None
) -> Generator[tuple[str, R], None, None]:
    """Yield the key and the result of every task: first those that the journal holds, then the others as they are done.

    A result is in the journal before it is yielded. Raises what `Executor.results` raises, and OSError.
    """
    if journal is not None:
        yield from journal.results()
        finished = frozenset(journal.finished)
        tasks = (task for task in tasks if task.key not in finished)
    with closing(executor.results(tasks, do)) as done:
        for task, result in done:
            if journal is not None:
                journal.add(task.key, result)
            yield task.key, result
