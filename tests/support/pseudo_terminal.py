"""A program in a terminal of its own: real keys go in, and what it writes comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.running_system import environment

WAIT_SECONDS = 60.0
SHOW_CURSOR = "\x1b[?25h"
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class PseudoTerminal:
    """The terminal's side of a running program. `output` is everything it has written so far."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self._bytes = b""

    @property
    def output(self) -> str:
        return self._bytes.decode(errors="replace")

    @property
    def text(self) -> str:
        """Everything it has written, without what steers the terminal."""
        return _STEERING.sub("", self.output)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, true: Callable[[], bool]) -> None:
        """Read on until something is true; AssertionError with the output after too long."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not true():
            assert time.monotonic() < deadline, self.text
            self._read(0.05)

    def end(self) -> int:
        """Read to the end and give the exit code."""
        self.wait_for(lambda: self.process.poll() is not None)
        self._read(0.05)
        return self.process.wait()

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            try:
                self._bytes += os.read(self._master, 1 << 16)
            except OSError:  # the other side is closed: nothing more will come
                time.sleep(0.01)


@contextmanager
def in_terminal(
    *words: str | Path, columns: int = 100, lines: int = 40, **variables: str
) -> Iterator[PseudoTerminal]:
    """Run a program with a terminal that is its controlling one, so that Ctrl-C and Ctrl-Z are the terminal's doing."""
    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    name = os.ttyname(slave)
    process = subprocess.Popen(
        ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>"$0"', name, *words],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment(**variables),
    )
    terminal = PseudoTerminal(process, master)
    try:
        yield terminal
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        os.close(slave)
        os.close(master)


def _environment(**variables: str) -> dict[str, str]:
    """This process's environment without variables that set another size or plain output."""
    ours = {k: v for k, v in environment().items() if k not in {"COLUMNS", "LINES", "NO_COLOR", "TERM"}}
    return {**ours, "TERM": "xterm-256color", **variables}
