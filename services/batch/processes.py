"""Processes of this machine that carry out tasks: started and stopped cleanly, and never left behind.

They are spawned, not forked, so they share nothing with this process. Only this process handles
Ctrl-C: it reaches every process of the terminal, and a worker that handled it would print a traceback.
So would one that was started and then never told what it is: this process handles it when all are started.

When one process is killed, the whole pool ends, and nothing tells whose task it was. So all unfinished tasks are done again,
by a new pool.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import connection, get_context, parent_process, resource_tracker
from typing import TypeVar

from services.batch.tasks import MAX_KILLED, QUEUED_PER_WORKER, Task, WorkersKilled

W = TypeVar("W")
R = TypeVar("R")


class Processes:
    """Executes tasks in processes of its own, or, if it is to be a single one, in this process."""

    is_remote = False

    def __init__(self, number: int) -> None:
        """`number`: of processes; 0 for one per core."""
        self.size = number or os.cpu_count() or 1

    def __str__(self) -> str:
        return "1 process" if self.size == 1 else f"{self.size} processes"

    def results(
        self, tasks: Iterator[Task[W]], do: Callable[[W], R]
    ) -> Generator[tuple[Task[W], R], None, None]:
        """Yield every task with its result, as `Executor` says."""
        if self.size == 1:
            for task in tasks:  # not map(): a StopIteration out of `do` would end it like the last task
                yield task, do(task.work)
            return
        unfinished: dict[str, Task[W]] = {}
        killed = 0
        while killed < MAX_KILLED:
            try:
                for task, result in _in_a_pool(self.size, tasks, do, unfinished):
                    killed = 0
                    yield task, result
            except BrokenProcessPool:
                killed += 1
            else:
                return
        raise WorkersKilled("workers were killed again and again; fewer --workers need less memory")


def _in_a_pool(
    size: int, tasks: Iterator[Task[W]], do: Callable[[W], R], unfinished: dict[str, Task[W]]
) -> Generator[tuple[Task[W], R], None, None]:
    """Do the unfinished tasks and all others; yield their results. Raises BrokenProcessPool when a process was killed.

    `unfinished` always holds the tasks that were taken and have no result, by their keys.
    """
    coming = chain(tuple(unfinished.values()), tasks)
    futures: dict[Future[R], Task[W]] = {}
    with _interrupted_afterwards():  # until the first task, a pool has no processes to stop
        pool = ProcessPoolExecutor(size, mp_context=get_context("spawn"), initializer=end_with_starter)

    def submit(number: int) -> None:
        for task in islice(coming, number):
            unfinished[task.key] = task
            futures[pool.submit(do, task.work)] = task

    try:
        with _interrupted_afterwards():
            submit(size * QUEUED_PER_WORKER)
        while futures:
            done, _ = wait(futures, return_when=FIRST_COMPLETED)
            submit(len(done))
            for future in done:
                result = future.result()
                task = futures.pop(future)
                del unfinished[task.key]
                yield task, result
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupted_afterwards() -> Iterator[None]:
    """Let Ctrl-C wait while processes are started: here until they are, in them as long as they live.

    They inherit that it is blocked. Here that is not enough: another thread, such as the one that draws the progress,
    may receive the signal, and Python then interrupts the main thread whatever that blocks.
    """
    received: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        resource_tracker.ensure_running()  # else the first process starts it, which unblocks the signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, handler)
    if received and callable(handler):
        handler(received[0], None)


def end_with_starter() -> None:
    """End this worker when its starter has ended, even by kill -9."""
    starter = parent_process()
    if starter is not None:
        threading.Thread(target=_wait_for_the_end_of, args=(starter.sentinel,), daemon=True).start()


def _wait_for_the_end_of(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
