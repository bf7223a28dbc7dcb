"""One caller asks for whole matches, many at once: everybody else plays on.

    python -m tests.proofs.hostile.heavy_reads

prints what the caller was answered, and how long those who play waited before and meanwhile. Also one of the siege's attacks.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from functools import cache
from typing import Final
from uuid import UUID

import httpx

from tests.proofs.hostile.bystanders import Bystanders, Seen
from tests.proofs.hostile.system import standing
from tests.proofs.hostile.wire import Target, Told
from tests.support.match_documents import a_match, document_of

AT_ONCE: Final = 64
LONG_MATCH: Final = UUID("01940000-0000-7000-8000-0000000000aa")
MOVES: Final = 400
WAIT_SECONDS: Final = 60.0
NDJSON: Final = {"accept": "application/x-ndjson"}
WHOLE_REPLAY: Final = ("replay?page_size=1000&audience=referee", {})
EVERYTHING: Final[Sequence[tuple[str, dict[str, str]]]] = (
    WHOLE_REPLAY,
    ("replay?audience=referee", NDJSON),
    ("export", {}),
    ("verify", {}),
    ("view?at=149", {}),
    ("determinizations?count=16&version=149", {}),
)


@cache
def a_long_match() -> bytes:
    """Play a long match to its end, and give its export."""
    match, rows = a_match(game_id="al_rashid", seats=4, moves=MOVES, match_id=LONG_MATCH)
    return document_of(match, rows, "Ada", "Bo", "Cy", "Di")


async def ask_for_whole_matches(
    url: str, key: str, asked: Sequence[tuple[str, dict[str, str]]], rounds: int
) -> Told:
    """Ask for the same long match so many times at once, in rounds; give the statuses."""
    told = Told()
    limits = httpx.Limits(max_connections=AT_ONCE)
    headers = {"authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(
        base_url=url, headers=headers, limits=limits, timeout=WAIT_SECONDS, trust_env=False, verify=False
    ) as client:
        imported = await client.post("/v1/matches/import", content=a_long_match(), headers=_JSON)
        if not imported.is_success:
            told.violations.append(f"the long match was not taken in: {imported.text[:300]}")
            return told
        path = f"/v1/matches/{LONG_MATCH}"

        async def one(number: int) -> None:
            what, more = asked[number % len(asked)]
            begun = time.monotonic()
            answer = await client.get(f"{path}/{what}", headers=more)
            told.worst = max(told.worst, time.monotonic() - begun)
            told.answers[str(answer.status_code)] += 1
            if answer.status_code == 429 and "retry-after" not in answer.headers:
                told.violations.append("429 without Retry-After")

        for _ in range(rounds):
            await asyncio.gather(*(one(number) for number in range(AT_ONCE)))
    return told


_JSON: Final = {"content-type": "application/json"}


async def whole_matches(target: Target) -> Told:
    """Ask for everything that is much work, many at once, with one credential."""
    url = f"http://{target.host}:{target.port}"
    return (await ask_for_whole_matches(url, target.key, EVERYTHING, 1)).expect("200", "429")


def main() -> None:
    """Print what one caller is answered, and what it costs the others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="of 64 requests each")
    parser.add_argument("--quiet", type=float, default=5, help="seconds without them, to compare")
    asked = parser.parse_args()
    a_long_match()
    with standing() as system, Bystanders(system.urls[0], system.key) as bystanders:
        time.sleep(2)
        bystanders.seen()
        for name, requests in (("whole replays", (WHOLE_REPLAY,)), ("all kinds", EVERYTHING)):
            time.sleep(asked.quiet)
            _print("nobody", bystanders.seen(), Told())
            told = asyncio.run(ask_for_whole_matches(system.urls[0], system.key, requests, asked.rounds))
            _print(name, bystanders.seen(), told)


def _print(name: str, seen: Seen, told: Told) -> None:
    answers = ", ".join(f"{count}x {status}" for status, count in sorted(told.answers.items())) or "-"
    figures = f"p50 {seen.quantile(0.5) * 1000:6.0f} ms  p99 {seen.quantile(0.99) * 1000:6.0f} ms"
    print(
        f"{name:14} {answers:30} slowest {told.worst:5.1f} s | others: {len(seen.seconds):5} answers  {figures}"
        f"  failed {dict(seen.failures)} {told.violations or ''}",
        flush=True,
    )


if __name__ == "__main__":
    main()
