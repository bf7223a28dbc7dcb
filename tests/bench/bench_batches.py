"""Seconds for 500 new matches: with one request, all or each, and with 500 requests, one after another or eight at a time.

Meanwhile somebody else looks at a match twenty times a second, to tell how long a batch keeps others waiting. The ways take turns
for several rounds, in another order each time; medians count, of seconds and of the processor's. Every answer must be a success with
a match that has begun.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Final
from uuid import uuid4

import httpx

from tests.bench.targets import Target, a_target, add_target_options

SEATS: Final = 2
LOOK_SECONDS: Final = 0.05
PARTS: Final = ("rules", "gateway", "postgres")
CLOCK: Final = {"kind": "per_move", "seconds": 86_400}
Way = Callable[[httpx.AsyncClient, list[dict[str, Any]]], Awaitable[None]]


def boards(count: int, *, clock: bool) -> list[dict[str, Any]]:
    """Return the plans of matches as a tournament's."""
    run = uuid4().hex
    timed = {"clock": CLOCK} if clock else {}
    return [
        {
            "game": "river_dragons",
            "seats": SEATS,
            "players": [f"{run}-{number}-{seat}" for seat in range(SEATS)],
            "reference": f"{run}/{number}",
            "metadata": {"tournament": run, "round": 1},
            **timed,
        }
        for number in range(count)
    ]


def batch(mode: str, times: int = 1) -> Way:
    """Return the way with one request, repeated with the same id."""

    async def create(client: httpx.AsyncClient, matches: list[dict[str, Any]]) -> None:
        body = {"mode": mode, "matches": matches, "request_id": uuid4().hex}
        for _ in range(times):
            answer = await client.post("/v1/matches/batch", json=body)
            made = [one["created"]["match"]["status"] for one in answer.raise_for_status().json()["results"]]
            assert made == ["running"] * len(matches)

    return create


def alone(at_once: int) -> Way:
    """Return the way with a request for each match."""

    async def create(client: httpx.AsyncClient, matches: list[dict[str, Any]]) -> None:
        waiting = iter(matches)

        async def one_after_another() -> None:
            for match in waiting:
                answer = await client.post("/v1/matches", json=match)
                assert answer.raise_for_status().json()["match"]["status"] == "running"

        await asyncio.gather(*(one_after_another() for _ in range(at_once)))

    return create


WAYS: Final[dict[str, Way]] = {
    "one request, all or none": batch("all"),
    "one request, each by itself": batch("each"),
    "one request, and its repeat": batch("each", times=2),
    "a request for each match": alone(1),
    "a request for each, eight at a time": alone(8),
}


async def measured(
    client: httpx.AsyncClient, way: Way, matches: list[dict[str, Any]], look: str
) -> tuple[float, list[float]]:
    """Return the seconds that a way took, and those of each look at a match meanwhile."""
    creating = asyncio.create_task(way(client, matches))
    looks: list[float] = []
    began = time.perf_counter()
    while not creating.done():
        asked = time.perf_counter()
        (await client.get(look)).raise_for_status()
        looks.append(time.perf_counter() - asked)
        await asyncio.sleep(LOOK_SECONDS)
    await creating
    return time.perf_counter() - began, looks


async def rounds(target: Target, count: int, times: int, *, clock: bool) -> None:
    """Let the ways take turns, and print the medians."""
    seconds, looks = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    spent = defaultdict[str, list[float]](list)
    headers = {"authorization": f"Bearer {target.key}"}
    async with httpx.AsyncClient(base_url=target.address, headers=headers, timeout=60) as client:
        plan = {"game": "river_dragons", "seats": SEATS}
        seen = (await client.post("/v1/matches", json=plan)).raise_for_status().json()["match"]["match_id"]
        for _ in range(times):
            for name in random.sample(list(WAYS), len(WAYS)):
                before = target.parts.read().by_process
                took, looked = await measured(
                    client, WAYS[name], boards(count, clock=clock), f"/v1/matches/{seen}/view"
                )
                seconds[name].append(took)
                looks[name] += looked
                after = target.parts.read().by_process
                spent[name].append(sum(after[part] - before[part] for part in PARTS if part in after))
    print(f"\n{count} matches of {SEATS} seats, {'with a clock' if clock else 'without a clock'}")
    for name in WAYS:
        cuts = statistics.quantiles(looks[name], n=100)
        print(
            f"  {name:36} {statistics.median(seconds[name]):6.2f} s ({min(seconds[name]):.2f} to {max(seconds[name]):.2f})"
            f"   processor {statistics.median(spent[name]):5.2f} s   a look meanwhile: p50 {cuts[49] * 1000:5.1f} ms, p99 {cuts[98] * 1000:5.1f} ms",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    add_target_options(parser)
    arguments = parser.parse_args()
    with a_target(arguments) as target:
        for clock in (False, True):
            asyncio.run(rounds(target, arguments.matches, arguments.rounds, clock=clock))


if __name__ == "__main__":
    main()
