"""What the documents have a reader write down lies where `make check` does not judge it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.up.home import Home

ROOT = Path(__file__).resolve().parents[2]
RUFF = Path(sys.executable).with_name("ruff")
BOT = "import os, sys\nprint( 'as an example is written' )\n"


@pytest.mark.parametrize("command", [("check",), ("format", "--check")])
def test_a_file_of_an_example_is_not_judged(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Also without git, whose list of ignored files ruff would read."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    home = Home(tmp_path / ".foldtable")
    home.prepare()
    judged = []
    for folder in (home.playground, tmp_path):
        (folder / "bot.py").write_text(BOT)
        done = subprocess.run(
            [RUFF, *command, "--no-cache", "."], cwd=tmp_path, capture_output=True, check=False
        )
        judged.append(done.returncode)
    assert judged == [0, 1]


def test_git_does_not_see_it() -> None:
    assert "/.foldtable/" in (ROOT / ".gitignore").read_text().splitlines()
