"""The folder of a system: secrets for their owner only, one runner at a time."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from services.cli.up.home import Home, HomeInUse, Part, Running, read_secret, write_secret
from services.identity.signing_keys import read_private_key

RUNNING = Running(pid=7, address="http://127.0.0.1:8080", parts=(Part("rules", 8, "127.0.0.1:7100"),))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "system")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_pair_is_made_once_and_its_private_half_is_for_the_owner(home: Home) -> None:
    home.prepare()
    first = home.private_key.read_bytes()
    home.prepare()
    assert home.private_key.read_bytes() == first
    assert mode(home.private_key) == 0o600
    assert read_private_key(home.private_key)


def test_a_secret_is_for_its_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_secret(tmp_path / "key", "ft_dev_x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "key") == 0o600
    assert read_secret(tmp_path / "key") == "ft_dev_x"
    assert read_secret(tmp_path / "none") == ""


def test_a_second_runner_learns_who_runs_the_system(home: Home) -> None:
    lock = home.own()
    home.write_running(RUNNING)
    with pytest.raises(HomeInUse) as refused:
        home.own()
    assert refused.value.running == RUNNING
    os.close(lock)
    os.close(home.own())


def test_nobody_runs_a_system_once_that_is_written(home: Home) -> None:
    home.prepare()
    home.write_running(RUNNING)
    home.write_running(None)
    assert home.running() is None


def test_a_large_log_is_put_aside(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.prepare()
    home.log("rules").write_text("x" * 200)
    monkeypatch.setattr("services.cli.up.home.LARGE_LOG", 100)
    home.prepare()
    assert not home.log("rules").exists()
    assert home.log("rules").with_suffix(".log.1").exists()
