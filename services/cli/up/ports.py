"""Free ports on this machine."""

from __future__ import annotations

import socket
from typing import Final

LOOPBACK: Final = "127.0.0.1"
NEIGHBOURS: Final = 100
"""How many ports after the wanted one are tried."""


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Return whether a process could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # ignores closed connections of the last listener
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def port_near(wished: int) -> int:
    """Return the wanted port, or the next free one; for 0 any free port."""
    if wished == 0:
        return free_port()
    for port in range(wished, min(wished + NEIGHBOURS, 65_536)):
        if is_free(port):
            return port
    return free_port()
