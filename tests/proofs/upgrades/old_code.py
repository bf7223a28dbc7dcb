"""The code of a release of old, taken out of this repository's history and made ready to run.

It runs in this environment's Python. What it needs and we have dropped is installed beside it, in the version it was
pinned to; what both need it gets in our version. So this proves our schema and our services against its code, not against
the libraries of its day.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
BESIDE: Final = "beside"
"""The folder in a checkout for libraries we have no more."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


class HistoryMissing(Exception):  # noqa: N818 - the name says what happened
    """This is no clone, or a shallow one: the code of old is not here."""


class Failed(Exception):  # noqa: N818
    """A step that a release's code was to take failed; the end of what it printed is in the message."""


def check_out(commit: str, folder: Path) -> Path:
    """Put the code of a commit into a folder that is there, with its stubs built; give the folder.

    HistoryMissing; Failed where its stubs or a library cannot be had.
    """
    unpack(commit, folder)
    _run(folder, sys.executable, "proto/build_stubs.py")
    missing = _missing_libraries(folder)
    if missing:
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        _run(folder, *pip, "--target", BESIDE, *missing)
    return folder


def unpack(commit: str, folder: Path) -> None:
    """Put the files of a commit into a folder that is there; HistoryMissing."""
    packed = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=tar", commit], check=False, capture_output=True
    )
    if packed.returncode != 0:
        raise HistoryMissing(f"the code of {commit[:12]} is not in this checkout's history")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


def code_path(folder: Path) -> str:
    """Return the PYTHONPATH on which a checkout's own modules come before ours."""
    return os.pathsep.join(map(str, (folder, folder / "proto" / "gen", folder / BESIDE)))


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return an environment in which Python runs a checkout's code; `settings` are Foldtable's, by their short names."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    theirs = {f"FOLDTABLE_{name.upper()}": value for name, value in settings.items()}
    return {**ours, **theirs, "PYTHONPATH": code_path(folder), "PYTHONDONTWRITEBYTECODE": "1"}


_REVISION: Final = """
try:
    from services.postgres.database import REVISION
except ModuleNotFoundError:  # where it was up to the schema 0014
    from services.database import REVISION
print(REVISION, end="")
"""


def run_python(folder: Path, *words: str, **settings: str) -> str:
    """Run Python with a checkout's code, and give what it printed; Failed."""
    return _run(folder, sys.executable, *words, **settings)


def revision_of(folder: Path) -> str:
    """Ask a checkout which schema its code was written for: proof that it is its code that runs."""
    return run_python(folder, "-c", _REVISION)


def _missing_libraries(folder: Path) -> list[str]:
    """Name what its services need and this environment lacks, as it was pinned then."""
    needed = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = dict(
        line.split(" ", 1)[0].split("==", 1) for line in (folder / "constraints.txt").read_text().splitlines()
    )
    names = [found[0] for line in needed if (found := _NAME.match(line))]
    return [f"{name}=={pinned[name]}" for name in names if not _is_installed(name)]


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _run(folder: Path, *command: str, **settings: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(folder, **settings), check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise Failed(f"{' '.join(command[1:3])[:60]} ended with {done.returncode}: {done.stderr[-2_000:]}")
    return done.stdout
