"""What many open matches with a watcher each cost: memory in every process, and what a move takes beside them.

Every match is created, and one event stream of it is opened through the gateway. The client's sockets are on the same
machine, and not counted.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import uvloop

from tests.bench.bench_rest import rest_round, writer_of
from tests.bench.event_streams import WARM_UP_STREAMS, Stream, Table, close_streams, open_streams
from tests.bench.flat.costs import Cost
from tests.bench.flat.rpc_client import RpcClient
from tests.bench.prepared_moves import prepare
from tests.bench.processor_time import children_of
from tests.bench.targets import target_of
from tests.support.running_system import System

SEATS: Final = 6
CONCURRENCY: Final = 32
MAX_PER_SECOND: Final = 6_000
MOVED: Final = 100
"""Of the watched matches so many are moved in."""
CREATING_AT_ONCE: Final = 8
OTHER_FILES: Final = 500
"""Open files of the client beside a socket for each stream."""
PROCESSES: Final = ("gateway", "rules", "platform", "postgres")
PROGRAM: Final = ["stone1", "stone2", "plank1", "move1", "jump"]


@dataclass(frozen=True)
class Watched:
    """What was measured."""

    matches: int
    idle: dict[str, int]
    """Bytes by process before there were matches."""
    per_match: dict[str, float]
    """Bytes that a match costs that was created, and that nobody watches."""
    per_stream: dict[str, float]
    """Bytes more while each match has a stream."""
    alone: tuple[Cost, ...]
    """Moves over REST in other matches, before the streams were opened and after they were closed."""
    beside: tuple[Cost, ...]
    """The same moves while they are open."""
    to_the_watcher: tuple[float, float]
    """Seconds from sending a move in a watched match to its stream, p50 and the longest."""


def measure(system: System, matches: int, seconds: float, rounds: int) -> Watched:
    """Create matches, open their streams, and make moves before, meanwhile and afterwards."""
    _allow_open_files(matches + OTHER_FILES)
    with RpcClient(system) as client:
        _open_and_close(system, _tables(client, WARM_UP_STREAMS))
        alone = [_moves(system, seconds) for _ in range(rounds)]
        idle = memory(system)
        tables = _tables(client, matches)
    created = memory(system)

    async def watched() -> tuple[dict[str, int], list[float], list[Stream]]:
        streams = await open_streams(system.address, tables, matches)
        open_memory = memory(system)
        return open_memory, await _told(system, tables[:MOVED], streams), streams

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        opened, times, streams = runner.run(watched())
        # The streams stay open, and idle, while another loop makes the moves.
        beside = [_moves(system, seconds) for _ in range(rounds)]
        runner.run(close_streams(streams))
    alone += [_moves(system, seconds) for _ in range(rounds)]
    return Watched(
        matches,
        idle,
        {name: (created[name] - idle[name]) / matches for name in PROCESSES},
        {name: (opened[name] - created[name]) / matches for name in PROCESSES},
        tuple(alone),
        tuple(beside),
        (statistics.median(times), max(times)),
    )


def memory(system: System) -> dict[str, int]:
    """Return the bytes of each process with its children; a page that several share counts in parts."""
    return {name: sum(map(_proportional_bytes, children_of(system.part(name)["pid"]))) for name in PROCESSES}


def _proportional_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _tables(client: RpcClient, number: int) -> list[Table]:
    with ThreadPoolExecutor(CREATING_AT_ONCE) as threads:
        return list(threads.map(lambda _: _table(client), range(number)))


def _table(client: RpcClient) -> Table:
    created = client.create(SEATS)
    tokens = [given.token for given in created.tokens]
    return Table(created.match.match_id, tokens, tokens)


def _open_and_close(system: System, tables: Sequence[Table]) -> None:
    async def run() -> None:
        await close_streams(await open_streams(system.address, tables, len(tables)))

    uvloop.run(run())


def _moves(system: System, seconds: float) -> Cost:
    target = target_of(system)
    each = round(seconds * MAX_PER_SECOND / CONCURRENCY)
    work = [prepare(target, {}, SEATS, each, writer_of(target)) for _ in range(CONCURRENCY)]
    made = rest_round(target, work, seconds)
    assert made.spent is not None
    return Cost(made.p50, made.p99, made.spent.per_move)


async def _told(system: System, tables: Sequence[Table], streams: Sequence[Stream]) -> list[float]:
    """Make a move in some matches, one after another; return the seconds until each one's stream had it."""
    times = []
    async with httpx.AsyncClient(base_url=system.address, timeout=30, trust_env=False) as client:
        for table, stream in zip(tables, streams, strict=False):
            body = {"action": {"type": "submit_program", "cards": PROGRAM}, "expected_version": 1}
            headers = {"Authorization": f"Bearer {table.tokens[0]}"}
            sent = time.perf_counter()
            answer = await client.post(f"/v1/matches/{table.match_id}/moves", json=body, headers=headers)
            answer.raise_for_status()
            async with asyncio.timeout(30):
                while not stream.moves:  # noqa: ASYNC110 - the clock is in the stream
                    await asyncio.sleep(0.001)
            times.append(stream.moved_at - sent)
    return times


def _allow_open_files(number: int) -> None:
    """Let this process have so many open files. Raises SystemExit if the machine does not allow it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < number:
        raise SystemExit(
            f"{number:,} open files are needed; `ulimit -Hn` allows {hard:,}: ask for fewer --streams"
        )
    if soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
