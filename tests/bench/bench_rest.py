"""Moves accepted per second end to end: HTTP, gateway, rules server, durable row, answer. Beside bare INSERTs.

Starts a system of its own (`foldtable up`, fsync on), or measures the one named by --url, --key and --database-url.

How the load is made. All requests are ready bytes before the clock starts (prepared_moves.py), and the client only
writes one, waits for its answer, and writes the next, on one keep-alive connection per match. Its own share of a core
is shown: it takes that from the system, which runs on the same machine. Every answer must be 200 with the expected
version; anything else ends the benchmark. Moves and bare INSERTs (bare_inserts.py) take turns for several rounds;
medians count.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import uvloop

from tests.bench.bare_inserts import insert_lines, insert_rounds, rows_table
from tests.bench.measured_rounds import Round, middle, moves_lines
from tests.bench.prepared_moves import PreparedMove, prepare
from tests.bench.processor_time import spent_between
from tests.bench.targets import Target, a_target, add_target_options


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


def writer_of(target: Target) -> Callable[[PreparedMove], bytes]:
    """Return what writes a move as a request to the gateway."""
    host = target.address.removeprefix("http://")

    def write(move: PreparedMove) -> bytes:
        body = b'{"action":%b,"expected_version":%d,"request_id":"%b"}' % (
            move.action,
            move.version,
            move.request_id.encode(),
        )
        head = (
            f"POST /v1/matches/{move.match_id}/moves HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {move.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    return write


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
                partial(MatchConnection, requests, began + seconds, latencies), host, int(port)
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


def measure(target: Target, arguments: argparse.Namespace, concurrency: int) -> None:
    """Let the three take turns, and print the medians."""
    options = {"variant": arguments.variant}
    moves: list[Round] = []
    inserts: dict[str, list[Round]] = {}
    per_connection = round(arguments.seconds * arguments.most_per_second / concurrency) + 50
    write = writer_of(target)
    for _ in range(arguments.rounds):
        work = [prepare(target, options, arguments.seats, per_connection, write) for _ in range(concurrency)]
        moves.append(rest_round(target, work, arguments.seconds))
        for name, made in insert_rounds(target, concurrency, arguments.seconds):
            inserts.setdefault(name, []).append(made)
    print(f"\n{concurrency} concurrent match{'es' if concurrency > 1 else ''}")
    for line in (
        *moves_lines("moves over REST, durable", moves),
        *insert_lines(middle(moves, "per_second"), inserts),
    ):
        print(f"  {line}", flush=True)


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
    add_target_options(parser)
    arguments = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; River Dragons "
        f"({arguments.variant}), {arguments.seats} seats; {arguments.rounds} rounds of {arguments.seconds} s, medians"
    )
    with a_target(arguments) as target, rows_table(target):
        for concurrency in map(int, arguments.concurrency.split(",")):
            measure(target, arguments, concurrency)


if __name__ == "__main__":
    main()
