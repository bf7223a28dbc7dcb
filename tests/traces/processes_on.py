"""One of each process, a bot worker among them: what the tests of this folder look at."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.gateway.table import Platform
from tests.support.deployment import Deployment
from tests.support.processes import Process
from tests.support.several_of_each import Several

SECONDS: Final = 20
"""How long a line may take that is waited for."""


@dataclass(frozen=True)
class Running:
    """What runs."""

    several: Several
    processes: Mapping[str, Process]

    @property
    def database_url(self) -> str:
        return self.several.database_url

    @property
    def rules_address(self) -> str:
        return self.several.rules_addresses[0]

    @property
    def key(self) -> str:
        return self.several.key

    @property
    def url(self) -> str:
        return self.several.urls[0]

    def tenant(self) -> Platform:
        """Return a client with the tenant's key."""
        return Platform(self.url, self.several.key)

    def logged(self, name: str, **wanted: Any) -> list[dict[str, Any]]:
        """Return the lines of a process that have these values; the first may be written a moment after the response."""
        ends = time.monotonic() + SECONDS
        while True:
            lines = self.processes[name].lines()
            found = [line for line in lines if wanted.items() <= line.items()]
            if found or time.monotonic() > ends:
                return found
            time.sleep(0.02)


def settings_of(folder: Path, database_url: str, module: str, **more: str) -> dict[str, str]:
    """Return the settings of a process that nobody else belongs to; keys are written where they are missing."""
    deployment = Deployment(folder, database_url)
    if not (folder / "token_private.pem").exists():
        Deployment.new(folder, database_url)
        (folder / "bots_key").write_text("ft_test_nobody\n")
    more = {"log_format": "json", **more}
    match module:
        case "services.rules":
            return deployment.rules(**more)
        case "services.platform":
            return deployment.platform(**more)
        case "gateway":
            return deployment.gateway("127.0.0.1:1", "127.0.0.1:1", **more)
        case "services.bots":
            key_file = deployment.file("bots_key")
            return {"gateway": "http://127.0.0.1:1", "bots_key_file": key_file, "drain_seconds": "2", **more}
        case _:
            return {"database_url": database_url, **more}


@contextmanager
def running(several: Several) -> Iterator[Running]:
    """Start a bot worker beside one of each other process; in the end all of them have stopped in an orderly way."""
    (several.folder / "bots_key").write_text(several.keys["bots"] + "\n")
    settings = {
        "gateway": several.urls[0],
        "bots_key_file": several.deployment.file("bots_key"),
        "bot_levels": "random",
        "bot_poll_seconds": "1",
        "drain_seconds": "2",
        "log_level": several.gateway_settings["log_level"],
        "log_format": "json",
    }
    with Process("services.bots", several.folder / "bots.log", **settings) as bots:
        bots.start_and_wait_for("playing")
        processes = {
            "rules": several.rules[0],
            "platform": several.platform,
            "gateway": several.gateways[0],
            "bots": bots,
        }
        yield Running(several, processes)
        for one in (bots, *several.gateways, several.platform, *several.rules):
            assert one.stop() == 0, one.log.read_text()


def no_json(log: Path) -> list[str]:
    """Return the lines of a log that are no JSON object with an event and a level."""
    return [line for line in log.read_text().splitlines() if not _is_event(line)]


def _is_event(line: str) -> bool:
    try:
        told = json.loads(line)
    except ValueError:
        return False
    return isinstance(told, dict) and {"event", "level", "timestamp", "logger"} <= told.keys()
