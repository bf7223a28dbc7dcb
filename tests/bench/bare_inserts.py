"""What moves are compared with: rows of the same size, one INSERT and COMMIT each, on the same Postgres.

By a psycopg loop (a connection per match, pipelining nothing) and by pgbench, where its binary is at hand.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import psycopg

from services.embedded_postgres import BinariesMissing
from services.embedded_postgres.binaries import binaries_folder
from tests.bench.measured_rounds import Round, middle
from tests.bench.targets import Target

ROW_BYTES = 700
"""About what a move of River Dragons takes: request, events, hashes."""
CREATE_TABLE = (
    "CREATE TABLE IF NOT EXISTS bench_rows (id uuid, seq int, payload bytea, PRIMARY KEY (id, seq))"
)
INSERT = "INSERT INTO bench_rows VALUES (gen_random_uuid(), 1, %s)"
PGBENCH_SCRIPT = (
    f"INSERT INTO bench_rows VALUES (gen_random_uuid(), 1, decode(repeat('ab', {ROW_BYTES}), 'hex'));\n"
)


@contextmanager
def rows_table(target: Target) -> Iterator[None]:
    """Have the table of the rows exist meanwhile."""
    with psycopg.connect(target.database_url, autocommit=True) as connection:
        connection.execute(CREATE_TABLE)
        yield
        connection.execute("DROP TABLE bench_rows")


def psycopg_round(target: Target, concurrency: int, seconds: float) -> Round:
    """Insert and commit single rows, a thread with a connection of its own each."""
    payload = os.urandom(ROW_BYTES)
    counts = [0] * concurrency
    deadline = time.perf_counter() + seconds

    def loop(number: int) -> None:
        with psycopg.connect(target.database_url, autocommit=True, prepare_threshold=0) as connection:
            while time.perf_counter() < deadline:
                connection.execute(INSERT, (payload,))
                counts[number] += 1

    threads = [threading.Thread(target=loop, args=(number,)) for number in range(concurrency)]
    began, worked = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - began
    return Round(sum(counts) / took, client_share=(time.process_time() - worked) / took)


def pgbench_binary() -> str | None:
    """Return the binary that came with the embedded Postgres, or one on the path."""
    try:
        ours = binaries_folder() / "pgbench"
    except BinariesMissing:
        return shutil.which("pgbench")
    return str(ours) if ours.exists() else shutil.which("pgbench")


def pgbench_round(target: Target, binary: str, concurrency: int, seconds: float) -> Round:
    """Insert and commit single rows with pgbench."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(PGBENCH_SCRIPT)
        script.flush()
        words = [binary, "-n", "-M", "prepared", "-f", script.name, "-c", str(concurrency)]
        words += ["-j", str(min(concurrency, os.cpu_count() or 1)), "-T", str(max(1, round(seconds)))]
        done = subprocess.run([*words, target.database_url], capture_output=True, text=True, check=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("tps =")]
    return Round(float(line.split()[2]))


def insert_rounds(target: Target, concurrency: int, seconds: float) -> Iterator[tuple[str, Round]]:
    """Yield a round of each kind that is at hand, with its name."""
    yield "psycopg", psycopg_round(target, concurrency, seconds)
    if (binary := pgbench_binary()) is not None:
        yield "pgbench", pgbench_round(target, binary, concurrency, seconds)


def insert_lines(rate: float, rounds: Mapping[str, Sequence[Round]]) -> list[str]:
    """Describe the rounds of rows beside a rate of moves."""
    lines = []
    for name, those in rounds.items():
        other = middle(those, "per_second")
        lines.append(
            f"{f'INSERT and COMMIT, {name}':<28} {other:>9,.0f} /s   moves / rows = {rate / other:.2f}"
        )
    return lines
