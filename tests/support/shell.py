"""Runs commands as somebody would who pastes them, with `foldtable` and `curl` at hand."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.running_house import environment

STAND_IN = Path(__file__).with_name("curl_stand_in.py")
CLIENT = Path(__file__).resolve().parents[2] / "docs/clients/python/src"
"""As if the Python client had been installed."""


def paste(commands: str, *, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run commands in a shell that stops at the first that fails; the environment is the caller's choice."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    if shutil.which("curl") is None:
        curl = tools / "curl"
        curl.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{STAND_IN}' \"$@\"\n")
        curl.chmod(0o755)
    path = f"{tools}:{Path(sys.executable).parent}:{environment()['PATH']}"
    return subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env={**environment(), "PATH": path, "COLUMNS": "100", "PYTHONPATH": str(CLIENT), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
