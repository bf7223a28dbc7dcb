"""How long a tenant's webhooks take while other tenants' endpoints hang.

    python tests/bench/bench_webhooks.py --seconds 40

A platform process, as it is deployed, sends webhooks to receivers on this machine; Postgres is an embedded one. A
neighbour with one endpoint, which answers at once, makes a move every 0.2 s, and the time is taken from before the move
is written until its webhook is here: first undisturbed, then while other tenants have endpoints that take requests and
answer nothing, and matches that go on. A webhook that has not come by the end counts with the time it was waited for.

It ends in failure if the neighbour's p99 more than doubles.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import structlog
import uvloop

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.identity.signing_keys import ensure_key_pair
from services.identity.tenants import create_tenant
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.events import EventType
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, Status
from services.postgres.database import DatabaseSettings
from services.webhooks.endpoint_changes import create_endpoint
from services.webhooks.vault import read_vault, write_webhook_key
from tests.support.processes import Process
from tests.support.receivers import Received, Receiver, ReceiverAnswer, receiving

NEIGHBOUR = "neighbour"
EVERY_SECONDS = 0.2
"""Between two moves of the neighbour."""
NEIGHBOUR_MATCHES = 8
WARM_UP_SECONDS = 3.0
MAX_RATIO = 2.0
SECRET = bytes(32)


@dataclass
class Table:
    """A match, and how far it is."""

    match: Match
    version: int = 0
    previous: bytes = b""


@dataclass
class Stopwatch:
    """When each move of the neighbour was made, and how long its webhook took."""

    made: dict[tuple[str, int], float] = field(default_factory=dict)
    seconds: dict[tuple[str, int], float] = field(default_factory=dict)

    def arrived(self, request: Received) -> ReceiverAnswer:
        now = time.perf_counter()
        if request.place in self.made:
            self.seconds.setdefault(request.place, now - self.made[request.place])
        return ReceiverAnswer()

    async def times(self, wait: float) -> list[float]:
        """Return the seconds of all of them, smallest first; wait for those under way, but not for ever."""
        deadline = time.perf_counter() + wait
        while len(self.seconds) < len(self.made) and time.perf_counter() < deadline:  # noqa: ASYNC110 - they come by themselves
            await asyncio.sleep(0.05)
        now = time.perf_counter()
        return sorted(self.seconds.get(place, now - made) for place, made in self.made.items())


async def create_match(log: PostgresLog, tenant: str) -> Table:
    now = datetime.now(UTC)
    match = Match(
        id=uuid4(),
        tenant=tenant,
        game="harbour",
        rules_version="1",
        seats=2,
        options=b"{}",
        secret=SECRET,
        commitment=hashlib.sha256(SECRET).digest(),
        created_at=now,
        updated_at=now,
    )
    return Table(await log.create(match, []))


async def make_move(log: PostgresLog, table: Table) -> None:
    """Append a move; nobody's rules are asked."""
    table.version += 1
    previous = table.previous or genesis_hash(table.match)
    row = {
        "match_id": table.match.id,
        "seq": table.version,
        "seat": 1,
        "request_id": str(uuid4()),
        "request": b'{"type":"load_crate","crate":"tea"}',
        "events": b'[{"type":"crate_loaded","crate":"tea"}]',
        "recorded_at": datetime.now(UTC),
    }
    table.previous = row_hash(table.match.secret, previous, **row)  # type: ignore[arg-type]  # by name
    move = Move(**row, previous_hash=previous, hash=table.previous)  # type: ignore[arg-type]
    await log.append(Append(move=move, status=Status.RUNNING, to_act=(0,), turns=()))


async def play(
    log: PostgresLog,
    tables: Sequence[Table],
    every: float,
    is_over: Callable[[], bool],
    watch: Stopwatch | None = None,
) -> None:
    """Make a move now and then, in one match after the other, until it is over."""
    begun = time.perf_counter()
    number = 0
    while not is_over():
        table = tables[number % len(tables)]
        if watch is not None:
            watch.made[str(table.match.id), table.version + 1] = time.perf_counter()
        await make_move(log, table)
        number += 1
        await asyncio.sleep(max(0.0, begun + number * every - time.perf_counter()))


def after(seconds: float) -> Callable[[], bool]:
    """Return what says whether so much time has passed from now on."""
    deadline = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= deadline


async def measure(
    log: PostgresLog, receiver: Receiver, tables: Sequence[Table], seconds: float, wait: float
) -> list[float]:
    watch = Stopwatch()
    receiver.answer = watch.arrived
    await play(log, tables, EVERY_SECONDS, after(seconds), watch)
    return await watch.times(wait)


def at(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


def line(name: str, times: Sequence[float]) -> str:
    p50, p99, worst = (1_000 * at(times, part) for part in (0.5, 0.99, 1))
    return f"{name:<44}{len(times):>6}{p50:>11.1f}{p99:>11.1f}{worst:>11.1f}"


async def bench(url: str, given: argparse.Namespace, vault_key: Path) -> float:
    """Measure, print, and return how many times longer the neighbour's p99 became."""
    vault = read_vault(vault_key)
    async with AsyncExitStack() as stack:
        log = await stack.enter_async_context(await PostgresLog.open(DatabaseSettings(url)))
        receiver = await stack.enter_async_context(receiving())

        async def endpoint(tenant: str, url: str) -> UUID:
            async with log.pool.connection() as connection:
                await create_tenant(connection, tenant)
                made, _ = await create_endpoint(connection, vault, tenant, url, [EventType.MOVE_APPLIED])
            return made.id

        await endpoint(NEIGHBOUR, receiver.url)
        tables = [await create_match(log, NEIGHBOUR) for _ in range(NEIGHBOUR_MATCHES)]
        for table in tables:
            await make_move(log, table)  # the first move says that the match starts
        await play(log, tables, EVERY_SECONDS, after(WARM_UP_SECONDS))
        print(f"{'':<44}{'moves':>6}{'p50 ms':>11}{'p99 ms':>11}{'worst ms':>11}")
        alone = await measure(log, receiver, tables, given.seconds, given.wait)
        print(line("the neighbour, undisturbed", alone), flush=True)

        hanging = await stack.enter_async_context(receiving())
        hanging.answer = lambda _: ReceiverAnswer(after=3_600)
        others: list[Table] = []
        for number in range(given.tenants):
            for _ in range(given.endpoints):
                await endpoint(f"other-{number}", hanging.url)
            others += [await create_match(log, f"other-{number}") for _ in range(given.matches)]
        over = asyncio.Event()
        playing = asyncio.create_task(play(log, others, given.pause / len(others), over.is_set))
        await asyncio.sleep(given.head_start)
        beside = await measure(log, receiver, tables, given.seconds, given.wait)
        over.set()
        await playing
        name = f"beside {given.tenants} x {given.endpoints} endpoints that hang, {len(others)} matches"
        print(line(name, beside))
        ratio = at(beside, 0.99) / at(alone, 0.99)
        print(f"{'p50, p99: times as long':<50}{at(beside, 0.5) / at(alone, 0.5):>11.2f}{ratio:>11.2f}")
        print(f"requests the hanging endpoints got: {len(hanging.received)}")
    return ratio


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=40.0, help="of each of the two measurements (40)")
    parser.add_argument(
        "--wait", type=float, default=60.0, help="for webhooks that do not come, seconds (60)"
    )
    parser.add_argument("--tenants", type=int, default=1, help="tenants whose endpoints hang (1)")
    parser.add_argument("--endpoints", type=int, default=10, help="of each of these tenants (10)")
    parser.add_argument("--matches", type=int, default=30, help="of each of these tenants (30)")
    parser.add_argument(
        "--pause", type=float, default=3.0, help="seconds between two moves of one of these (3)"
    )
    parser.add_argument(
        "--head-start",
        type=float,
        default=0.0,
        help="seconds between their first move and the measurement (0)",
    )
    parser.add_argument(
        "--code", type=Path, help="a checkout whose platform process is measured instead of ours"
    )
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    print(
        f"{platform.machine()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}; "
        f"a move of the neighbour every {EVERY_SECONDS} s"
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldtable-bench-")))
        url = stack.enter_context(EmbeddedPostgres(folder / "postgres")).url
        migrate(url)
        ensure_key_pair(folder / "private.pem", folder / "public.pem")
        write_webhook_key(folder / "webhook_key")
        process = stack.enter_context(
            Process(
                "services.platform",
                folder / "platform.log",
                release=given.code,
                listen="127.0.0.1:0",
                database_url=url,
                token_public_key_file=str(folder / "public.pem"),
                webhook_key_file=str(folder / "webhook_key"),
                webhook_loopback="true",
            )
        )
        process.start()
        ratio = uvloop.run(bench(url, given, folder / "webhook_key"))
        problems = [one for one in process.lines() if one.get("level") == "error"]
        process.stop()
    if problems:
        sys.exit(f"the platform process logged errors: {problems[:3]}")
    if ratio > MAX_RATIO:
        sys.exit(f"the neighbour's p99 is {ratio:.1f} times its undisturbed one, more than {MAX_RATIO}")


if __name__ == "__main__":
    main()
