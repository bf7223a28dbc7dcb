"""One process that is kept running: started, polled until it is ready, restarted when it ends, stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from services.rules.watchdog.watching import END_SIGNAL

READY_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.05
FIRST_PAUSE: Final = 0.1
MAX_PAUSE: Final = 10.0
STEADY_SECONDS: Final = 30.0
"""A process that ran this long has recovered: the pause before its next restart is short again."""
NOT_PASSED_ON: Final = "FOLDTABLE_TLS_"
LOG_TAIL: Final = 2_000
"""Most bytes of the log shown when a process does not start."""


class ChildFailed(Exception):  # noqa: N818 - the name says what happened
    """A process did not become ready; the end of its log is in the message."""


class Child:
    """A Python module in a process of its own, with a log file."""

    def __init__(
        self,
        name: str,
        module: str,
        *,
        address: str,
        environment: Mapping[str, str],
        log: Path,
        ready: Callable[[], Awaitable[bool]],
        say: Callable[[str], None],
        grace_seconds: float,
    ) -> None:
        """`grace_seconds`: how long the process may take to stop before it is killed."""
        self.name = name
        self.address = address
        self._command = (sys.executable, "-m", "services.cli.up.tether", module)
        self._environment = environment
        self._log = log
        self._ready = ready
        self._say = say
        self._grace_seconds = grace_seconds
        self._process: Process | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """Return the process id, or None if it does not run."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and running else None

    async def start(self) -> None:
        """Start the process and wait until it is ready. Raises ChildFailed."""
        process, start_of_log = await self._spawn()
        deadline = time.monotonic() + READY_SECONDS
        while not await self._ready():
            if process.returncode is not None:
                raise ChildFailed(
                    f"{self.name} {ended(process.returncode)} before it was ready:\n{self._tail(start_of_log)}"
                )
            if time.monotonic() > deadline:
                raise ChildFailed(
                    f"{self.name} is not ready after {READY_SECONDS:.0f} s:\n{self._tail(start_of_log)}"
                )
            await asyncio.sleep(POLL_SECONDS)

    async def keep(self, started_again: Callable[[], None]) -> None:
        """Restart the process whenever it ends, with growing pauses; return once it is being stopped."""
        pause = FIRST_PAUSE
        while self._process is not None:
            since = time.monotonic()
            code = await self._process.wait()
            if self._stopping:
                return
            if time.monotonic() - since > STEADY_SECONDS:
                pause = FIRST_PAUSE
            self._say(f"{self.name} {ended(code)}; starting it again in {pause:.1f} s")
            await asyncio.sleep(pause)
            pause = min(pause * 2, MAX_PAUSE)
            try:
                await self.start()
            except ChildFailed as problem:
                self._say(str(problem))
                continue
            self._say(f"{self.name} is ready again (process {self.pid})")
            started_again()

    async def stop(self) -> None:
        """Ask the process to stop; kill it if it takes too long."""
        self._stopping = True
        if self._process is None or self._process.returncode is not None:
            return
        self._process.terminate()
        try:
            await asyncio.wait_for(self._process.wait(), self._grace_seconds)
        except TimeoutError:
            self._say(f"{self.name} did not stop within {self._grace_seconds:.0f} s; killing it")
            self._process.kill()
            await self._process.wait()

    async def _spawn(self) -> tuple[Process, int]:
        """Start the process in a session of its own, so that Ctrl-C reaches us and not it."""
        with self._log.open("ab") as log:
            start_of_log = log.tell()
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=PIPE,  # held open as long as this process lives, see tether.py
                stdout=log,
                stderr=log,
                env={**_ours(), **self._environment},
                start_new_session=True,
            )
        return self._process, start_of_log

    def _tail(self, start: int) -> str:
        return log_tail(self._log, start)


def _ours() -> dict[str, str]:
    """Return this process's environment without TLS settings: on one machine everything listens on loopback, without TLS."""
    return {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}


def ended(code: int) -> str:
    """Return a text that says how a process ended."""
    if code == END_SIGNAL:
        return "stopped a call of a game that did not return"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def log_tail(log: Path, start: int = 0) -> str:
    """Return the end of a log, from `start` at the earliest."""
    with log.open("rb") as lines:
        end = lines.seek(0, os.SEEK_END)
        lines.seek(max(start, end - LOG_TAIL))
        return lines.read().decode(errors="replace").strip() or "(its log is empty)"


async def run_once(name: str, module: str, *, environment: Mapping[str, str], log: Path) -> None:
    """Run a module to its end. Raises ChildFailed unless it succeeds."""
    with log.open("ab") as output:
        start_of_log = output.tell()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **environment},
        )
        code = await process.wait()
    if code != 0:
        raise ChildFailed(f"{name} {ended(code)}:\n{log_tail(log, start_of_log)}")
