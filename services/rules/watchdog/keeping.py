"""Starts the watchdog of this process, and another one if it ends."""

from __future__ import annotations

import asyncio
import ctypes
import json
import subprocess
import sys
from contextlib import suppress
from typing import Final

import structlog

from services.process.ending import end
from services.process.structured_logs import LogFormat
from services.rules.watchdog.guarded import WATCHED_HERE
from services.rules.watchdog.watching import END_SIGNAL

BEAT_SECONDS: Final = 0.5
AGAIN_SECONDS: Final = 5.0

_log: Final = structlog.get_logger("foldtable.rules")


class WatchdogKeeper:
    """The watchdog of this process. Begin it once the games are known, and before anybody calls them."""

    def __init__(
        self,
        seconds: float,
        *,
        distributions: dict[str, str],
        database_url: str,
        log_level: str,
        log_format: LogFormat,
    ) -> None:
        """`seconds`: the processor time that a call of the rules may take. `distributions`: who brings each game."""
        self._told = {
            "seconds": seconds,
            "distributions": distributions,
            "database_url": database_url,
            "log_level": log_level,
            "log_format": log_format.value,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the watchdog."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the watchdog."""
        end_at_once_on_signal()
        self._spawn()
        WATCHED_HERE.marks.beat()
        self._keeping = asyncio.create_task(self._keep(), name="watchdog")

    async def stop(self) -> None:
        """End the watchdog."""
        await end(self._keeping)
        if self._process is not None:
            assert self._process.stdin is not None
            with suppress(OSError):
                self._process.stdin.close()
            self._process.wait()

    async def _keep(self) -> None:
        marks = WATCHED_HERE.marks
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            marks.beat()
            if self._process is not None and self._process.poll() is not None:
                _log.error("the watchdog has ended; another one is started", code=self._process.returncode)
                await asyncio.sleep(AGAIN_SECONDS)
                self._spawn()

    def _spawn(self) -> None:
        file = WATCHED_HERE.marks.file
        self._process = process = subprocess.Popen(  # noqa: S603 - the program is this one
            [sys.executable, "-m", "services.rules.watchdog.watching", str(file)],
            stdin=subprocess.PIPE,  # closed by the end of this process, whatever it was
            stdout=subprocess.DEVNULL,
            pass_fds=(file,),
        )
        assert process.stdin is not None
        told = {**self._told, "functions": WATCHED_HERE.functions}
        with suppress(BrokenPipeError):  # it has ended already: `_keep` sees it
            process.stdin.write(json.dumps(told).encode() + b"\n")
            process.stdin.flush()


def end_at_once_on_signal() -> None:
    """End this process at once when the watchdog's signal comes, with the signal's number as its exit code.

    No Python function can do that: it would wait for the interpreter's lock. And the first process of a container, which a
    server may be, ignores signals that nothing handles. So the C library's own `_exit` handles it.
    """
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    libc.signal.restype = ctypes.c_void_p
    libc.signal(END_SIGNAL, ctypes.cast(libc._exit, ctypes.c_void_p))  # noqa: SLF001 - the function's name in C
