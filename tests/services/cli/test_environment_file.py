"""The file `env` in the home: read by a shell it gives programs, addresses and key, and nothing of it is run."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from services.cli.up.environment_file import environment_file
from services.cli.up.home import Home, Part, Running, write_secret

ODD = """it's "$odd" `date` \\ ;"""
SHOW = """. "$1"; . "$1"; printf '%s\n' "$FOLDTABLE_URL" "$FOLDTABLE_GRPC" "$FOLDTABLE_KEY" "$PATH" "$FOLDTABLE_HOME" """


def read_by_a_shell(file: Path) -> list[str]:
    """Return what it sets: URL, gRPC address, key, PATH and home; it is read twice, as somebody may."""
    return subprocess.run(
        ["sh", "-euc", SHOW, "sh", file],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()


@pytest.mark.parametrize("odd", ["plain", ODD])
def test_a_shell_reads_what_was_written(tmp_path: Path, odd: str) -> None:
    file, programs = tmp_path / "env", tmp_path / odd
    file.write_text(
        environment_file(
            tmp_path, url="http://127.0.0.1:8081", grpc="127.0.0.1:7101", key=odd, programs=programs
        )
    )
    expected = ["http://127.0.0.1:8081", "127.0.0.1:7101", odd, f"{programs}:/usr/bin:/bin", str(tmp_path)]
    assert read_by_a_shell(file) == expected


def test_it_is_there_while_the_system_runs_and_for_its_owner_only(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write_secret(home.development_key, "ft_dev_x\n")
    home.write_running(Running(os.getpid(), "http://127.0.0.1:8081", (Part("rules-a", 1, "127.0.0.1:7101"),)))
    assert stat.S_IMODE(home.environment.stat().st_mode) == 0o600
    assert read_by_a_shell(home.environment)[:3] == ["http://127.0.0.1:8081", "127.0.0.1:7101", "ft_dev_x"]
    home.write_running(None)
    assert not home.environment.exists()
