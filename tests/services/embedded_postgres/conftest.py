"""A way to be somebody else for a while, and short words about rows."""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

NOBODY = 65534


@pytest.fixture
def as_nobody() -> Callable[[Callable[[], Any]], Any]:
    """Run a function in a child process that has given up root for user and group 65534; give what it returns.

    A fork and not a new interpreter, because Python itself may lie where that user cannot read.
    """
    return _as_nobody


def _as_nobody(work: Callable[[], Any]) -> Any:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            answer = (True, work())
        except BaseException:  # noqa: BLE001 - the parent is told
            answer = (False, traceback.format_exc())
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        succeeded, answer = pickle.load(pipe)
    os.waitpid(child, 0)
    assert succeeded, answer
    return answer


@pytest.fixture
def write_row() -> Callable[[str, str], None]:
    def write(url: str, text: str) -> None:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS notes (text text)")
            connection.execute("INSERT INTO notes VALUES (%s)", (text,))

    return write


@pytest.fixture
def read_rows() -> Callable[[str], list[str]]:
    def read(url: str) -> list[str]:
        with psycopg.connect(url) as connection:
            return [text for (text,) in connection.execute("SELECT text FROM notes")]

    return read
