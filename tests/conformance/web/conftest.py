"""What these tests share: the system as `make run` starts it, and programs that play on its page in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.chromium import chromium_environment
from tests.support.deployment import GENEROUS
from tests.support.node import run
from tests.support.running_system import System, running_system

HERE: Final = Path(__file__).parent
SECONDS: Final = 240

Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="package")
def web_system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """A system of its own, whose bots play and whose limits suit a browser that is faster than people."""
    home = tmp_path_factory.mktemp("web") / "home"
    with running_system(home, FOLDTABLE_RATE_LIMITS=GENEROUS) as system:
        yield system


@pytest.fixture(scope="package")
def browser() -> Iterator[dict[str, str]]:
    """The variables for the browser, which keeps what it writes to itself."""
    with chromium_environment() as where:
        yield where


@pytest.fixture(scope="package")
def play(web_system: System, browser: dict[str, str]) -> Play:
    """Run a program of this folder against the system; give what it printed last. Skips if no browser starts here."""

    def printed(script: str, *, seconds: int = SECONDS, **settings: Any) -> dict[str, Any]:
        environment = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in settings.items()
        }
        where = {"GATEWAY": web_system.address, "KEY": web_system.key, **browser}
        lines = run("node", str(HERE / script), seconds=seconds, **where, **environment).splitlines()
        return available(json.loads(lines[-1]))

    return printed


def available(told: dict[str, Any]) -> dict[str, Any]:
    """Return what a program printed; skip if it found no browser."""
    if "unavailable" in told:
        pytest.skip(f"needs a Chromium that starts here: {told['unavailable']}")
    return told
