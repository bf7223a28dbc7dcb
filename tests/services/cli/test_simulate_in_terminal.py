"""`foldtable simulate` in a terminal: its progress, and how it ends however it is ended."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.pseudo_terminal import SHOW_CURSOR, in_terminal
from tests.support.running_system import FOLDTABLE, environment, wait_until

MANY = (FOLDTABLE, "simulate", "river_dragons", "--matches", "1000000", "--workers", "2")


def children_of(pid: int) -> set[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return set(map(int, listed))


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/task").exists(), reason="looks at processes through Linux's /proc"
    ),
]


def test_a_terminal_shows_progress_rate_and_eta_and_ctrl_c_ends_it_cleanly() -> None:
    with in_terminal(*MANY, columns=110) as terminal:
        terminal.wait_for(
            lambda: re.search(r"\d+/1000000 +\d+ matches/s +eta +\d\S*", terminal.text) is not None
        )
        workers = children_of(terminal.process.pid)
        assert len(workers) == 3  # two that play, one of Python's that cleans up after them
        terminal.press("\x03")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.output
        assert re.search(r"stopped after [1-9]\d* of 1000000 matches", terminal.output)
        assert "moves per match" in terminal.output
        assert terminal.output.rfind(SHOW_CURSOR) > 0
        wait_until(lambda: not any(map(is_alive, workers)), 5)


@pytest.mark.parametrize("started", [1, 2, 3])
def test_ctrl_c_while_the_workers_are_being_started_ends_it_cleanly_too(started: int) -> None:
    with in_terminal(*MANY) as terminal:
        terminal.wait_for(lambda: len(children_of(terminal.process.pid)) >= started)
        workers = children_of(terminal.process.pid)
        terminal.press("\x03")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.output
        assert re.search(r"stopped after \d+ of 1000000 matches", terminal.text)
        wait_until(lambda: not any(map(is_alive, workers)), 5)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_starter(number: signal.Signals) -> None:
    with subprocess.Popen(
        MANY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
    ) as running:
        wait_until(lambda: len(children_of(running.pid)) == 3, 20)
        workers = children_of(running.pid)
        running.send_signal(number)
        running.wait(10)
        wait_until(lambda: not any(map(is_alive, workers)), 10)


def test_a_killed_worker_changes_nothing() -> None:
    """What it had begun is played again by another."""
    words = (FOLDTABLE, "simulate", "river_dragons", "--matches", "300", "--workers", "2", "--json")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as running:
        wait_until(lambda: len(children_of(running.pid)) == 3, 60)
        for worker in children_of(running.pid):
            command = Path(f"/proc/{worker}/cmdline").read_bytes()
            if b"spawn_main" in command:
                os.kill(worker, signal.SIGKILL)
                break
        result, told = running.communicate(timeout=200)
    assert running.returncode == 0, told
    alone = subprocess.run(words, capture_output=True, text=True, check=True, env=environment(), timeout=200)
    assert json.loads(result)["matches"] == 300
    assert result == alone.stdout


def test_without_a_terminal_there_is_no_progress_and_json_is_alone_on_standard_output() -> None:
    done = subprocess.run(
        [FOLDTABLE, "simulate", "al_rashid", "--matches", "20", "--workers", "2", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        timeout=60,
    )
    assert json.loads(done.stdout)["matches"] == 20
    assert "\x1b" not in done.stdout + done.stderr
    assert "moves/s" in done.stderr
