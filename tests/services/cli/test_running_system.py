"""A command that is given neither address nor key speaks to the system that runs here, with its development key."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer

from services.cli.matches import place as match_place
from services.cli.running_system import USUAL_URL, key_of, running_in, url_of
from services.cli.up.home import Home, Running, write_secret
from services.process.compiled import is_compiled

ADDRESS = "http://127.0.0.1:8081"
MATCH = "01940000-0000-7000-8000-000000000001"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a system that runs: this very process."""
    write_secret(Home(tmp_path).development_key, "ft_dev_x\n")
    Home(tmp_path).write_running(Running(os.getpid(), ADDRESS, ()))
    return tmp_path


def test_the_running_system_is_found(home: Path, tmp_path: Path) -> None:
    assert url_of("", home) == ADDRESS
    assert url_of("https://games.example", home) == "https://games.example"
    assert url_of("", tmp_path / "nobody") == USUAL_URL


@pytest.mark.parametrize(
    "url", [ADDRESS, f"{ADDRESS}/", "http://localhost:8081", f"{ADDRESS}/v1/matches/{MATCH}"]
)
def test_its_key_is_used_for_its_own_address(home: Path, url: str) -> None:
    assert key_of("", url, home) == "ft_dev_x"
    assert key_of("ft_live_y", url, home) == "ft_live_y"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080",
        "https://127.0.0.1:8081",
        "http://games.example:8081",
        "http://127.0.0.1.example:8081",
    ],
)
def test_its_key_is_sent_nowhere_else(home: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        key_of("", url, home)
    assert ended.value.exit_code == 2
    printed = capsys.readouterr()
    assert "a key is needed" in printed.err
    assert "ft_dev_x" not in printed.out + printed.err


@pytest.mark.parametrize("key", ["ft_dev_x\n", "ft dev x", "ft_dev_\u00e9"])
def test_a_key_that_can_be_none_is_not_sent_and_not_repeated(
    home: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        key_of(key, ADDRESS, home)
    assert ended.value.exit_code == 2
    told = capsys.readouterr().err
    assert "--key" in told
    assert key not in told


def test_what_a_killed_one_left_behind_is_no_running_system(home: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    Home(home).write_running(Running(gone.pid, ADDRESS, ()))
    assert running_in(home) is None
    with pytest.raises(typer.Exit):
        key_of("", ADDRESS, home)


@pytest.mark.parametrize("command", ["export", "import", "replay", "verify"])
def test_every_command_finds_it_by_itself(
    foldtable: Any, home: Path, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens at this address: that the command tries it shows that it had both."""
    monkeypatch.setattr(match_place, "RETRY_SECONDS", 0.1)
    Home(home).write_running(Running(os.getpid(), "http://127.0.0.1:1", ()))
    (tmp_path / "match.json").write_text("{}")
    what = tmp_path / "match.json" if command == "import" else MATCH
    done = foldtable(command, what, "--home", home, FOLDTABLE_KEY="", FOLDTABLE_URL="")
    assert done.exit_code == 1
    assert "ConnectError" in done.stderr
    assert "ft_dev_x" not in done.output


def test_the_version_is_printed(foldtable: Any) -> None:
    """It names the compiled modules, where they run: what is measured or debugged is not a matter of guesses."""
    how = " (compiled)" if is_compiled() else ""
    assert foldtable("--version").stdout == f"foldtable {version('foldtable')}{how}\n"
