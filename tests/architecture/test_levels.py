"""`.ci/prepare.py` installs no more than is asked for, adds the rest when it is, and takes nothing back."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN, DEV, RESEARCH = "run", "dev", "research"


class Checkout:
    """A copy of what .ci/prepare.py reads, in which commands are written down instead of run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands: list[str] = []
        for name in (
            "pyproject.toml",
            "constraints.txt",
            "proto/build_stubs.py",
            "proto/foldtable",
            ".ci/prepare.py",
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            copy: Any = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, folder / name)
        self.script = self._loaded()

    def _loaded(self) -> ModuleType:
        spec = importlib.util.spec_from_file_location("prepare", self.folder / ".ci" / "prepare.py")
        assert spec is not None
        assert spec.loader is not None
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        script.run = self.run
        return script

    def run(self, *command: object) -> None:
        words = [str(word) for word in command]
        self.commands.append(
            " ".join(words[words.index("--constraint") + 2 :] if "--constraint" in words else words)
        )
        if "venv" in words:
            shutil.rmtree(self.folder / ".venv", ignore_errors=True)
            (self.folder / ".venv" / "bin").mkdir(parents=True)
        if any(word.startswith("mypy-protobuf") for word in words):
            (self.folder / ".venv" / "bin" / "protoc-gen-mypy").touch()
        if "proto/build_stubs.py" in words:
            (self.folder / "proto/gen/foldtable").mkdir(parents=True, exist_ok=True)
            (self.folder / "proto/gen/foldtable/descriptors.binpb").touch()

    def prepared(self, level: str) -> list[str]:
        """Prepare a level; return the commands that took."""
        self.commands.clear()
        self.script.prepare_venv(level)
        self.script.prepare_stubs()
        return list(self.commands)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def named(commands: list[str]) -> set[str]:
    """Return the packages that were installed by name."""
    return {word for command in commands for word in re.findall(r"[a-z][a-z0-9_-]*(?=[=><])", command)}


def test_running_takes_neither_tests_nor_research(checkout: Checkout) -> None:
    commands = checkout.prepared(RUN)
    assert commands[-2:] == [
        "--no-build-isolation --editable .",
        f"{checkout.script.PYTHON} proto/build_stubs.py",
    ]
    assert named(commands) == set()


def test_each_level_adds_to_the_one_before_and_installs_ourselves_once(checkout: Checkout) -> None:
    checkout.prepared(RUN)
    (dev, stubs) = checkout.prepared(DEV)
    assert {"pytest", "mypy", "ruff"} <= named([dev])
    assert "numpy" not in named([dev])
    assert stubs.endswith("build_stubs.py"), "the stubs get their types"
    (research,) = checkout.prepared(RESEARCH)
    assert named([research]) == {"gymnasium", "numpy", "open_spiel", "pettingzoo"}


@pytest.mark.parametrize("before", [RUN, DEV, RESEARCH])
def test_what_is_there_is_not_touched(checkout: Checkout, before: str) -> None:
    checkout.prepared(before)
    levels = checkout.script.LEVELS
    for level in levels[: levels.index(before) + 1]:
        assert checkout.prepared(level) == []


def test_everything_at_once_is_the_same_as_step_by_step(checkout: Checkout) -> None:
    at_once = checkout.prepared(RESEARCH)
    assert len(at_once) == 6, "venv, build tools, ourselves, dev, research, stubs"
    assert checkout.prepared(RESEARCH) == []


def test_other_versions_are_installed_where_they_are_asked_for(checkout: Checkout) -> None:
    checkout.prepared(RESEARCH)
    with (checkout.folder / "constraints.txt").open("a") as pins:
        pins.write("another==1.0\n")
    assert len(checkout.prepared(RUN)) == 3, "build tools, ourselves, stubs"
    assert len(checkout.prepared(RESEARCH)) == 2, "dev, research"
    assert checkout.prepared(RUN) == []


def test_a_step_that_failed_is_made_again(checkout: Checkout) -> None:
    checkout.prepared(RUN)
    usual = checkout.script.run

    def fails(*_: object) -> None:
        raise SystemExit("no network")

    checkout.script.run = fails
    with pytest.raises(SystemExit):
        checkout.script.prepare_venv(DEV)
    checkout.script.run = usual
    assert len(checkout.prepared(DEV)) == 2
    assert checkout.prepared(RUN) == []


def test_an_environment_of_a_time_without_levels_is_kept(checkout: Checkout) -> None:
    checkout.prepared(RESEARCH)
    place = checkout.script.json.loads(checkout.script.VENV_STAMP.read_text())["place"]
    checkout.script.VENV_STAMP.write_text(f"0123abc {place}\n")
    assert not any("venv" in command.split() for command in checkout.prepared(RESEARCH))


@pytest.mark.parametrize(
    "text", ["0123abc 3.10.1 /elsewhere/.venv", '{"place": "3.10.1 /elsewhere/.venv", "run": "x"}', "{"]
)
def test_another_python_or_a_checkout_that_was_moved_begins_anew(checkout: Checkout, text: str) -> None:
    checkout.prepared(RUN)
    checkout.script.VENV_STAMP.write_text(text)
    assert any("venv" in command.split() for command in checkout.prepared(RUN))


def test_make_asks_for_no_more_than_each_target_needs() -> None:
    text = (ROOT / "Makefile").read_text()
    asks = dict(re.findall(r"^([a-z-]+): (prepare[a-z-]*)", text, re.MULTILINE))
    assert {name for name, level in asks.items() if level == "prepare-run"} == {"run", "demo"}
    assert {"test", "check"} <= {name for name, level in asks.items() if level == "prepare"}
    assert asks["test-fast"] == "prepare-dev"
