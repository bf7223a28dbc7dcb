"""How many stored rows an audit checks per second of a core: the processor time of the audit and of its Postgres.

    python tests/bench/bench_audit.py --turns 9 --code ../earlier

Matches of all games are played into a database, with clocks, snapshots and events; one of eight has moves taken back. A process
audits all of them again and again, without any other process. With --code another checkout takes turns with this one, so that
whatever else the machine does harms both alike. The lower quartile counts: what others do only ever adds to it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles
from typing import Any

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.process.structured_logs import LogFormat, configure_logs
from tests.bench.processor_time import Parts
from tests.support.auditing import audit
from tests.support.played_matches import CLOCKS, Playing, played

ROOT = Path(__file__).resolve().parents[2]


def serve(url: str) -> None:
    """For each line that comes, audit everything; print the rows, and the seconds of this process's processor."""
    audit(url)  # everything is new once
    for _ in sys.stdin:
        began = time.process_time()
        tally = audit(url)
        if tally.wrong:
            raise RuntimeError(f"{tally.wrong} findings, such as {tally.findings[0]}")
        print(tally.rows.total(), time.process_time() - began, flush=True)


def an_audit(code: Path, url: str) -> subprocess.Popen[str]:
    """Start a checkout in a process of its own."""
    paths = os.pathsep.join((str(code), str(code / "proto" / "gen")))
    return subprocess.Popen(
        [sys.executable, __file__, "--url", url, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=code,
        env={**os.environ, "PYTHONPATH": paths},
    )


def turn(process: subprocess.Popen[str], postgres: Parts) -> tuple[int, float, float]:
    """Have a process audit everything; return the rows, and the processor's seconds of the process and of Postgres."""
    assert process.stdin is not None
    assert process.stdout is not None
    before = sum(postgres.read().by_process.values())
    process.stdin.write("\n")
    process.stdin.flush()
    rows, seconds = process.stdout.readline().split()
    time.sleep(0.2)  # until the connections have ended, and Postgres counts what they took
    return int(rows), float(seconds), sum(postgres.read().by_process.values()) - before


def measure(url: str, postgres: Parts, given: argparse.Namespace, what: str) -> None:
    """Let the checkouts take turns, and print what each came to."""
    codes = {"this checkout": ROOT} | ({"the other": given.code.resolve()} if given.code else {})
    processes = {name: an_audit(code, url) for name, code in codes.items()}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in codes}
    rows = 0
    for number in range(given.turns):
        for name in sorted(processes, reverse=bool(number % 2)):
            rows, *spent = turn(processes[name], postgres)
            found[name].append((sum(spent), spent[1]))
    for process in processes.values():
        process.communicate()
    print(f"{what}, {rows:,} rows")
    rates = {name: _printed(name, rows, spent) for name, spent in found.items()}
    if given.code:
        here, there = rates.values()
        print(f"  ratio {here / there:.2f}")


def _printed(name: str, rows: int, spent: list[tuple[float, float]]) -> float:
    """Print a line, and return the rows per second of a core."""
    whole = quantiles([one for one, _ in spent], n=4)[0]
    of_postgres = quantiles([one for _, one in spent], n=4)[0]
    least = min(one for one, _ in spent)
    print(
        f"  {name:<14} {rows / whole:9,.0f} rows/s of a core ({whole / rows * 1e6:.1f} us a row, of these Postgres "
        f"{of_postgres / rows * 1e6:.1f}; at best {rows / least:,.0f})",
        flush=True,
    )
    return rows / whole


async def play(playing: Playing, matches: int, moves: int) -> None:
    for number in range(matches):
        clock = CLOCKS[number // 3 % len(CLOCKS)]
        await playing.match(number, moves, ends=number % 4 != 1, winds=number % 8 == 1, clock=clock)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--moves", type=int, nargs="+", default=[10, 150], help="of each match, in turn")
    parser.add_argument("--rows", type=int, default=3_000, help="moves of all matches together")
    parser.add_argument("--code", type=Path, help="a checkout that takes turns with this one")
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help="audit for each line that is read")
    given = parser.parse_args()
    configure_logs("warning", LogFormat.CONSOLE)
    if given.serve:
        serve(given.url)
        return
    for moves in given.moves:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldtable-bench-")))
            url = stack.enter_context(EmbeddedPostgres(folder / "postgres")).url
            migrate(url)
            matches = max(1, given.rows // moves)
            asyncio.run(played(url, lambda playing, many=matches, length=moves: play(playing, many, length)))
            measure(url, Parts(_postmaster(folder)), given, f"{matches} matches of {moves} moves")


def _postmaster(folder: Path) -> Mapping[str, Any]:
    """Return the process of Postgres, by name."""
    file = next(folder.rglob("postmaster.pid"))
    return {"postgres": int(file.read_text().split()[0])}


if __name__ == "__main__":
    main()
