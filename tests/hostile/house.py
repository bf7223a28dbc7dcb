"""A house to be attacked: its processes as the system sees them, and what they wrote down."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.gateway.processes import Process
from tests.support.several_of_each import Several, several_of_each

GENEROUS: Final = ",".join(
    f"{holder}.{bucket}=100000000/60"
    for holder, buckets in (
        ("address", ("anonymous",)),
        ("token", ("reads", "moves", "lobby", "streams", "admin")),
        ("key", ("reads", "moves", "lobby", "streams", "admin")),
    )
    for bucket in buckets
)
"""Rate limits have tests of their own. Here they would only hide what is behind them."""
_TEMPLATE: Final = "foldtable_template"
_START_SECONDS: Final = 60.0
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Footprint:
    """What a process holds."""

    resident_bytes: int
    handles: int

    @classmethod
    def of(cls, pid: int) -> Footprint:
        """Measure a process (Linux: /proc)."""
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return cls(pages * _PAGE, len(list(Path(f"/proc/{pid}/fd").iterdir())))


@contextmanager
def standing(**gateway_settings: str) -> Iterator[Several]:
    """Start a house with a Postgres of its own, and take it down in the end."""
    with tempfile.TemporaryDirectory() as place, EmbeddedPostgres(Path(place) / "postgres") as postgres:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {_TEMPLATE}")
        migrate(make_conninfo(postgres.url, dbname=_TEMPLATE))
        settings = {"rate_limits": GENEROUS, **gateway_settings}
        with several_of_each(postgres.url, _TEMPLATE, Path(place), replicas=1, **settings) as house:
            until_it_answers(house)
            yield house


def until_it_answers(house: Several) -> None:
    """Wait until the gateway has found the services: they were started at the same moment. AssertionError."""
    deadline = time.monotonic() + _START_SECONDS
    with house.client(house.key) as client:
        for path in ("/v1/games", "/v1/token", f"/v1/matches/{UUID(int=0)}"):
            while client.get(path).status_code == 503:
                assert time.monotonic() < deadline, f"{path} is not answered"
                time.sleep(0.1)


def footprints(house: Several) -> dict[str, Footprint]:
    """Measure every process that a stranger's bytes reach."""
    parts: dict[str, Process] = {
        "gateway": house.gateways[0],
        "rules": house.rules[0],
        "platform": house.platform,
    }
    return {name: Footprint.of(process.pid) for name, process in parts.items()}


def faults(house: Several, since: dict[str, int] | None = None) -> list[dict[str, Any]]:
    """Give the log lines that tell of a fault of ours; `since` are the lengths of the logs to begin from.

    Whoever was told to come again (503, 504) was told so; who may be, whoever asks knows better.
    """
    found = []
    for name, lines in _lines(house).items():
        for line in lines[(since or {}).get(name, 0) :]:
            told_to_wait = line.get("event") == "request" and line.get("status") in (503, 504)
            wrong = line.get("level") in ("error", "critical") or "exception" in line
            if wrong and not told_to_wait:
                found.append({"process": name, **line})
    return found


def log_lengths(house: Several) -> dict[str, int]:
    """Give how many lines each process has logged."""
    return {name: len(lines) for name, lines in _lines(house).items()}


def _lines(house: Several) -> dict[str, list[dict[str, Any]]]:
    everybody = [house.platform, *house.rules, *house.gateways]
    return {process.log.name: process.lines() for process in everybody}
