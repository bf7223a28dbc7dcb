"""`.ci/prepare`, the first thing a newcomer runs: finds a Python, or says what is missing and what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that holds no more than the scripts; and a PATH with nothing but a shell's tools."""
    folder = tmp_path / "a checkout"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    (folder / "tools").mkdir()
    for tool in ("dirname", "sh"):
        (folder / "tools" / tool).symlink_to(shutil.which(tool) or tool)
    return folder


def a_python(checkout: Path, name: str, script: str) -> None:
    program = checkout / "tools" / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def prepare(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / ".ci" / "prepare"],
        env={"PATH": str(checkout / "tools"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_python_at_all(checkout: Path) -> None:
    done = prepare(checkout)
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "No python3 was found" in done.stderr


def test_a_python_that_is_too_old(checkout: Path) -> None:
    a_python(checkout, "python3", 'case "$2" in *ensurepip*) exit 1;; *) echo 3.9;; esac')
    done = prepare(checkout)
    assert done.returncode == 1
    assert "python3 here is 3.9" in done.stderr
    assert "make PYTHON=" in done.stderr


def test_a_python_without_venv(checkout: Path) -> None:
    a_python(checkout, "python3", 'case "$2" in *ensurepip*) exit 1;; *) echo 3.12;; esac')
    done = prepare(checkout)
    assert done.returncode == 1
    assert "apt install python3.12-venv" in done.stderr


def test_a_usable_python_is_found_behind_one_that_is_too_old(checkout: Path) -> None:
    a_python(checkout, "python3.11", "exit 1")
    a_python(checkout, "python3.12", 'case "$1" in -c) exit 0;; *) echo "called with $1";; esac')
    done = prepare(checkout)
    assert (done.returncode, done.stdout) == (0, "called with .ci/prepare.py\n")


def test_a_python_named_by_the_caller_comes_first(checkout: Path) -> None:
    a_python(checkout, "python3.11", 'case "$1" in -c) exit 0;; *) echo wrong;; esac')
    a_python(checkout, "mine", 'case "$1" in -c) exit 0;; *) echo mine;; esac')
    assert prepare(checkout, PYTHON="mine").stdout == "mine\n"


def test_the_scripts_may_be_called(checkout: Path) -> None:
    for name in ("prepare", "run"):
        assert os.access(ROOT / ".ci" / name, os.X_OK), name
