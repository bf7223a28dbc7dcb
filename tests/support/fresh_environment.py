"""A Python environment without this repository: a wheel of Foldtable, built as a release would be, and other people's packages.

Libraries are linked from the environment of the tests, in the versions of constraints.txt: installing 300 MB again would prove
nothing more. Everything of ours is there only as far as the wheel carries it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

from tests.support.hermetic import cleaned

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 200


@dataclass(frozen=True)
class Environment:
    """An environment in a folder, and a working folder outside of every checkout."""

    folder: Path
    work: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def foldtable(self) -> Path:
        return self.folder / "bin" / "foldtable"

    @property
    def variables(self) -> dict[str, str]:
        """The environment's variables: nothing of the tests' Python, and nothing of a system that runs elsewhere."""
        ours = {
            name: value for name, value in os.environ.items() if not name.startswith(("FOLDTABLE_", "PYTHON"))
        }
        return {**cleaned(ours), "NO_COLOR": "1", "COLUMNS": "160"}

    def run(
        self, *words: str | Path, cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment to its end, whatever its exit code."""
        program, *rest = words
        return subprocess.run(
            [self.folder / "bin" / program, *rest],
            cwd=cwd or self.work,
            env={**self.variables, **variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def printed(self, *words: str | Path, **more: Any) -> str:
        """Run a program that must end with 0; return what it prints."""
        done = self.run(*words, **more)
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, *what: Path) -> None:
        """Install wheels, or folders with a pyproject.toml, without asking an index."""
        command = (
            "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--no-deps",
            "--no-build-isolation",
        )
        self.printed(*command, "--disable-pip-version-check", *what)


def fresh_environment(folder: Path) -> Environment:
    """Make an environment that has our libraries, and nothing of ours."""
    own = Path(sysconfig.get_path("purelib"))
    ours = ("foldtable", "_foldtable", "__pycache__", "_editable_impl")
    return _linked(folder, {entry.name for entry in own.iterdir() if not entry.name.startswith(ours)})


def empty_environment(folder: Path, *, libraries: list[str]) -> Environment:
    """Make an environment that has pip, these libraries and what they need, and nothing else."""
    entries, waiting, known = set[str](), ["pip", *libraries], set[str]()
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        its = distribution(name)
        entries |= {path.parts[0] for path in its.files or () if path.parts[0] != ".."}
        needed = map(Requirement, its.requires or ())
        waiting += [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return _linked(folder, entries - {"__pycache__"})


def _linked(folder: Path, entries: set[str]) -> Environment:
    """Make an environment with links to entries of the tests' own."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    (folder / "work").mkdir()
    environment = Environment(folder / "env", folder / "work")
    own = Path(sysconfig.get_path("purelib"))
    (place,) = environment.folder.glob("lib/python*/site-packages")
    for entry in entries:
        (place / entry).symlink_to(own / entry)
    for module in ("pip", "pytest"):
        command = environment.folder / "bin" / module
        command.write_text(f'#!/bin/sh\nexec "{environment.python}" -m {module} "$@"\n')
        command.chmod(0o755)
    return environment


def build_wheel(folder: Path) -> Path:
    """Build a wheel of Foldtable from a copy that holds just what the builder of the image is sent: its hook writes stubs there."""
    source, target = folder / "source", folder / "wheels"
    source.mkdir()
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line.startswith("!"):
            continue
        path = ROOT / line[1:]
        if path.is_dir():
            ignore = shutil.ignore_patterns("gen", "__pycache__", "node_modules", ".*_cache", "*.so")
            shutil.copytree(path, source / line[1:], ignore=ignore)
        else:
            shutil.copy(path, source / line[1:])
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--wheel-dir", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = target.glob("*.whl")
    return built
