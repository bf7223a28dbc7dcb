"""Runs programs of the JavaScript world, with the npm packages of tests/conformance. For tests; used by name."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

SCRIPTS: Final = Path(__file__).resolve().parent.parent / "conformance"
MODULES: Final = SCRIPTS / "node_modules"


def why_not() -> str:
    """Return what is missing; nothing, if programs can be run."""
    if shutil.which("node") is None:
        return "needs node, 20 or newer"
    if not MODULES.is_dir():
        return "needs the npm packages: make prepare installs them, where npm is there"
    return ""


def run(*command: str, folder: Path = SCRIPTS, seconds: int = 100, **environment: str) -> str:
    """Run node, or a program of a package; give what it prints. It must end with 0."""
    path = _path()
    done = subprocess.run(
        [_program(command[0], path), *command[1:]],
        cwd=folder,
        env={"PATH": path, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def printed_by(
    script: str, *, folder: Path = SCRIPTS, seconds: int = 100, **environment: str
) -> dict[str, Any]:
    """Run a script; give the JSON object it prints at last."""
    printed: dict[str, Any] = json.loads(
        run("node", script, folder=folder, seconds=seconds, **environment).splitlines()[-1]
    )
    return printed


@contextmanager
def started(*command: str, folder: Path = SCRIPTS, **environment: str) -> Iterator[Iterator[str]]:
    """Start a program; give its lines as it prints them. It must end with 0, and is gone in the end."""
    path = _path()
    with subprocess.Popen(
        [_program(command[0], path), *command[1:]],
        cwd=folder,
        env={"PATH": path, "NO_COLOR": "1", **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield (line.rstrip("\n") for line in process.stdout)
            assert process.wait(10) == 0, " ".join(command)
        finally:
            process.kill()


def _path() -> str:
    """Where programs are looked for: the packages first."""
    node = shutil.which("node")
    assert node is not None
    return f"{MODULES / '.bin'}:{Path(node).parent}:/usr/bin:/bin"


def _program(name: str, path: str) -> str:
    program = shutil.which(name, path=path)
    assert program is not None, f"no package brings {name}"
    return program
