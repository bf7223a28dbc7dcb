"""How many files, sockets among them, this process may have open."""

from __future__ import annotations

import sys
from typing import Final

RESERVE: Final = 256
"""Beside clients' connections: channels to services, logs, libraries."""


def make_room(connections: int) -> int:
    """Raise the process's own limit to what so many connections need, as far as it may; give how many there can be.

    The usual limit is 1,024, far below what the system lets a process have that asks.
    """
    if sys.platform == "win32":
        return connections  # there is no such limit
    import resource  # noqa: PLC0415 - not everywhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - RESERVE)
