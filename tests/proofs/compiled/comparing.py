"""Two copies of the sources, one of them with compiled modules, and the matches that each plays."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
PROGRAM: Final = ROOT / ".ci" / "compile_modules.py"
PLAYED: Final = Path(__file__).with_name("played.py")
COPY: Final = (
    "import sys; from pathlib import Path; import compile_modules as compiler; root, target, *modules = sys.argv[1:];"
    "compiler.copy_sources(Path(root), Path(target)); "
    "modules == ['none'] or compiler.compile_beside(Path(target), modules or None)"
)


def compile_copy(folder: Path, modules: Iterable[str] | None = None) -> None:
    """Copy the sources into a new folder and compile modules there: all that are listed, or these; none if there are none."""
    folder.mkdir()
    words = [] if modules is None else list(modules) or ["none"]
    command = [sys.executable, "-c", COPY, str(ROOT), str(folder), *words]
    environment = dict(os.environ) | {"PYTHONPATH": str(PROGRAM.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def environment_of(folder: Path) -> Mapping[str, str]:
    """Return the variables with which Python imports a copy instead of the checkout."""
    return dict(os.environ) | {"PYTHONPATH": f"{folder}{os.pathsep}{folder / 'proto' / 'gen'}"}


def played(folder: Path, matches: int) -> list[str]:
    """Return the lines of played.py with the engine of a copy: how it runs, then a digest of each match."""
    command = [sys.executable, str(PLAYED), "--matches", str(matches)]
    done = subprocess.run(
        command, cwd=folder, env=environment_of(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def differences(pure: list[str], compiled: list[str]) -> list[str]:
    """Return the compiled matches that are not as the pure ones. Raises ValueError if the two are not what they should be."""
    if (pure[0], compiled[0]) != ("pure", "compiled") or len(pure) != len(compiled):
        raise ValueError(f"these are no pure and compiled matches: {pure[0]}, {compiled[0]}")
    return [line for expected, line in zip(pure[1:], compiled[1:], strict=True) if expected != line]
