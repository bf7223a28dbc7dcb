"""Processes that a test did not start itself, such as those a server starts: found by the folder they work in."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def working_in(folder: Path) -> list[int]:
    """Return the ids of all processes whose working directory is this folder, given without symbolic links."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:  # ended meanwhile, or somebody else's
            continue
    return found


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal; return False if the process has ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
