"""The faults that are kept as patches: each breaks a promise, and names the test that must notice."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PATCHES: Final = Path(__file__).with_name("patches")
HEADINGS: Final = ("Promise", "Fault", "Test")
"""The lines at the top of every patch."""
_DIFF: Final = "diff --git "


@dataclass(frozen=True)
class BrokenPromise:
    """A patch of the product."""

    path: Path
    promise: str
    """As the page of promises says it."""
    fault: str
    """What is wrong with the patch applied, in one sentence."""
    test: str
    """The id of the test that must fail: `tests/…/test_x.py::test_y`."""

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def files(self) -> list[str]:
        """The files that it changes."""
        return re.findall(r"^\+\+\+ b/(.+)$", self.path.read_text(), re.MULTILINE)


def read(path: Path) -> BrokenPromise:
    """Return what a patch says of itself. Raises ValueError if a heading is missing, or is written twice."""
    head, diff, _ = path.read_text().partition(_DIFF)
    found = [line.partition(": ") for line in head.splitlines() if line]
    if tuple(name for name, _, _ in found) != HEADINGS or not diff:
        raise ValueError(f"{path.name} has to begin with {', '.join(HEADINGS)}, and then the diff")
    promise, fault, test = (value for _, _, value in found)
    return BrokenPromise(path, promise, fault, test)


def every_patch() -> list[BrokenPromise]:
    """Return all of them, in the order of their names."""
    return [read(path) for path in sorted(PATCHES.glob("*.patch"))]


def applies(patch: BrokenPromise, root: Path) -> str:
    """Return why a patch does not fit the sources in a folder; the empty text if it does."""
    return _git_apply(root, "--check", patch.path).stderr


@contextmanager
def applied(patch: BrokenPromise, root: Path) -> Iterator[None]:
    """Break the sources in a folder, and mend them afterwards. Raises RuntimeError if the patch does not fit them."""
    _changed(root, patch.path)
    try:
        yield
    finally:
        _changed(root, "--reverse", patch.path)


def _changed(root: Path, *words: str | Path) -> None:
    done = _git_apply(root, *words)
    if done.returncode != 0:
        raise RuntimeError(f"git apply {words[-1]}: {done.stderr}")


def _git_apply(root: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "apply", *words], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
