"""Finds the running server by its pid file, checks that it is ours, watches and ends it.

A process id alone proves nothing: after a crash or a reboot it may belong to any program. A process counts as our server
only if it works in our data folder, and only then is it ever sent a signal.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from services.embedded_postgres.errors import StartFailed

PID_LINE: Final = 0
STATUS_LINE: Final = 7
POLL_SECONDS: Final = 0.005
FAST_SECONDS: Final = 60.0
"""How long a fast shutdown may take, which writes a checkpoint."""
IMMEDIATE_SECONDS: Final = 10.0
ORPHAN_SECONDS: Final = 10.0


def pid_file(data: Path) -> Path:
    return data / "postmaster.pid"


def _lines(data: Path) -> list[str]:
    try:
        return pid_file(data).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []


def stated_pid(data: Path) -> int | None:
    """Return the process id in the pid file, even if another program has it now."""
    lines = _lines(data)
    return int(lines[PID_LINE]) if lines and lines[PID_LINE].strip().isdecimal() else None


def running_pid(data: Path) -> int | None:
    """Return the process id of the server that runs on this data folder, or None."""
    pid = stated_pid(data)
    return pid if pid is not None and _works_in(pid, data) else None


def is_ready(data: Path) -> bool:
    """Return whether the server accepts connections, according to its pid file."""
    lines = _lines(data)
    return len(lines) > STATUS_LINE and lines[STATUS_LINE].strip() == "ready"


def started_with(data: Path, arguments: tuple[str, ...]) -> bool:
    """Return whether the server was last started with these arguments, which Postgres keeps in a file."""
    try:
        options = (data / "postmaster.opts").read_text(errors="replace")
    except FileNotFoundError:
        return False
    return options.rstrip("\n").endswith("".join(f' "{argument}"' for argument in arguments))


def stop(data: Path, pid: int, reap: Callable[[], object]) -> None:
    """End the server with a fast shutdown, and if that takes too long with an immediate one. Neither loses committed data.

    `reap` collects the process if it is our child; it is called while waiting. Raises StartFailed if the server does not end.
    """
    for sign, seconds in ((signal.SIGINT, FAST_SECONDS), (signal.SIGQUIT, IMMEDIATE_SECONDS)):
        if not _works_in(pid, data):
            return
        os.kill(pid, sign)
        if _wait_until(lambda: (reap(), not _works_in(pid, data))[1], seconds):
            return
    raise StartFailed(f"the server with process id {pid} does not end; end it by hand")


def clear_stale_pid_file(data: Path) -> None:
    """Remove a pid file whose process id now belongs to another program.

    Postgres itself removes a pid file whose process has ended, but takes any living process for a server. The file
    also protects against processes that survive a killed server, so wait for these first.
    Raises StartFailed if they do not end.
    """
    pid = stated_pid(data)
    if pid is None or _works_in(pid, data):
        return
    if not _wait_until(lambda: not _survivors(data), ORPHAN_SECONDS):
        raise StartFailed(f"processes of a killed server are still at work on {data}; end them by hand")
    if _alive(pid):
        pid_file(data).unlink(missing_ok=True)


def _survivors(data: Path) -> list[int]:
    if not Path("/proc/self/cwd").exists():  # not Linux: rely on Postgres's own check
        return []
    processes = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return [pid for pid in processes if _works_in(pid, data)]


def _works_in(pid: int, data: Path) -> bool:
    """Return whether this is a living process that works in our data folder, which is a server's working directory."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == data
    except PermissionError:
        return False
    except FileNotFoundError:
        if Path("/proc/self/cwd").exists():
            return False
    return f"-D {data} " in _command_line(pid)


def _command_line(pid: int) -> str:
    """Return a process's command line according to `ps`, for systems without /proc."""
    asked = subprocess.run(  # noqa: S603 - a number is the only argument
        ("/bin/ps", "-ww", "-o", "command=", "-p", str(pid)), capture_output=True, text=True, check=False
    )
    return asked.stdout


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _wait_until(true: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
