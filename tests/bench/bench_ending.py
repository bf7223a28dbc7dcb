"""How long a call of the published clients goes on after it was ended from outside, for everything it can wait for.

    python tests/bench/bench_ending.py --rounds 5

Measured from the act (`stop.set()`, `close()`, cancelling the task, `aclose()`, `abort()`) until the call has raised, and
has closed its connection. The promise is 100 ms.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Final

from tests.support import node
from tests.support.built_clients import build_npm
from tests.support.ended_calls import RAISED, WAYS, ended, states
from tests.support.ended_calls_in_node import aborted
from tests.support.running_system import System, running_system

PROMISED_MS: Final = 100


def main(rounds: int) -> None:
    """Print the milliseconds of every state and way: the median, and the most."""
    times = defaultdict[tuple[str, str], list[float]](list)
    with tempfile.TemporaryDirectory() as folder, running_system(Path(folder) / "home") as system:
        with states(system.address, system.key) as every:
            for _ in range(rounds):
                for state in every:
                    for way in WAYS:
                        one = ended(state, way)
                        assert isinstance(one.raised, RAISED[way]), one
                        times[state.name, way].append(1000 * one.seconds)
        in_node(system, Path(folder), rounds, times)
    print(f"{'milliseconds until a call has ended':36} {'way':8} {'median':>8} {'most':>8}")
    for (name, way), measured in times.items():
        print(f"{name:36} {way:8} {statistics.median(measured):8.1f} {max(measured):8.1f}")
    most = max(max(measured) for measured in times.values())
    print(f"{'the most of all, promised ' + str(PROMISED_MS):36} {'':8} {'':8} {most:8.1f}")


def in_node(system: System, folder: Path, rounds: int, times: dict[tuple[str, str], list[float]]) -> None:
    """Measure the TypeScript client, where node and the packages are there."""
    if reason := node.why_not():
        print(f"the TypeScript client is not measured: {reason}")
        return
    package = build_npm(folder / "npm")
    for _ in range(rounds):
        for one in aborted(package, folder / "project", system.address, system.key):
            times[one.state, "abort"].append(one.milliseconds)


if __name__ == "__main__":
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rounds", type=int, default=5, help="how often each call is made and ended")
    main(options.parse_args().rounds)
