"""The processes that play many matches: started and stopped cleanly, and never left behind.

They are spawned, not forked, so they share nothing with this process. Only this process handles
Ctrl-C: it reaches every process of the terminal, and a worker that handled it would print a traceback.
So would one that was started and then never told what it is: this process handles it when all are started.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection, get_context, parent_process, resource_tracker
from typing import Final, TypeVar

B = TypeVar("B")
"""A batch of matches."""
R = TypeVar("R")
"""The result of a batch."""

QUEUED_PER_WORKER: Final = 2
"""Batches submitted ahead, so that no worker waits for the next one."""


def played(work: Iterator[B], workers: int, play: Callable[[B], R]) -> Generator[R, None, None]:
    """Play batches, in this process or in several; yield the result of each when it is done.

    Raises what `play` raises, and BrokenProcessPool when a worker was killed.
    """
    if workers == 1:
        for batch in work:  # not map(): a StopIteration out of `play` would end it like the last batch
            yield play(batch)
        return
    with _interrupted_afterwards():  # until the first batch, a pool has no processes to stop
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_starter)
    try:
        with _interrupted_afterwards():
            waiting = _submitted(pool, play, islice(work, workers * QUEUED_PER_WORKER))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= _submitted(pool, play, islice(work, len(done)))
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, play: Callable[[B], R], work: Iterator[B]) -> set[Future[R]]:
    return {pool.submit(play, batch) for batch in work}


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
