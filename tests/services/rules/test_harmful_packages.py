"""Packages whose import harms the process: each is refused with a sentence that names it, and the others are served."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.registry import GAMES
from tests.support.deployment import Deployment
from tests.support.outside_games import game_files, install, install_game, package
from tests.support.processes import Process

pytestmark = pytest.mark.slow

CANNOT = "the game {0} of {0} 1.0 cannot be used: "
AT_IMPORT = {
    "computes": (
        "while True: pass",
        "importing computes.package:PACKAGE and its rules computes for longer than 10 s",
    ),
    "sleeps": (
        "import time; time.sleep(1e6)",
        "importing sleeps.package:PACKAGE and its rules does not end within 30 s",
    ),
    "exits": (
        "import os; os._exit(0)",
        "importing exits.package:PACKAGE and its rules ends the process with exit code 0",
    ),
    "crashes": (
        "import ctypes; ctypes.string_at(0)",
        "importing crashes.package:PACKAGE and its rules ends the process by SIGSEGV",
    ),
    "interrupts": (
        "raise KeyboardInterrupt",
        "interrupts.package:PACKAGE cannot be loaded: KeyboardInterrupt:",
    ),
    "cancels": (
        "from asyncio import CancelledError\nraise CancelledError",
        "cancels.package:PACKAGE cannot be loaded: CancelledError:",
    ),
    "generates": ("raise GeneratorExit", "generates.package:PACKAGE cannot be loaded: GeneratorExit:"),
    "leaves": ("raise SystemExit(0)", "leaves.package:PACKAGE cannot be loaded: SystemExit: 0"),
    "mute": (
        "class Mute(Exception):\n    def __str__(self): raise ValueError\n    __repr__ = __str__\nraise Mute",
        "mute.package:PACKAGE cannot be loaded: Mute: its text cannot be made: ValueError",
    ),
    "deep": (
        "def deeper(): deeper()\ndeeper()",
        "deep.package:PACKAGE cannot be loaded: RecursionError: maximum recursion depth exceeded",
    ),
    "moves": ("import os; os.chdir('/')", "importing moves.game:GAME changes the working directory"),
    "signals": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "importing signals.game:GAME changes a handler of signals",
    ),
    "paths": (
        "import sys; sys.path.insert(0, '/nowhere')",
        "importing paths.game:GAME changes sys.path, other than by adding to its end",
    ),
    "locales": (
        "import locale; locale.setlocale(locale.LC_ALL, 'C')",
        "importing locales.game:GAME changes the locale",
    ),
    "threads": (
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "importing threads.game:GAME starts a thread that goes on",
    ),
    "recurses": (
        "import sys; sys.setrecursionlimit(77_777)",
        "importing recurses.game:GAME changes the limit of recursion",
    ),
    "hooks": (
        "import sys; sys.excepthook = print",
        "importing hooks.game:GAME replaces sys.stdout, sys.stderr or a hook of sys",
    ),
}
IN_RULES = {
    "late": (
        "while True: pass",
        "importing late.package:PACKAGE and its rules computes for longer than 10 s",
    ),
    "late_interrupt": (
        "raise KeyboardInterrupt",
        "late_interrupt.game:GAME cannot be loaded: KeyboardInterrupt:",
    ),
    "late_cancel": (
        "from asyncio import CancelledError\nraise CancelledError",
        "late_cancel.game:GAME cannot be loaded: CancelledError:",
    ),
}
AFFECTS = "changes|replaces|starts"
LOUD = "import sys; print('x' * 4_000_000); print('y' * 4_000_000, file=sys.stderr)"
WARNING = "import warnings; warnings.simplefilter('error')"
USABLE = ("loud", "strict", "ladders")


SLOW = ("computes", "sleeps", "late")
"""Those that are given up only after some time."""


def install_harmful(folder: Path, *, but: tuple[str, ...] = ()) -> None:
    for game, (code, _) in AT_IMPORT.items():
        if game not in but:
            install_game(folder, game, package=f"{code}\n{package(game)}")
    for game, (code, _) in IN_RULES.items():
        if game not in but:
            install_game(folder, game, game=code)
    for game, code in (("loud", LOUD), ("strict", WARNING)):
        install(
            folder,
            game,
            {game: f"{game}.package:PACKAGE"},
            {**game_files(game), f"{game}/package.py": f"{code}\n{package(game)}"},
        )
    install_game(folder, "ladders")


def expected(*, but: tuple[str, ...] = ()) -> dict[str, str]:
    return {
        game: CANNOT.format(game)
        + why
        + (
            ", which would affect all games"
            if any(f":GAME {one}" in why for one in AFFECTS.split("|"))
            else ""
        )
        for game, (_, why) in {**AT_IMPORT, **IN_RULES}.items()
        if game not in but
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install_harmful(folder)
    return folder


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    install_harmful(folder, but=SLOW)
    return folder


@pytest.fixture(scope="module")
def printed(folder: Path) -> subprocess.CompletedProcess[str]:
    return foldtable(folder, "games", "--json")


def foldtable(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "services.cli.main", *words],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    print(f"foldtable {' '.join(words)}: {time.monotonic() - began:.1f} s")
    return done


def told(printed: subprocess.CompletedProcess[str]) -> Any:
    assert printed.stderr == ""
    return msgspec.json.decode(printed.stdout)


@pytest.mark.parametrize("game", [*AT_IMPORT, *IN_RULES])
def test_what_harms_the_process_is_told_in_one_sentence(
    printed: subprocess.CompletedProcess[str], game: str
) -> None:
    (why,) = [one["why"] for one in told(printed)["refused"] if one["game"] == game]
    assert why == expected()[game]
    assert "\n" not in why


def test_the_others_can_be_used_and_what_they_print_disturbs_nobody(
    printed: subprocess.CompletedProcess[str],
) -> None:
    assert {one["game"] for one in told(printed)["refused"]} == expected().keys()
    assert {one["game"] for one in told(printed)["games"]} == {*GAMES, *USABLE}


def test_a_rules_server_serves_the_others(quick: Path, tmp_path: Path, database_url: str) -> None:
    settings = Deployment.new(tmp_path, database_url).rules()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(quick))
        with Process("services.rules", tmp_path / "log", **settings) as server:
            serving = server.start_and_wait_for("serving")
            assert set(serving["games"]) == {*GAMES, *USABLE}
            logged = {line["game"]: line["why"] for line in server.lines() if line["event"] == "game_refused"}
            assert logged == expected(but=SLOW)
            assert server.log.stat().st_size < 100_000
            assert server.stop() == 0


def test_commands_work_with_the_others(quick: Path) -> None:
    done = foldtable(quick, "simulate", "ladders", "--matches", "2", "--workers", "1")
    assert done.returncode == 0, done.stderr
    refused = foldtable(quick, "check-game", "crashes")
    assert (refused.returncode, expected()["crashes"] in " ".join(refused.stderr.split())) == (2, True)
