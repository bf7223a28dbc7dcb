"""The template of `foldtable new-game`, written under another name and installed: it is found, plays, and is clean."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.new_game.names import names
from services.cli.new_game.writing import write

ROOT = Path(__file__).resolve().parents[2]
NAME = "red_towers"
PLAY = """
import json
from engine.interface import SeededChance, random_match
from engine.registry import GAMES, REFUSED, checks, newest, part
from services.rules.wire.payloads import Payloads

game, says = newest("red_towers"), checks("red_towers")
Payloads(game).check()
ended = 0
for number in range(24):
    secret = number.to_bytes(32, "big")
    seats = game.seat_counts[number % len(game.seat_counts)]
    options = says.options[number % len(says.options)]
    steps = list(random_match(game, options, seats, secret, SeededChance(secret, 1 << 32)))
    assert {says.conserved(step.state) for step in steps} == {(12,) * seats}
    ended += game.outcome(steps[-1].state) is not None
    part("red_towers", "action_space")(options, seats), part("red_towers", "features")(options, seats)
print(json.dumps([list(GAMES), sorted(REFUSED), ended]))
"""
FOLD = """
import hashlib, json
from importlib.resources import files
from engine.interface import encode, fold
from engine.registry import newest

game = newest("red_towers")
rows = (files("red_towers") / "golden" / "v1.0.0" / "first.jsonl").read_text().splitlines()
state = None
for row in rows[1:-1]:
    state = fold(game, game.event_codec.decode_many(json.dumps(json.loads(row)["events"]).encode()), state)
last = json.loads(rows[-1])
print(hashlib.sha256(encode(state)).hexdigest() == last["state_sha256"])
print(json.loads(encode(game.outcome(state))) == last["outcome"])
"""
BUILD = """
from services.kit.building import build
from red_towers.package import PACKAGE
print(build(PACKAGE))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a package that was just written."""
    folder = tmp_path_factory.mktemp("new") / "source"
    write(names(NAME), folder)
    return folder


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which the package is installed from its wheel."""
    target = tmp_path_factory.mktemp("installed")
    run(
        *("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"),
        *("--disable-pip-version-check", "--target", str(target), str(source)),
    )
    return target


def run(*words: str, path: Path | None = None, cwd: Path = ROOT) -> str:
    """Run Python with a folder on its path, and return what it prints."""
    folders = [] if path is None else [str(path), str(ROOT), str(ROOT / "proto" / "gen")]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=cwd, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_found_where_it_is_installed_and_its_matches_end(installed: Path) -> None:
    games, refused, ended = json.loads(run("-c", PLAY, path=installed))
    assert NAME in games
    assert refused == []
    assert ended == 24


def test_its_stored_match_folds_to_the_stored_state(installed: Path) -> None:
    assert run("-c", FOLD, path=installed).split() == ["True", "True"]


def test_everything_derived_is_up_to_date(source: Path) -> None:
    """A build changes no file, so a change of the template cannot forget one."""
    assert run("-c", BUILD, path=source).strip() == "()"


def test_its_own_examples_pass(source: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(source, copy)
    out = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_rules.py", path=copy, cwd=copy)
    assert "13 passed" in out


def test_ruff_finds_nothing_even_where_the_name_is_long(tmp_path: Path) -> None:
    for name in (NAME, "z" * 40, "a"):
        write(names(name), tmp_path / name)
        run("-m", "ruff", "check", "--no-cache", "--quiet", str(tmp_path / name))


def test_mypy_finds_nothing(source: Path, tmp_path: Path) -> None:
    """Strictly, with the types of the interface as they are installed."""
    config = tmp_path / "mypy.ini"
    config.write_text(
        f"[mypy]\nstrict = true\nmypy_path = {source}:{ROOT}:{ROOT / 'proto' / 'gen'}\n"
        "explicit_package_bases = true\nfollow_imports = silent\n"
    )
    out = run(
        *("-m", "mypy", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache")),
        *(str(source / NAME), str(source / "tests" / "given.py")),
    )
    assert out.startswith("Success")
