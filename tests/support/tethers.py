"""Ends what tests have started when the tests are killed and can stop nothing themselves."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def tethered(pid: int) -> Iterator[None]:
    """Have a process interrupted as soon as this one has gone: the other end of the shell's input is ours alone."""
    script = f"cat; kill -INT {pid}"
    with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, start_new_session=True) as tether:
        try:
            yield
        finally:
            tether.kill()
