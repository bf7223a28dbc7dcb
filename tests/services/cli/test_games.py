"""`foldtable games`, and what commands say of games that are refused or not installed. With real distributions, in processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.registry import GAMES
from tests.support.outside_games import install_game

pytestmark = pytest.mark.slow

REFUSED = "the game raises of raises 1.0 cannot be used: raises.package:PACKAGE cannot be loaded: RuntimeError: no licence"
WRONG_RULES = "the game no_game of no_game 1.0 cannot be used: no_game.game:GAME is a str, not a Game"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install_game(folder, "ladders")
    install_game(folder, "raises", package="raise RuntimeError('no licence')")
    install_game(folder, "no_game", game="GAME = 'ladders'")
    return folder


def foldtable(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": str(folder)} if folder else {}
    return subprocess.run(
        [sys.executable, "-m", "services.cli.main", *words],
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_refused_game_it_ends_well() -> None:
    done = foldtable(None, "games", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = msgspec.json.decode(done.stdout)
    assert {one["game"] for one in found["games"]} >= {"al_rashid", "river_dragons", "river_of_gold"}
    assert found["refused"] == []


def test_a_line_says_what_is_installed_and_another_what_is_refused(folder: Path) -> None:
    done = foldtable(folder, "games")
    assert done.returncode == 1
    (line,) = [one.split("  ") for one in done.stdout.splitlines() if one.startswith("ladders")]
    assert [column.strip() for column in line if column] == [
        "ladders",
        "ladders 1.0",
        "interface 1.0",
        "rules 1.1.0, 1.0.0",
    ]
    assert done.stderr.splitlines() == [f"refused: {WRONG_RULES}", f"refused: {REFUSED}"]


@pytest.mark.parametrize("command", [("simulate",), ("arena",), ("demo", "--games"), ("audit", "--game")])
def test_a_command_says_why_a_game_cannot_be_used(folder: Path, command: tuple[str, ...]) -> None:
    done = foldtable(folder, *command, "raises")
    assert (done.returncode, done.stderr) == (1, f"error: {REFUSED}\n")
    unknown = foldtable(folder, *command, "chess")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith(f"error: unknown game 'chess'; there are: {next(iter(GAMES))}, ")


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_so_it_is_if_only_its_rules_cannot_be_used(folder: Path, command: str) -> None:
    done = foldtable(folder, command, "no_game")
    assert (done.returncode, done.stderr) == (1, f"error: {WRONG_RULES}\n")


def test_a_game_from_outside_is_simulated(folder: Path) -> None:
    done = foldtable(folder, "simulate", "ladders", "--matches", "1", "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr


def test_research_environments_are_registered_for_games_that_have_numbers_only(folder: Path) -> None:
    script = "import engine.research.openspiel, pyspiel; print(*pyspiel.registered_names())"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    registered = {name for name in done.stdout.split() if name.startswith("foldtable_")}
    assert "foldtable_river_of_gold" in registered
    assert not registered & {"foldtable_ladders", "foldtable_raises", "foldtable_no_game"}
