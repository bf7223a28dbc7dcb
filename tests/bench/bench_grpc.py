"""Moves accepted per second over `MatchService.Play`, streamed, straight to the rules server. Beside bare INSERTs.

Starts a system of its own (`foldtable up`, fsync on), or measures the one named by --url, --key, --database-url and
--rules-address. The gateway takes no part.

How the load is made. Every call is ready bytes before the clock starts (prepared_moves.py); a message is the calls that
are ready at the same moment, one after another, as protobuf writes a repeated field. Every match has one move under
way: when its reply is read, its next call goes into the message that is written next. The client reads of a reply
what it must: it is accepted, with the version after the expected one; anything else ends the benchmark. Moves and bare
INSERTs (bare_inserts.py) take turns for several rounds; medians count.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import grpc
import uvloop

from foldtable.matches.v1.play_pb2 import ActRequest, PlayCall, PlayRequest, PlayResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from tests.bench.bare_inserts import insert_lines, insert_rounds, rows_table
from tests.bench.measured_rounds import Round, middle, moves_lines
from tests.bench.prepared_moves import PreparedMove, prepare
from tests.bench.processor_time import spent_between
from tests.bench.targets import Target, a_target, add_target_options

PLAY = "/foldtable.matches.v1.MatchService/Play"
Stream = grpc.aio.StreamStreamCall[bytes, bytes]


class ReadyCall(NamedTuple):
    """One call of a stream, as it stands in a message."""

    written: bytes
    version: int
    """What the match has after it."""


class Exchange:
    """The matches of one stream: which call each has under way, and how long the answered ones took."""

    def __init__(self, work: Sequence[Sequence[ReadyCall]], deadline: float) -> None:
        self._calls = [iter(calls) for calls in work]
        self._deadline = deadline
        self._versions = [0] * len(work)
        self._sent = [0.0] * len(work)
        self._under_way = 0
        self.latencies: list[float] = []
        self.messages = 0

    async def run(self, stream: Stream) -> None:
        """Send calls and take in their replies until the time is up and all are answered."""
        await stream.write(self._message(range(len(self._calls))))
        while self._under_way:
            replies = await stream.read()
            assert isinstance(replies, bytes), "the rules server has ended the stream"
            answered = self._take_in(replies)
            if time.perf_counter() < self._deadline and (message := self._message(answered)):
                await stream.write(message)
        await stream.done_writing()

    def _take_in(self, message: bytes) -> list[int]:
        """Check a message of replies, and return the numbers of its matches."""
        answered = []
        now = time.perf_counter()
        for reply in PlayResponse.FromString(message).replies:
            number = reply.call_id
            if reply.accepted.version != self._versions[number]:
                raise RuntimeError(f"version {self._versions[number]} was expected, not {reply}")
            self.latencies.append(now - self._sent[number])
            answered.append(number)
        self._under_way -= len(answered)
        return answered

    def _message(self, numbers: Sequence[int]) -> bytes:
        """Return the next calls of some matches as one message; empty if they have none left."""
        now = time.perf_counter()
        written = []
        for number in numbers:
            call = next(self._calls[number], None)
            if call is not None:
                self._versions[number] = call.version
                self._sent[number] = now
                written.append(call.written)
        self._under_way += len(written)
        self.messages += bool(written)
        return b"".join(written)


def writer_of(number: int) -> Callable[[PreparedMove], ReadyCall]:
    """Return what writes a move as a call of the match with this number on its stream."""

    def write(move: PreparedMove) -> ReadyCall:
        act = ActRequest(
            match_id=move.match_id,
            request_id=move.request_id,
            expected_version=move.version,
            action=Payload(json=move.action),
            form=PAYLOAD_FORM_JSON,
        )
        call = PlayCall(call_id=number, authorization=f"Bearer {move.token}", act=act)
        return ReadyCall(PlayRequest(calls=[call]).SerializeToString(), move.version + 1)

    return write


def grpc_round(
    target: Target, work: Sequence[Sequence[ReadyCall]], seconds: float, streams: int
) -> tuple[Round, float]:
    """Play matches over streams until the time is up; return what it came to, and how many moves shared a message."""

    async def run() -> tuple[Round, float]:
        async with grpc.aio.insecure_channel(target.rules_address) as channel:
            # Without serializers, messages are bytes both ways.
            opened: list[Stream] = [channel.stream_stream(PLAY)() for _ in range(streams)]
            for stream in opened:
                await stream.wait_for_connection()
            before = target.parts.read()
            began, worked = time.perf_counter(), time.process_time()
            exchanges = [Exchange(work[n::streams], began + seconds) for n in range(streams)]
            await asyncio.gather(*map(Exchange.run, exchanges, opened))
            took = time.perf_counter() - began
            client = time.process_time() - worked
            after = target.parts.read()
        if took < seconds * 0.8:
            raise SystemExit(f"the prepared moves were used up after {took:.1f} s; ask for fewer seconds")
        latencies = [one for exchange in exchanges for one in exchange.latencies]
        cuts = statistics.quantiles(latencies, n=100)
        spent = spent_between(before, after, client=client, moves=len(latencies))
        made = Round(len(latencies) / took, cuts[49], cuts[98], client / took, spent)
        return made, len(latencies) / sum(exchange.messages for exchange in exchanges)

    return uvloop.run(run())


def measure(target: Target, arguments: argparse.Namespace, concurrency: int) -> None:
    """Let moves and rows take turns, and print the medians."""
    streams = min(arguments.streams, concurrency)
    moves: list[Round] = []
    together: list[float] = []
    inserts: dict[str, list[Round]] = {}
    each = round(arguments.seconds * arguments.most_per_second / concurrency) + 50
    for _ in range(arguments.rounds):
        work = [
            prepare(target, {"variant": arguments.variant}, arguments.seats, each, writer_of(n // streams))
            for n in range(concurrency)
        ]
        made, shared = grpc_round(target, work, arguments.seconds, streams)
        moves.append(made)
        together.append(shared)
        for name, rows in insert_rounds(target, concurrency, arguments.seconds):
            inserts.setdefault(name, []).append(rows)
    print(f"\n{concurrency} concurrent match{'es' if concurrency > 1 else ''}")
    for line in (
        *moves_lines("moves over gRPC, durable", moves),
        f"moves a message: {statistics.median(together):.1f}",
        *insert_lines(middle(moves, "per_second"), inserts),
    ):
        print(f"  {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--concurrency", default="1,8,32,64", help="how many matches at once, separated by commas"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each kind in each round")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--variant", default="islands")
    parser.add_argument(
        "--most-per-second", type=int, default=12_000, help="how many requests are made ready per second"
    )
    parser.add_argument("--streams", type=int, default=2, help="over how many streams the matches are spread")
    add_target_options(parser)
    arguments = parser.parse_args()
    if arguments.url and not arguments.rules_address:
        sys.exit("--url goes with --rules-address here")
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; River Dragons "
        f"({arguments.variant}), {arguments.seats} seats; {arguments.rounds} rounds of {arguments.seconds} s, medians; "
        f"{arguments.streams} stream{'s' if arguments.streams > 1 else ''}"
    )
    with a_target(arguments) as target, rows_table(target):
        for concurrency in map(int, arguments.concurrency.split(",")):
            measure(target, arguments, concurrency)


if __name__ == "__main__":
    main()
