"""A game from outside: written by `foldtable new-game` in an empty folder, installed beside a wheel of Foldtable, and run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.support.deployment import GENEROUS
from tests.support.fresh_environment import Environment, build_wheel, fresh_environment
from tests.support.running_system import System, running_system

GAME: Final = "pebbles"


@dataclass(frozen=True)
class Outside:
    """The environment, and the folder of the game's source."""

    environment: Environment
    package: Path


@pytest.fixture(scope="package")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Foldtable as it would be released."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="package")
def outside(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Outside:
    """Foldtable as a wheel, and the game that it writes for a newcomer, installed as its README says."""
    environment = fresh_environment(tmp_path_factory.mktemp("outside"))
    environment.install(wheel)
    environment.printed("foldtable", "new-game", GAME, "--into", environment.work / GAME)
    environment.install(environment.work / GAME)
    return Outside(environment, environment.work / GAME)


@pytest.fixture(scope="package")
def outside_system(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """The whole system, started by the environment's own `foldtable up`."""
    home = tmp_path_factory.mktemp("outside_system") / "home"
    program = outside.environment.foldtable
    with running_system(home, program=program, FOLDTABLE_RATE_LIMITS=GENEROUS) as system:
        yield system
