"""The gateway makes room for the connections it may have, and has no more than there is room for."""

from __future__ import annotations

import subprocess
import sys

ASK = """
import resource, sys
from gateway.server.open_files import make_room
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
print(make_room(int(sys.argv[3])), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def room(soft: int, hard: int, connections: int) -> tuple[int, int]:
    """Ask in a process of its own: a limit once lowered stays low."""
    words = [sys.executable, "-c", ASK, *map(str, (soft, hard, connections))]
    granted, limit = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return int(granted), int(limit)


def test_a_low_limit_is_raised_as_far_as_is_needed() -> None:
    assert room(512, 4_000, 2_000) == (2_000, 2_256)


def test_where_it_may_not_be_raised_so_far_there_are_fewer_connections() -> None:
    assert room(512, 1_000, 2_000) == (744, 1_000)


def test_a_limit_that_is_high_enough_stays() -> None:
    assert room(3_000, 4_000, 2_000) == (2_000, 3_000)
