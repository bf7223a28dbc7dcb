"""Work for tests of executors, in a module that workers can import: each task may wait for what happens meanwhile."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def squared(number: int) -> int:
    return number * number


def killed_once(work: tuple[int, str]) -> int:
    """Kill the worker the first time, and give a result the second time."""
    number, place = work
    mark = Path(place) / "killed"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def killed_now_and_then(work: tuple[int, str]) -> int:
    """Kill the worker at every fourth task, the first time."""
    number, place = work
    mark = Path(place) / f"killed-{number}"
    if number % 4 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def killed_always(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("it is dead")


def failing(number: int) -> int:
    if number == 2:
        raise ValueError(f"no {number}")
    return number


def begun_and_awaited(work: tuple[int, str]) -> int:
    """Say that the task has begun, and wait until it may go on."""
    number, place = work
    (Path(place) / f"begun-{number}").touch()
    while not (Path(place) / "go").exists():
        time.sleep(0.02)
    return number * number
