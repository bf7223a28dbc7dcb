"""Runs Java programs of one file. For tests; used by name."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

PROGRAMS: Final = Path(__file__).resolve().parent.parent / "conformance"
OLDEST: Final = 11
"""The first with a client for HTTP, and with `java Program.java`."""


@cache
def why_not() -> str:
    """Return what is missing; nothing, if programs can be run."""
    java = shutil.which("java")
    if java is None:
        return f"needs java, a JDK {OLDEST} or newer"
    modules = subprocess.run([java, "--list-modules"], capture_output=True, text=True, check=False).stdout
    if "jdk.compiler" not in modules or "java.net.http" not in modules:
        return f"needs a JDK {OLDEST} or newer; this java cannot run a source file"
    return ""


def printed_by(program: str, *, seconds: int = 120, **environment: str) -> dict[str, Any]:
    """Run a program; return what it prints, as JSON. AssertionError unless it ends with 0."""
    java = shutil.which("java")
    assert java is not None
    done = subprocess.run(
        [java, str(PROGRAMS / program)],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"{program}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed
