"""`foldtable up`, where it cannot start: one line that says why. (The rest needs whole processes: tests/e2e.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from services.cli.up import first_commands


def test_a_home_that_cannot_be_is_told(foldtable: Any) -> None:
    done = foldtable("up", "--home", "/dev/null/home", "--port", "0")
    assert done.exit_code == 1
    assert "/dev/null" in done.stderr


def test_a_database_that_is_not_there_is_told_and_nothing_is_left_running(
    foldtable: Any, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    url = "postgresql://nobody@127.0.0.1:1/nothing"
    done = foldtable("up", "--home", home, "--port", "0", FOLDTABLE_DATABASE_URL=url)
    assert done.exit_code == 1
    assert "the migration" in done.stderr
    assert not (home / "running.json").exists()


def test_a_key_with_odd_characters_can_still_be_pasted() -> None:
    commands = "\n".join(first_commands("http://127.0.0.1:8080", "it's $odd"))
    assert """export FOLDTABLE_KEY='it'"'"'s $odd'""" in commands
