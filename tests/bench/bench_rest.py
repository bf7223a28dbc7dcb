"""Moves accepted per second end to end: HTTP, gateway, rules server, durable row, answer. Beside bare INSERTs.

Starts a system of its own (`foldtable up`, fsync on), or measures the one named by --url, --key and --database-url.

How the load is made. Every match is created over REST; its set-up, which alone holds luck in the games measured here,
is read as the referee sees it, and the rest of a random match is played ahead with a copy of the engine. So all
requests are ready bytes before the clock starts, and the client only writes one, waits for its answer, and writes the
next, on one keep-alive connection per match. Its own share of a core is shown: it takes that from the system, which
runs on the same machine. Every answer must be 200 with the expected version; anything else ends the benchmark.

Beside it, on the same Postgres and at the same concurrency: rows of the same size, one INSERT and COMMIT each, by a
psycopg loop (a connection per match, pipelining nothing) and by pgbench, where its binary is at hand. The three take
turns for several rounds; medians count.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import psycopg
import uvloop

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.match.replay import fold
from engine.registry import game as registered_game
from services.embedded_postgres import BinariesMissing
from services.embedded_postgres.binaries import binaries_folder
from tests.bench.processor_time import Parts, Spent, parts_of, spent_between
from tests.support.running_system import running_system

ROW_BYTES = 700
"""About what a move of River Dragons takes: request, events, hashes."""
CREATE_TABLE = (
    "CREATE TABLE IF NOT EXISTS bench_rows (id uuid, seq int, payload bytea, PRIMARY KEY (id, seq))"
)
INSERT = "INSERT INTO bench_rows VALUES (gen_random_uuid(), 1, %s)"
PGBENCH_SCRIPT = (
    f"INSERT INTO bench_rows VALUES (gen_random_uuid(), 1, decode(repeat('ab', {ROW_BYTES}), 'hex'));\n"
)


@dataclass(frozen=True)
class Target:
    """What is measured."""

    address: str
    key: str
    database_url: str
    parts: Parts
    """The processes whose processor time is counted; empty for a system that somebody else started."""


@dataclass(frozen=True)
class Round:
    """What one round of one kind came to."""

    per_second: float
    p50: float = 0.0
    p99: float = 0.0
    """Seconds."""
    client_share: float = 0.0
    """Of one core."""
    spent: Spent | None = None
    """Processor time by process, and how idle the machine was."""


class MatchConnection(asyncio.Protocol):
    """One keep-alive connection that sends ready requests one after another."""

    def __init__(self, requests: Sequence[bytes], deadline: float, latencies: list[float]) -> None:
        self._requests = iter(requests)
        self._deadline = deadline
        self._latencies = latencies
        self._sent = 0.0
        self._buffer = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        lower = self._buffer[:head_end].lower()
        at = lower.index(b"content-length: ") + 16
        length = int(lower[at : (lower + b"\r\n").index(b"\r\n", at)])
        if len(self._buffer) < head_end + 4 + length:
            return
        if not self._buffer.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(self._buffer.decode(errors="replace")))
            return
        self._buffer = b""
        self._latencies.append(time.perf_counter() - self._sent)
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the gateway closed the connection"))

    def _next(self) -> None:
        now = time.perf_counter()
        request = next(self._requests, None) if now < self._deadline else None
        if request is None:
            self.done.set_result(None)
            self._transport.close()
            return
        self._sent = now
        self._transport.write(request)


def prepare(target: Target, options: dict[str, Any], seats: int, moves: int) -> list[bytes]:
    """Create matches and play them ahead, until there are at least so many ready requests, one after another."""
    requests: list[bytes] = []
    headers = {"Authorization": f"Bearer {target.key}"}
    with httpx.Client(base_url=target.address, headers=headers, timeout=30, trust_env=False) as client:
        while len(requests) < moves:
            body = {"game": "river_dragons", "seats": seats, "options": options}
            created = client.post("/v1/matches", json=body).raise_for_status().json()
            match_id = created["match"]["match_id"]
            first = client.get(
                f"/v1/matches/{match_id}/moves", params={"audience": "referee"}
            ).raise_for_status()
            setup = msgspec.json.encode(first.json()["moves"][0]["events"])
            tokens = {given["seat"]: given["token"] for given in created["seat_tokens"]}
            requests += played_ahead(target, match_id, setup, tokens)
    return requests[:moves]


def played_ahead(target: Target, match_id: str, setup: bytes, tokens: dict[int, str]) -> Iterator[bytes]:
    """Yield the requests of a random match from its set-up to its end."""
    game = registered_game("river_dragons")
    state = fold(game, game.event_codec.decode_many(setup))
    choices = SeededChance(sha256(match_id.encode()).digest(), 0)
    version = 1
    host = target.address.removeprefix("http://")
    while waited_for := game.to_act(state):
        seat = waited_for[choices.below(len(waited_for))]
        action = game.sample(state, seat, choices)
        body = b'{"action":%b,"expected_version":%d,"request_id":"%b"}' % (
            encode(action),
            version,
            str(uuid4()).encode(),
        )
        yield (
            f"POST /v1/matches/{match_id}/moves HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {tokens[seat]}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        state = fold(game, game.decide(state, seat, action, ScriptedChance()), state)
        version += 1


def rest_round(target: Target, work: Sequence[Sequence[bytes]], seconds: float) -> Round:
    """Send ready requests, each list on a connection of its own, until the time is up."""

    async def run() -> Round:
        loop = asyncio.get_running_loop()
        latencies: list[float] = []
        host, port = target.address.removeprefix("http://").split(":")
        before = target.parts.read()
        began, worked = time.perf_counter(), time.process_time()
        connections = [
            await loop.create_connection(
                lambda requests=requests: MatchConnection(requests, began + seconds, latencies),
                host,
                int(port),
            )
            for requests in work
        ]
        await asyncio.gather(*(connection.done for _, connection in connections))
        took = time.perf_counter() - began
        if took < seconds * 0.8:
            raise SystemExit(f"the prepared requests were used up after {took:.1f} s; ask for fewer seconds")
        cuts = statistics.quantiles(latencies, n=100)
        client = time.process_time() - worked
        spent = spent_between(before, target.parts.read(), client=client, moves=len(latencies))
        return Round(len(latencies) / took, cuts[49], cuts[98], client / took, spent)

    return uvloop.run(run())


def insert_round(target: Target, concurrency: int, seconds: float) -> Round:
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


@contextmanager
def a_target(arguments: argparse.Namespace) -> Iterator[Target]:
    """Yield the system that was named, or start one."""
    if arguments.url:
        yield Target(arguments.url.rstrip("/"), arguments.key, arguments.database_url, Parts({}))
        return
    with (
        tempfile.TemporaryDirectory(prefix="foldtable-bench-") as folder,
        running_system(Path(folder) / "home", "--log-level", "warning") as system,
    ):
        yield Target(system.address, system.key, system.part("postgres")["address"], parts_of(system))


def measure(target: Target, arguments: argparse.Namespace, concurrency: int) -> None:
    """Let the three take turns, and print the medians."""
    binary = pgbench_binary()
    options = {"variant": arguments.variant}
    rounds: dict[str, list[Round]] = {"rest": [], "insert": [], "pgbench": []}
    per_connection = round(arguments.seconds * arguments.most_per_second / concurrency) + 50
    for _ in range(arguments.rounds):
        work = [prepare(target, options, arguments.seats, per_connection) for _ in range(concurrency)]
        rounds["rest"].append(rest_round(target, work, arguments.seconds))
        rounds["insert"].append(insert_round(target, concurrency, arguments.seconds))
        if binary is not None:
            rounds["pgbench"].append(pgbench_round(target, binary, concurrency, arguments.seconds))
    report(concurrency, rounds)


def middle(rounds: list[Round], name: str) -> float:
    return statistics.median(getattr(one, name) for one in rounds)


def report(concurrency: int, rounds: dict[str, list[Round]]) -> None:
    """Print one block."""
    rest = rounds["rest"]
    rate = middle(rest, "per_second")
    spread = f"{min(one.per_second for one in rest):,.0f} to {max(one.per_second for one in rest):,.0f}"
    print(f"\n{concurrency} concurrent match{'es' if concurrency > 1 else ''}")
    print(
        f"  moves over REST, durable     {rate:>9,.0f} /s   p50 {middle(rest, 'p50') * 1000:.2f} ms   "
        f"p99 {middle(rest, 'p99') * 1000:.2f} ms   (rounds {spread}; client {middle(rest, 'client_share'):.0%} of a core)"
    )
    spent = [one.spent for one in rest if one.spent is not None]
    if spent:
        print(f"  {Spent.middle(spent)}")
    for name, title in (("insert", "INSERT and COMMIT, psycopg"), ("pgbench", "INSERT and COMMIT, pgbench")):
        if rounds[name]:
            other = middle(rounds[name], "per_second")
            print(f"  {title:<28} {other:>9,.0f} /s   moves / rows = {rate / other:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--concurrency", default="1,32", help="how many matches at once, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each kind in each round")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--variant", default="islands")
    parser.add_argument(
        "--most-per-second", type=int, default=12_000, help="how many requests are made ready per second"
    )
    parser.add_argument(
        "--url", default="", help="a gateway that runs already; with --key and --database-url"
    )
    parser.add_argument("--key", default="")
    parser.add_argument("--database-url", default="")
    arguments = parser.parse_args()
    if arguments.url and not (arguments.key and arguments.database_url):
        sys.exit("--url goes with --key and --database-url")
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; River Dragons "
        f"({arguments.variant}), {arguments.seats} seats; {arguments.rounds} rounds of {arguments.seconds} s, medians"
    )
    with (
        a_target(arguments) as target,
        psycopg.connect(target.database_url, autocommit=True) as connection,
    ):
        connection.execute(CREATE_TABLE)
        for concurrency in map(int, arguments.concurrency.split(",")):
            measure(target, arguments, concurrency)
        connection.execute("DROP TABLE bench_rows")


if __name__ == "__main__":
    main()
