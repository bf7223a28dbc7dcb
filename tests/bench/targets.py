"""The system that a benchmark measures: one of its own (`foldtable up`, fsync on), or one that runs already."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.processor_time import Parts, parts_of
from tests.support.running_system import System, running_system


@dataclass(frozen=True)
class Target:
    """What is measured."""

    address: str
    key: str
    database_url: str
    rules_address: str
    """Of the rules server, for gRPC; empty if a running system was named without it."""
    parts: Parts
    """The processes whose processor time is counted; empty for a system that somebody else started."""


def add_target_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a running system."""
    parser.add_argument(
        "--url", default="", help="a gateway that runs already; with --key and --database-url"
    )
    parser.add_argument("--key", default="")
    parser.add_argument("--database-url", default="")
    parser.add_argument("--rules-address", default="", help="the rules server behind it, for gRPC")


def target_of(system: System) -> Target:
    """Return a system that a benchmark has started."""
    rules = next(part["address"] for part in system.running["parts"] if part["name"].startswith("rules"))
    return Target(system.address, system.key, system.part("postgres")["address"], rules, parts_of(system))


@contextmanager
def a_target(arguments: argparse.Namespace) -> Iterator[Target]:
    """Yield the system that was named, or start one."""
    if arguments.url:
        if not (arguments.key and arguments.database_url):
            sys.exit("--url goes with --key and --database-url")
        yield Target(
            arguments.url.rstrip("/"),
            arguments.key,
            arguments.database_url,
            arguments.rules_address,
            Parts({}),
        )
        return
    with (
        tempfile.TemporaryDirectory(prefix="foldtable-bench-") as folder,
        running_system(Path(folder) / "home", "--log-level", "warning") as system,
    ):
        yield target_of(system)
