"""Runs commands as a newcomer would who pastes them: `curl` is at hand; `foldtable` and our `python` are not, until a line says where."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.running_system import environment

STAND_IN = Path(__file__).with_name("curl_stand_in.py")
CLIENT = Path(__file__).resolve().parents[2] / "clients/python/src"
"""As if the Python client had been installed."""


def paste(commands: str, *, folder: Path, tools: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run commands in a shell that stops at the first that fails; `tools` is a folder for a curl of ours."""
    tools.mkdir(exist_ok=True)
    if shutil.which("curl") is None:
        curl = tools / "curl"
        curl.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{STAND_IN}' \"$@\"\n")
        curl.chmod(0o755)
    elsewhere = [
        folder for folder in environment()["PATH"].split(":") if Path(folder) != Path(sys.executable).parent
    ]
    path = ":".join([str(tools), *elsewhere])
    usual = {name: value for name, value in environment().items() if name != "FOLDTABLE_HOME"}
    return subprocess.run(
        ["sh", "-euc", commands],
        cwd=folder,
        env={**usual, "PATH": path, "COLUMNS": "100", "PYTHONPATH": str(CLIENT), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
