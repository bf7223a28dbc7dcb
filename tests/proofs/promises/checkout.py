"""A copy of the sources that may be broken, and the tests that run there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
SECONDS: Final = 300
"""How long one test may take, its fixtures included."""
FAILED: Final = 1
"""pytest's exit code where tests failed; other numbers mean that it could not run them."""
TOO_LONG: Final = -1
"""The code of what was ended because it took too long."""
_NO_SETTINGS: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Outcome:
    """The result of a test."""

    code: int
    output: str
    """Its summary is the last line."""
    seconds: float

    @property
    def is_red(self) -> bool:
        """Whether the test ran and failed."""
        return self.code == FAILED and " failed" in self._summary and " error" not in self._summary

    @property
    def is_green(self) -> bool:
        """Whether the test ran and passed."""
        return self.code == 0 and " passed" in self._summary

    @property
    def _summary(self) -> str:
        return (self.output.splitlines() or [""])[-1]


@contextmanager
def copy_of_the_sources() -> Iterator[Path]:
    """Give a copy of all tracked files as they are now, with the stubs that were built."""
    with tempfile.TemporaryDirectory() as workplace:
        place = Path(workplace)
        place.chmod(0o755)  # run as root, Postgres becomes another user, who must get here
        copy = place / "foldtable"
        names = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60
        ).stdout
        for name in filter(None, os.fsdecode(names).split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        shutil.copytree(ROOT / "proto" / "gen", copy / "proto" / "gen", dirs_exist_ok=True)
        yield copy


def variables(copy: Path) -> dict[str, str]:
    """Return what makes Python import what is in a copy of the sources, in processes that a test starts too."""
    paths = (copy, copy / "proto" / "gen", copy / "clients" / "python" / "src")
    return {"PYTHONPATH": os.pathsep.join(map(str, paths))}


def run_test(test: str, copy: Path) -> Outcome:
    """Run one test in a copy of the sources, with this environment's libraries."""
    return run_tests(copy, test)


def run_tests(
    copy: Path, *words: str, seconds: float = SECONDS, settings: Mapping[str, str] = _NO_SETTINGS
) -> Outcome:
    """Call pytest in a copy of the sources. What it has started ends with it where it takes too long.

    `settings` are more variables of its environment.
    """
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *words]
    began = time.monotonic()
    with tempfile.TemporaryFile(
        "w+", errors="replace"
    ) as output:  # no pipe: others may hold its end open for a while
        process = subprocess.Popen(
            command,
            cwd=copy,
            env={**os.environ, **variables(copy), **settings},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired as problem:
            output.write(f"\nnot within {seconds:.0f} s: {problem.cmd}")
            code = TOO_LONG
        finally:
            _end_group(process)
        output.seek(0)
        return Outcome(code, output.read(), time.monotonic() - began)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process, if it has not ended, and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
