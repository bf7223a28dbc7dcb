"""Processes that play many matches are started as a whole, whenever Ctrl-C arrives."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from services.batch.processes import Processes
from services.batch.tasks import Task

pytestmark = pytest.mark.slow


def test_ctrl_c_that_another_thread_receives_waits_until_all_workers_are_started() -> None:
    """A thread that draws the progress does; a worker whose start is interrupted prints a traceback."""
    taken = []
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()

    def work() -> Iterator[Task[int]]:
        for number in range(4):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)  # long enough for Python to interrupt, if it were to
            taken.append(number)
            yield Task(str(number), number)

    handler = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(Processes(2).results(work(), abs))
    finally:
        ended.set()
        other.join()
    assert taken == [0, 1, 2, 3]
    assert signal.getsignal(signal.SIGINT) is handler
