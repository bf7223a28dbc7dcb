"""A house under attack: each attack for itself, people playing meanwhile, and everything measured before and after.

Run short by test_siege.py, long by `make hostile`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import psycopg

from tests.hostile import attacks_on_grpc, attacks_on_http
from tests.hostile.attacks_on_http import Attack
from tests.hostile.bystanders import Bystanders, Seen
from tests.hostile.house import Footprint, faults, footprints, log_lengths
from tests.hostile.wire import Target, Told
from tests.support.several_of_each import Several

ATTACKS: Final[tuple[Attack, ...]] = (*attacks_on_http.ATTACKS, *attacks_on_grpc.ATTACKS)
SETTLE_SECONDS: Final = 15.0
"""Until handles are back where they were."""
HANDLES_MORE: Final = 3
"""Pools may have opened a connection meanwhile, and keep it."""
GROWTH_BYTES: Final = 64 * 1024 * 1024
"""Of a process in the whole siege, once it was attacked a little: what an allocator keeps is not given back at once."""
BYSTANDER_SECONDS: Final = 10.0
"""Of the slowest answer but one in a hundred to those who play. A client waits so long; how long it really was is printed."""
_HUNGRY: Final[tuple[Attack, ...]] = (
    attacks_on_http.idle_streams,
    attacks_on_http.large_bodies,
    attacks_on_grpc.many_calls,
    attacks_on_grpc.rapid_resets,
    attacks_on_grpc.endless_continuations,
)
TOLD_TO_COME_AGAIN: Final = frozenset({"503 RULES_UNAVAILABLE", "504 RULES_TIMEOUT"})
COME_AGAIN_SHARE: Final = 0.05
"""Of the bystanders' requests: who is told so repeats them, and nothing is lost."""
COME_AGAIN_SHARE_OF_GRPC: Final = 0.5
"""The same while a gRPC port is flooded: its queue is one for all, and refuses when it is full."""
_MB: Final = 1024 * 1024
_SERVERS: Final = ("rules", "platform")

_BROKEN: Final = """
    SELECT m.id FROM matches m LEFT JOIN (
        SELECT match_id, count(*) AS rows, max(seq) AS last FROM moves GROUP BY match_id
    ) l ON l.match_id = m.id
    WHERE m.version <> coalesce(l.last, 0) OR coalesce(l.rows, 0) <> coalesce(l.last, 0)
"""


@dataclass(frozen=True)
class Scale:
    """How hard, and how long."""

    size: int
    seconds: float
    patience: float
    max_connections: int
    head_seconds: float
    body_seconds: float
    stall_seconds: float

    def gateway_settings(self) -> dict[str, str]:
        """Give the settings of a gateway whose patience is worth waiting for."""
        return {
            "max_connections": str(self.max_connections),
            "head_seconds": str(self.head_seconds),
            "body_seconds": str(self.body_seconds),
            "stall_seconds": str(self.stall_seconds),
        }


SHORT: Final = Scale(
    size=40,
    seconds=0.5,
    patience=15,
    max_connections=300,
    head_seconds=1,
    body_seconds=1,
    stall_seconds=1,
)
LONG: Final = Scale(
    size=400,
    seconds=10,
    patience=25,
    max_connections=4_000,
    head_seconds=5,
    body_seconds=8,
    stall_seconds=8,
)


@dataclass
class Row:
    """What came of one attack."""

    name: str
    told: Told
    before: dict[str, Footprint]
    after: dict[str, Footprint]
    seen: Seen
    violations: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What came of a siege."""

    rows: list[Row] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    matches: int = 0
    """Of those who played, each replayed and checked afterwards."""

    @property
    def answers(self) -> int:
        return sum(sum(row.told.answers.values()) for row in self.rows)

    def all_violations(self) -> list[str]:
        """Give them with the names of their attacks."""
        return [*(f"{row.name}: {one}" for row in self.rows for one in row.violations), *self.violations]

    def __str__(self) -> str:
        head = f"{'attack':24}{'answers':34}{'worst':>7}{'gateway MB':>12}{'servers MB':>12}{'handles':>11}{'others p50':>12}{'p99':>9}"
        lines = [head, *map(_line, self.rows)]
        lines.append(
            f"{self.matches} matches of bystanders verified; violations: {len(self.all_violations())}"
        )
        return "\n".join([*lines, *(f"  {one}" for one in self.all_violations())])


def _line(row: Row) -> str:
    answers = ", ".join(f"{count}x {name}" for name, count in row.told.answers.most_common(3))
    gateway = f"{_megabytes(row.before, 'gateway')} > {_megabytes(row.after, 'gateway')}"
    servers = f"{_megabytes(row.before, *_SERVERS)} > {_megabytes(row.after, *_SERVERS)}"
    handles = f"{_handles(row.before)} > {_handles(row.after)}"
    return (
        f"{row.name:24}{answers[:33]:34}{row.told.worst:6.1f}s{gateway:>12}{servers:>12}{handles:>11}"
        f"{row.seen.quantile(0.5) * 1000:9.1f} ms{row.seen.quantile(0.99) * 1000:6.0f} ms"
    )


def _megabytes(measured: dict[str, Footprint], *names: str) -> int:
    return sum(measured[name].resident_bytes for name in names) // _MB


def _handles(measured: dict[str, Footprint]) -> int:
    return sum(one.handles for one in measured.values())


def besiege(house: Several, scale: Scale, attacks: Collection[Attack] = ATTACKS) -> Report:
    """Attack a house with everything, one after the other."""
    report = Report()
    logged = log_lengths(house)
    with house.client(house.key) as client:
        target = _target(house, scale, client)
        asyncio.run(_warm_up(target, attacks))
        first = footprints(house)
        with Bystanders(house.urls[0], house.key) as bystanders:
            time.sleep(1)
            for attack in attacks:
                report.rows.append(_attacked(house, target, attack, bystanders))
        _check_memory(first, footprints(house), report)
        try:
            _check_streams(client, report)
            _check_log(house, client, report)
        except httpx.HTTPError as error:
            report.violations.append(f"the house does not answer afterwards: {type(error).__name__}")
    report.violations += [f"logged: {fault}"[:600] for fault in faults(house, logged)]
    return report


def _target(house: Several, scale: Scale, client: httpx.Client) -> Target:
    created = client.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).json()
    assert "match" in created, created
    url = httpx.URL(house.urls[0])
    addresses = (*house.rules_addresses, house.platform_address)
    return Target(
        host=url.host,
        port=url.port or 80,
        grpc_ports=tuple(int(address.rpartition(":")[2]) for address in addresses),
        key=house.key,
        match_id=created["match"]["match_id"],
        size=scale.size,
        seconds=scale.seconds,
        patience=scale.patience,
        refused_beyond=scale.max_connections,
    )


async def _warm_up(target: Target, attacks: Collection[Attack]) -> None:
    """Let every process have what it keeps: pools, caches, an allocator's arenas."""
    for attack in _HUNGRY:
        if attack in attacks:
            await attack(target)


def _attacked(house: Several, target: Target, attack: Attack, bystanders: Bystanders) -> Row:
    bystanders.seen()
    before = footprints(house)
    told = asyncio.run(attack(target))
    seen = bystanders.seen()
    after = _settled(house, before)
    row = Row(attack.__name__, told, before, after, seen, list(told.violations))
    for name, held in after.items():
        if held.handles > before[name].handles + HANDLES_MORE:
            row.violations.append(f"{name} holds {held.handles} handles, {before[name].handles} before")
    for failure, count in seen.failures.items():
        share = COME_AGAIN_SHARE_OF_GRPC if attack in attacks_on_grpc.ATTACKS else COME_AGAIN_SHARE
        if failure not in TOLD_TO_COME_AGAIN or count > max(1, share * len(seen.seconds)):
            row.violations.append(f"a bystander met {failure}: {count} of {len(seen.seconds)}")
    if seen.quantile(0.99) > BYSTANDER_SECONDS:
        row.violations.append(f"bystanders waited {seen.quantile(0.99):.1f} s")
    return row


def _settled(house: Several, before: dict[str, Footprint]) -> dict[str, Footprint]:
    """Wait until everything was let go of, or for SETTLE_SECONDS."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        after = footprints(house)
        settled = all(held.handles <= before[name].handles + HANDLES_MORE for name, held in after.items())
        if settled or time.monotonic() > deadline:
            return after
        time.sleep(0.1)


# ── afterwards ─────────────────────────────────────────────────────────────────────────────────────


def _check_memory(first: dict[str, Footprint], last: dict[str, Footprint], report: Report) -> None:
    for name, held in last.items():
        grown = held.resident_bytes - first[name].resident_bytes
        if grown > GROWTH_BYTES:
            report.violations.append(f"{name} has grown by {grown // _MB} MB")


def _check_streams(client: httpx.Client, report: Report) -> None:
    """No stream is held for anybody who went away."""
    text = client.get("/metrics").text
    held = next(line for line in text.splitlines() if line.startswith("foldtable_open_streams "))
    if float(held.split()[1]):
        report.violations.append(f"{held}, and nobody follows anything")


def _check_log(house: Several, client: httpx.Client, report: Report) -> None:
    """No match is half changed, and each replays to what is stored."""
    with psycopg.connect(house.database_url) as connection:
        broken = connection.execute(_BROKEN).fetchall()
        ids = [
            str(row[0]) for row in connection.execute("SELECT id FROM matches WHERE version > 0").fetchall()
        ]
    report.violations += [f"match {row[0]} has holes" for row in broken]
    verdicts: Counter[bool] = Counter()
    for match_id in ids[-20:]:
        verified: Any = client.get(f"/v1/matches/{match_id}/verify").json()
        verdicts[verified["ok"]] += 1
    report.matches = verdicts[True]
    if verdicts[False]:
        report.violations.append(f"{verdicts[False]} matches do not verify")
