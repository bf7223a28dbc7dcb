"""Programs that use the Python client, each in a process of its own. For tests; used by name."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support.ended_calls import PATIENT_SECONDS


def printed_by(program: str, address: str, *options: str) -> str:
    """Return what a program prints that is given an address, with options of Python; it must end by itself, and complain of nothing."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program, address],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=PATIENT_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
