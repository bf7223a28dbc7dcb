"""Run every test in two halves at once, one for each core; with arguments, one pytest with just these.

The halves take about as long as each other. What the second prints is shown when it is done.
"""

# ruff: noqa: INP001, S603, T201 - a build script, not a package; it prints, and runs our own commands

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = (str(ROOT / ".venv" / "bin" / "pytest"),)
SECOND = (
    "tests/engine",
    "tests/migrations",
    "tests/services/embedded_postgres",
    "tests/services/movelog",
    "tests/services/platform",
    "tests/services/webhooks",
)
FIRST = ("tests", *(f"--ignore={folder}" for folder in SECOND), "-m", "not conformance")


def main() -> int:
    """Give 0 if everything is green."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "pytest", nargs=argparse.REMAINDER, help="arguments of pytest, such as: tests/gateway -k moves"
    )
    wanted = parser.parse_args().pytest
    if wanted:
        return subprocess.call([*PYTEST, *wanted], cwd=ROOT)
    with tempfile.TemporaryFile("w+") as output:
        print(f"== {' '.join(SECOND)} (shown when they are done)", flush=True)
        second = subprocess.Popen([*PYTEST, *SECOND], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        try:
            print("== all other tests", flush=True)
            first = subprocess.call([*PYTEST, *FIRST], cwd=ROOT)
            result = second.wait()
        finally:
            if second.poll() is None:
                second.terminate()
                second.wait()
        output.seek(0)
        print(f"== {' '.join(SECOND)}", flush=True)
        print(output.read(), flush=True)
    return first or result


if __name__ == "__main__":
    sys.exit(main())
