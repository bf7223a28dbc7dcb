"""How fast is the log? Appends per second through PostgresLog, beside a bare INSERT loop and beside pgbench.

    python tests/bench/bench_log.py --seconds 2 --rounds 5

All three write rows of the same size, each durable before the next of its match, to the same server over the
same kind of connection, in turns. Figures are medians of the rounds; the ratios matter, not the numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import platform
import re
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from uuid import uuid4

import psycopg
import uvloop

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.embedded_postgres.binaries import binaries_folder
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, Status
from services.postgres.database import DatabaseSettings
from services.process.structured_logs import LogFormat, configure_logs

SECRET = bytes(32)
HASH = bytes(32)
REQUEST = b'{"type":"' + b"q" * 109 + b'"}'
EVENTS = b'[{"type":"' + b"e" * 467 + b'"}]'

BARE_TABLE = "CREATE TABLE IF NOT EXISTS bare_moves (LIKE moves INCLUDING INDEXES)"
BARE_INSERT = """
INSERT INTO bare_moves (match_id, recorded_at, seq, seat, request_id, previous_hash, hash, request, events)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
PGBENCH_SCRIPT = """
\\set seq :seq + 1
INSERT INTO bare_moves (match_id, recorded_at, seq, seat, request_id, previous_hash, hash, request, events)
VALUES (lpad(to_hex(:run * 1000 + :client_id), 32, '0')::uuid, now(), :seq, 1, :client_id || '-' || :seq,
'\\x{hash}', '\\x{hash}', '\\x{request}', '\\x{events}');
"""


def a_match() -> Match:
    now = datetime.now(UTC)
    return Match(
        id=uuid4(),
        tenant="bench",
        game="harbour",
        rules_version="1",
        seats=4,
        options=b"{}",
        secret=SECRET,
        commitment=hashlib.sha256(SECRET).digest(),
        created_at=now,
        updated_at=now,
    )


def a_move(match: Match, seq: int) -> Append:
    move = Move(
        match_id=match.id,
        seq=seq,
        seat=1,
        request_id=f"{seq}-0a6f9d1c-97a4-4a5e-9b5e-2d0f4c",
        request=REQUEST,
        events=EVENTS,
        previous_hash=HASH,
        hash=HASH,
        recorded_at=datetime.now(UTC),
    )
    return Append(move=move, status=Status.RUNNING, to_act=(1, 2))


async def through_the_log(url: str, matches: int, seconds: float, lanes: int) -> float:
    """Appends per second; each match awaits its own previous append."""
    async with await PostgresLog.open(DatabaseSettings(url, writers=lanes)) as log:
        stored = [await log.create(a_match(), []) for _ in range(matches)]

        def writer(match: Match) -> Callable[[int], Awaitable[object]]:
            return lambda seq: log.append(a_move(match, seq))

        return await _rate([writer(match) for match in stored], seconds)


async def bare_inserts(url: str, clients: int, seconds: float) -> float:
    """Single-row inserts per second, autocommit, a connection for each client."""
    connections = [
        await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)
        for _ in range(clients)
    ]

    def writer(connection: psycopg.AsyncConnection) -> Callable[[int], Awaitable[object]]:
        match_id = uuid4()
        return lambda seq: connection.execute(
            BARE_INSERT,
            (match_id, datetime.now(UTC), seq, 1, str(seq), HASH, HASH, REQUEST, EVENTS),
            binary=True,
        )

    try:
        return await _rate([writer(connection) for connection in connections], seconds)
    finally:
        for connection in connections:
            await connection.close()


def pgbench(url: str, clients: int, seconds: float, run: int) -> float:
    """The same inserts by pgbench: C, no event loop, two threads."""
    script = PGBENCH_SCRIPT.format(hash=HASH.hex(), request=REQUEST.hex(), events=EVENTS.hex())
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        command = (
            *(str(binaries_folder() / "pgbench"), "--no-vacuum", "--protocol=prepared"),
            *(f"--file={file.name}", f"--client={clients}", f"--jobs={min(clients, os.cpu_count() or 1)}"),
            *(f"--time={max(1, round(seconds))}", "--define=seq=0", f"--define=run={run}", url),
        )
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


async def _rate(writers: list[Callable[[int], Awaitable[object]]], seconds: float) -> float:
    end = time.perf_counter() + seconds

    async def write(one: Callable[[int], Awaitable[object]]) -> int:
        seq = 0
        while time.perf_counter() < end:
            seq += 1
            await one(seq)
        return seq

    began = time.perf_counter()
    counts = await asyncio.gather(*map(write, writers))
    return sum(counts) / (time.perf_counter() - began)


def bench(url: str, given: argparse.Namespace) -> None:
    """Take turns, then print a line for each number of matches."""
    migrate(url)
    with psycopg.connect(url) as connection:
        connection.execute(BARE_TABLE)
    print(
        f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, rows of about 800 bytes"
    )
    print(
        f"{'matches':>8}{'log':>10}{'bare':>10}{'pgbench':>10}{'log/bare':>10}{'log/pgbench':>13}   per second"
    )
    run = int(time.time()) % 1_000_000
    for matches in given.matches:
        figures: dict[str, list[float]] = {"log": [], "bare": [], "pgbench": []}
        for _ in range(given.rounds):
            run += 1
            figures["log"].append(uvloop.run(through_the_log(url, matches, given.seconds, given.lanes)))
            figures["bare"].append(uvloop.run(bare_inserts(url, matches, given.seconds)))
            figures["pgbench"].append(pgbench(url, matches, given.seconds, run))
        log, bare, raw = (median(figures[name]) for name in ("log", "bare", "pgbench"))
        print(
            f"{matches:>8}{log:>10.0f}{bare:>10.0f}{raw:>10.0f}{log / bare:>10.2f}{log / raw:>13.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="length of one measurement (default 2)")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each kind (default 5)")
    parser.add_argument(
        "--matches", type=int, nargs="+", default=[1, 32], help="concurrent matches (default 1 32)"
    )
    parser.add_argument(
        "--lanes", type=int, default=DatabaseSettings.writers, help="batches under way at once (default 2)"
    )
    parser.add_argument(
        "--url", help="a Postgres of your own (its database is written to); default: an embedded one"
    )
    given = parser.parse_args()
    configure_logs("warning", LogFormat.CONSOLE)  # a line for each append would be measured, too
    with ExitStack() as stack:
        url = given.url
        if url is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldtable-bench-")))
            url = stack.enter_context(EmbeddedPostgres(folder / "postgres")).url
        bench(url, given)


if __name__ == "__main__":
    main()
