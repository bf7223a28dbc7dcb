"""`foldtable up`, where it cannot start: one line that says why. (The rest needs whole processes: tests/e2e.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from services.cli.up.greeting import first_commands


def test_a_home_that_cannot_be_is_reported(foldtable: Any) -> None:
    done = foldtable("up", "--home", "/dev/null/home", "--port", "0")
    assert done.exit_code == 1
    assert "/dev/null" in done.stderr


@pytest.mark.slow
def test_a_database_that_is_not_there_is_reported_and_nothing_is_left_running(
    foldtable: Any, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    url = "postgresql://nobody@127.0.0.1:1/nothing"
    done = foldtable("up", "--home", home, "--port", "0", FOLDTABLE_DATABASE_URL=url)
    assert done.exit_code == 1
    assert "the migration" in done.stderr
    assert not (home / "running.json").exists()


@pytest.mark.parametrize(
    ("home", "line"),
    [
        (".foldtable", "  . .foldtable/env"),
        (".", "  . ./env"),
        ("/it's/here", """  . '/it'"'"'s/here/env'"""),
    ],
)
def test_the_first_command_finds_the_file_whatever_the_home_is_called(home: str, line: str) -> None:
    assert line in first_commands(Path(home))
