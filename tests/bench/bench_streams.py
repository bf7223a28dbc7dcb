"""What an idle event stream costs the gateway, and how long a move takes to reach all of them.

For every case a system of its own is started (`foldtable up`). So many streams are opened over real sockets, and once
they are idle the resident memory of the processes is compared with what it was before. Then moves are made, one after
another, and the time is taken from sending one until the last stream of its match has it. Three cases: all streams on
one match, ten on each of many matches, one on each of as many matches. The first streams of a process also pay for what
is loaded once, so a few are opened and closed before memory is read for the first time. The client runs on the same
machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvloop

from tests.bench.event_streams import (
    MAX_KILOBYTES,
    WARM_UP_STREAMS,
    Stream,
    Table,
    close_streams,
    open_streams,
    resident,
)
from tests.support.running_system import running_system

MATCHES_MOVED = 100
"""Of many matches so many are moved in."""


@dataclass(frozen=True)
class Case:
    """What was measured; of the times the medians over the moves."""

    name: str
    gateway_kilobytes: float
    rules_kilobytes: float
    first_ms: float
    last_ms: float
    worst_ms: float


async def create_tables(client: httpx.AsyncClient, number: int, key: str) -> list[Table]:
    """Create matches of six, whose first move may be any seat's."""

    async def one() -> Table:
        created = await client.post("/v1/matches", json={"game": "river_dragons", "seats": 6})
        body = created.raise_for_status().json()
        tokens = [given["token"] for given in body["seat_tokens"]]
        # A seat's token may open 120 streams a minute, a key 6 000: one match is followed with the key.
        return Table(body["match"]["match_id"], tokens, tokens if number > 1 else [key])

    tables: list[Table] = []
    for start in range(0, number, 50):
        tables += await asyncio.gather(*(one() for _ in range(min(50, number - start))))
    return tables


async def move(
    client: httpx.AsyncClient, table: Table, version: int, streams: Sequence[Stream]
) -> list[float]:
    """Submit a program, the next seat's, in secret; give the seconds until each stream had it."""
    cards = ["stone1", "stone2", "plank1", "move1", "jump"]
    body = {"action": {"type": "submit_program", "cards": cards}, "expected_version": version}
    headers = {"Authorization": f"Bearer {table.tokens[version - 1]}"}
    sent = time.perf_counter()
    answer = await client.post(f"/v1/matches/{table.match_id}/moves", json=body, headers=headers)
    answer.raise_for_status()
    async with asyncio.timeout(30):
        while any(stream.moves < version for stream in streams):  # noqa: ASYNC110 - the clock is in the streams
            await asyncio.sleep(0.001)
    return sorted(stream.moved_at - sent for stream in streams)


async def moves(
    client: httpx.AsyncClient, tables: Sequence[Table], streams: Sequence[Stream], rounds: int
) -> list[list[float]]:
    """Make some moves, one after another: several in a single match, else one in each of some matches."""
    if len(tables) == 1:
        return [await move(client, tables[0], number, streams) for number in range(1, rounds + 1)]
    return [
        await move(client, table, 1, streams[position :: len(tables)])
        for position, table in enumerate(tables[:MATCHES_MOVED])
    ]


async def measure(name: str, matches: int, number: int, rounds: int) -> Case:
    """Start a system, open the streams of one case, and make moves."""
    with (
        tempfile.TemporaryDirectory(prefix="foldtable-bench-") as folder,
        running_system(Path(folder) / "home", "--log-level", "warning") as system,
    ):
        gateway, rules = system.part("gateway")["pid"], system.part("rules")["pid"]
        async with httpx.AsyncClient(
            base_url=system.address,
            headers={"Authorization": f"Bearer {system.key}"},
            timeout=30,
            trust_env=False,
        ) as client:
            tables = await create_tables(client, matches, system.key)
            await close_streams(await open_streams(system.address, tables, WARM_UP_STREAMS))
            before = resident(gateway), resident(rules)
            streams = await open_streams(system.address, tables, number)
            after = resident(gateway), resident(rules)
            times = await moves(client, tables, streams, rounds)
        await close_streams(streams)
    return Case(
        name=name,
        gateway_kilobytes=(after[0] - before[0]) / number / 1024,
        rules_kilobytes=(after[1] - before[1]) / number / 1024,
        first_ms=statistics.median(one[0] for one in times) * 1000,
        last_ms=statistics.median(one[-1] for one in times) * 1000,
        worst_ms=max(one[-1] for one in times) * 1000,
    )


def report(cases: Sequence[Case]) -> None:
    """Print the table."""
    print(f"\n{'':<26}{'gateway':>11}{'rules':>11}    from the move to its")
    print(f"{'':<26}{'KB/stream':>11}{'KB/stream':>11}{'first':>11}{'last stream':>14}{'(worst)':>12}")
    for case in cases:
        print(
            f"{case.name:<26}{case.gateway_kilobytes:>11.1f}{case.rules_kilobytes:>11.1f}{case.first_ms:>8.1f} ms"
            f"{case.last_ms:>11.1f} ms{case.worst_ms:>9.1f} ms"
        )


async def run(arguments: argparse.Namespace) -> list[Case]:
    number = arguments.streams
    few = max(2, number // 10)
    return [
        await measure(f"{number} on one match", 1, number, arguments.rounds),
        await measure(f"{number} on {few} matches", few, number, arguments.rounds),
        await measure(f"{number} on {number} matches", number, number, arguments.rounds),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--streams", type=int, default=2_000)
    parser.add_argument(
        "--rounds", type=int, default=5, help="moves made in every match; the middle one counts"
    )
    arguments = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; River Dragons, 6 seats; "
        f"{arguments.streams} streams, {arguments.rounds} moves"
    )
    cases = uvloop.run(run(arguments))
    report(cases)
    if max(case.gateway_kilobytes for case in cases) > MAX_KILOBYTES:
        sys.exit(f"an idle stream costs more than {MAX_KILOBYTES} KB")


if __name__ == "__main__":
    main()
