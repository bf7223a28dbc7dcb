"""The limit of open files of this process, sockets included."""

from __future__ import annotations

import sys
from typing import Final

RESERVE: Final = 256
"""Files needed besides clients' connections: channels to services, logs, libraries."""


def make_room(connections: int) -> int:
    """Raise the process's limit to what this many connections need, as far as allowed; return how many are possible.

    The usual limit is 1,024, far below what the system allows a process that asks for more.
    """
    if sys.platform == "win32":
        return connections  # this platform has no such limit
    import resource  # noqa: PLC0415 - not on every platform

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - RESERVE)
