"""Run every test, in three parts at once; with arguments, one pytest with just these.

The parts take about as long as each other. There are more of them than cores of a small machine: much of what the
tests of whole processes do is waiting. What the second and the third print is shown when they are done.
"""

# ruff: noqa: S603 - a build script, not a package; it prints, and runs our own commands

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = (str(ROOT / ".venv" / "bin" / "pytest"),)


def without(*folders: str) -> tuple[str, ...]:
    return tuple(f"--ignore={folder}" for folder in folders)


SERVICES = ("tests/clients", "tests/proofs", "tests/services")
"""What is in the third part is not in the second."""
ENGINE_AND_LOG = (
    "tests/engine",
    "tests/kit",
    "tests/migrations",
    "tests/outside",
    "tests/services/audit",
    "tests/services/embedded_postgres",
    "tests/services/movelog",
    "tests/services/platform",
    "tests/services/webhooks",
)
PARTS = (
    ("tests", *without(*SERVICES, *ENGINE_AND_LOG), "-m", "not conformance"),
    (*SERVICES, *without(*ENGINE_AND_LOG)),
    ENGINE_AND_LOG,
)


def main() -> int:
    """Return 0 if everything is green."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "pytest", nargs=argparse.REMAINDER, help="arguments of pytest, such as: tests/gateway -k moves"
    )
    wanted = parser.parse_args().pytest
    if wanted:
        return subprocess.call([*PYTEST, *wanted], cwd=ROOT)
    return 1 if any(list(results())) else 0  # all of them, whatever the first says


def results() -> Iterator[int]:
    """Run the parts; give the exit code of each, when it has been shown what it printed."""
    shown, *others = PARTS
    with ExitStack() as stack:
        running = []
        for part in others:
            output = stack.enter_context(tempfile.TemporaryFile("w+"))
            print(f"== {' '.join(part)} (shown when it is done)", flush=True)
            started = subprocess.Popen([*PYTEST, *part], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
            stack.callback(stop, started)
            running.append((part, started, output))
        print("== all other tests", flush=True)
        yield subprocess.call([*PYTEST, *shown], cwd=ROOT)
        for part, started, output in running:
            code = started.wait()
            output.seek(0)
            print(f"== {' '.join(part)}", output.read(), sep="\n", flush=True)
            yield code


def stop(process: subprocess.Popen[str]) -> None:
    """End a part that nobody waits for any more."""
    if process.poll() is None:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
