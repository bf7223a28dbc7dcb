"""What stays flat: the 1,000th move of a match, a database with 10^6 matches, 10,000 watched matches.

Starts systems of its own (`foldtable up`, fsync on). Three parts, each beside what it should cost no more than:

1. Moves in matches of different length, read from Postgres for the move, and already in memory.
2. Moves, creating, listing and reading beside 10^3 and beside 10^6 other matches, on two systems in turns. The larger
   one needs about 10 GB of disk for the time of the run.
3. Memory of matches that are open, of their event streams, and moves beside them.

All calls but those of the third part go straight to the rules server and the platform server. The CPU time of each
process is counted, because the clock says little on a machine that does other things, too.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from services.process.structured_logs import LogFormat, configure_logs
from tests.bench.event_streams import MAX_KILOBYTES
from tests.bench.flat import full_database, long_matches, watched_matches
from tests.bench.flat.costs import Cost, middle_cost
from tests.bench.flat.filled_database import TABLES, bytes_of_tables
from tests.bench.flat.rpc_client import RpcClient
from tests.bench.processor_time import Parts
from tests.support.running_system import System, running_system

FEW_MATCHES = 1_000
BYTES_A_MATCH = 15_000
"""On disk at most while the database is filled, with the write-ahead log."""
SERVERS = ("rules", "platform")
SHORT = {
    "matches": 5_000,
    "streams": 200,
    "rows": 200,
    "long_matches": 8,
    "rounds": 1,
    "calls": 40,
    "seconds": 1.0,
}


def row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def heading(*cells: str) -> None:
    print()
    row(*cells)
    row("---", *["---:"] * (len(cells) - 1))


def milliseconds(*seconds: float) -> list[str]:
    return [f"{one * 1000:.2f}" for one in seconds]


def pair(cost: Cost) -> str:
    """Return the CPU microseconds of the servers and of Postgres."""
    return f"{cost.of(*SERVERS):,.0f} + {cost.of('postgres'):,.0f}"


def long(system: System, asked: argparse.Namespace) -> None:
    parts = Parts({part["name"]: part["pid"] for part in system.running["parts"]})
    with RpcClient(system) as client:
        lengths = long_matches.measure(
            client,
            parts,
            system.part("postgres")["address"],
            rows=asked.rows,
            matches=asked.long_matches,
            rounds=asked.rounds,
        )
    heading("one move", "in memory: p50 ms", "p99 ms", "CPU us", "read first: p50 ms", "CPU us")
    for one in lengths:
        row(
            one.name,
            *milliseconds(one.warm.p50, one.warm.p99),
            pair(one.warm),
            *milliseconds(one.cold.p50),
            pair(one.cold),
        )


def full(folder: Path, asked: argparse.Namespace) -> None:
    needed = asked.matches * BYTES_A_MATCH
    if (free := shutil.disk_usage(folder).free) < needed * 2:
        sys.exit(
            f"{needed / 1e9:.0f} GB are needed, and as much again left over: {free / 1e9:.0f} GB are free"
        )
    with ExitStack() as stack:
        few, many = (
            full_database.Filled(
                stack.enter_context(running_system(folder / f"{matches}", "--log-level", "warning")), matches
            )
            for matches in (FEW_MATCHES, asked.matches)
        )
        for one in (few, many):
            one.fill()
        unread = min(asked.calls, FEW_MATCHES // 2 // asked.rounds)  # half of them run
        for turn in range(asked.rounds):
            for one in (few, many) if turn % 2 else (many, few):
                one.measure(turn, asked.calls, unread, asked.seconds)
        heading(
            "beside so many matches",
            *(f"{n:,}: p50 ms" for n in (few.matches, many.matches)),
            "CPU us",
            "CPU us",
            "CPU ratio",
        )
        for name in few.costs:
            costs = [one.cost(name) for one in (few, many)]
            of_all = [cost.of(*SERVERS, "postgres") for cost in costs]
            ratio = f"{of_all[1] / of_all[0]:.2f}"
            row(name, *milliseconds(*(cost.p50 for cost in costs)), *map(pair, costs), ratio)
        row("moves/s, streamed", *(f"{statistics.median(one.rates):,.0f}" for one in (few, many)), "", "", "")
        sizes = [bytes_of_tables(one.database_url) for one in (few, many)]
        heading("bytes a match", *(f"{one.matches:,}" for one in (few, many)))
        for table in TABLES:
            row(
                table,
                *(f"{size[table] / one.matches:,.0f}" for size, one in zip(sizes, (few, many), strict=True)),
            )
        print(f"\n{many.matches:,} matches of 10 moves were copied in {many.fill_seconds:.0f} s")


def watched(system: System, asked: argparse.Namespace) -> bool:
    """Print the third part; return whether a stream costs what it may."""
    found = watched_matches.measure(system, asked.streams, asked.seconds, asked.rounds)
    names = watched_matches.PROCESSES
    heading(f"memory, {found.matches:,} matches", *names)
    row("before, MB", *(f"{found.idle[name] / 1e6:.0f}" for name in names))
    row("a match, KB", *(f"{found.per_match[name] / 1024:.1f}" for name in names))
    row(
        f"its watcher, KB (goal: {MAX_KILOBYTES})",
        *(f"{found.per_stream[name] / 1024:.1f}" for name in names),
    )
    heading("32 matches over REST", "p50 ms", "p99 ms", "gateway CPU us", "rules CPU us", "Postgres CPU us")
    for name, costs in (("nobody watches", found.alone), (f"{found.matches:,} are watched", found.beside)):
        cost = middle_cost(costs)
        spent = (f"{cost.of(one):,.0f}" for one in ("gateway", "rules", "postgres"))
        row(name, *milliseconds(cost.p50, cost.p99), *spent)
    middle, longest = milliseconds(*found.to_the_watcher)
    print(f"\nfrom a move to its watcher: p50 {middle} ms, longest {longest} ms")
    return sum(found.per_stream.values()) / 1024 <= MAX_KILOBYTES


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", default="long,full,watched", help="which parts, separated by commas")
    parser.add_argument("--matches", type=int, default=1_000_000, help="in the larger database")
    parser.add_argument("--streams", type=int, default=10_000, help="watched matches")
    parser.add_argument("--rows", type=int, default=1_000, help="of a long match")
    parser.add_argument("--long-matches", type=int, default=32, help="matches of each length")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=300, help="of each kind in each round")
    parser.add_argument("--seconds", type=float, default=3.0, help="of moves in each round")
    parser.add_argument("--short", action="store_true", help="much less of everything: a minute")
    asked = parser.parse_args(words)
    if asked.short:
        vars(asked).update(SHORT)
    return asked


def main() -> None:
    asked = options()
    configure_logs("warning", LogFormat.CONSOLE)  # the log of moves is used here, too
    sys.excepthook = sys.__excepthook__  # says also what a refusal was
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; River Dragons; medians"
    )
    print("CPU: microseconds of rules server and platform server + Postgres")
    wanted = asked.parts.split(",")
    cheap = True
    with tempfile.TemporaryDirectory(prefix="foldtable-bench-") as name:
        folder = Path(name)
        if "long" in wanted:
            with running_system(folder / "long", "--log-level", "warning") as system:
                long(system, asked)
        if "full" in wanted:
            full(folder, asked)
        if "watched" in wanted:
            with running_system(folder / "watched", "--log-level", "warning") as system:
                cheap = watched(system, asked)
    if not (cheap or asked.short):  # with few streams, what is loaded once counts for too much
        sys.exit(f"a watcher costs more than {MAX_KILOBYTES} KB")


if __name__ == "__main__":
    main()
