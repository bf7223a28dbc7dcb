"""A system under attack: each attack for itself, people playing meanwhile, and everything measured before and after.

Run short by test_siege.py, long by `make prove P=hostile`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import httpx
import psycopg

from tests.proofs.hostile import attacks_on_grpc, attacks_on_http, heavy_reads, rules_calls
from tests.proofs.hostile.attacks_on_http import Attack
from tests.proofs.hostile.bystanders import PLAYERS, Bystanders, Seen
from tests.proofs.hostile.load_attack_report import MEGABYTE, Report, Row
from tests.proofs.hostile.system import Footprint, faults, footprints, log_lengths
from tests.proofs.hostile.wire import Target, Told
from tests.support.several_of_each import Several
from tests.support.ways import ACCEPTED, AS_A_WHOLE, Ways

ATTACKS: Final[tuple[Attack, ...]] = (
    *attacks_on_http.ATTACKS,
    heavy_reads.whole_matches,
    rules_calls.large_rules_calls,
    *attacks_on_grpc.ATTACKS,
)
SETTLE_SECONDS: Final = 15.0
"""Until handles are back where they were."""
HANDLES_MORE: Final = 3
"""Pools may have opened a connection meanwhile, and keep it."""
GROWTH_BYTES: Final = 64 * 1024 * 1024
"""Of a process in the whole siege, once it was attacked a little: what an allocator keeps is not given back at once."""
BYSTANDER_SECONDS: Final = 10.0
"""Of the slowest answer but one in a hundred to those who play, and of one that has not come. A client waits so long; how
long it really was is printed."""
VERIFIED: Final = 20
"""Of the newest matches, which bystanders have begun under siege."""
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
    at_least: float
    """An attack that is over sooner is begun again, so that others are seen to be served meanwhile."""
    wait_seconds: float
    max_connections: int
    head_seconds: float
    body_seconds: float
    stall_seconds: float

    def gateway_settings(self) -> dict[str, str]:
        """Return the settings of a gateway whose patience is worth waiting for."""
        return {
            "max_connections": str(self.max_connections),
            "head_seconds": str(self.head_seconds),
            "body_seconds": str(self.body_seconds),
            "stall_seconds": str(self.stall_seconds),
        }


SHORT: Final = Scale(
    size=40,
    seconds=0.5,
    at_least=0.5,
    wait_seconds=15,
    max_connections=300,
    head_seconds=1,
    body_seconds=1,
    stall_seconds=1,
)
LONG: Final = Scale(
    size=400,
    seconds=10,
    at_least=5,
    wait_seconds=25,
    max_connections=4_000,
    head_seconds=5,
    body_seconds=8,
    stall_seconds=8,
)


def attack(system: Several, scale: Scale, attacks: Collection[Attack] = ATTACKS) -> Report:
    """Attack a system with everything, one after the other."""
    report = Report()
    logged, before = log_lengths(system), system.ways
    with system.client(system.key) as client:
        target = _target(system, scale, client)
        asyncio.run(_warm_up(target, attacks))
        first = footprints(system)
        with Bystanders(system.urls[0], system.key) as bystanders:
            time.sleep(1)
            for attack in attacks:
                report.rows.append(_attacked(system, target, attack, bystanders, scale.at_least))
        _check_memory(first, footprints(system), report)
        try:
            _check_ways(system, before, report)
            _check_streams(system, report)
            _check_log(system, client, report)
        except httpx.HTTPError as error:
            report.violations.append(f"the system does not answer afterwards: {type(error).__name__}")
    report.violations += [f"logged: {fault}"[:600] for fault in faults(system, logged)]
    return report


def _target(system: Several, scale: Scale, client: httpx.Client) -> Target:
    created = client.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).json()
    assert "match" in created, created
    url = httpx.URL(system.urls[0])
    addresses = (*system.rules_addresses, system.platform_address)
    return Target(
        host=url.host,
        port=url.port or 80,
        grpc_ports=tuple(int(address.rpartition(":")[2]) for address in addresses),
        key=system.key,
        match_id=created["match"]["match_id"],
        size=scale.size,
        seconds=scale.seconds,
        wait_seconds=scale.wait_seconds,
        refused_beyond=scale.max_connections,
    )


async def _warm_up(target: Target, attacks: Collection[Attack]) -> None:
    """Let every process have what it keeps: pools, caches, an allocator's arenas."""
    for attack in _HUNGRY:
        if attack in attacks:
            await attack(target)


def _attacked(
    system: Several, target: Target, attack: Attack, bystanders: Bystanders, at_least: float
) -> Row:
    bystanders.seen()
    before = footprints(system)
    told, seen = _done_for(at_least, target, attack, bystanders)
    after = _settled(system, before)
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
    if seen.waiting > BYSTANDER_SECONDS:
        row.violations.append(f"a bystander has waited for {seen.waiting:.1f} s")
    if len(seen.seconds) < PLAYERS:
        row.violations.append(f"bystanders got {len(seen.seconds)} answers")
    return row


def _done_for(seconds: float, target: Target, attack: Attack, bystanders: Bystanders) -> tuple[Told, Seen]:
    """Attack until this time has passed and the bystanders were served, or were not for too long."""
    told, seen = Told(), Seen()
    begun = time.monotonic()
    while True:
        told.add(asyncio.run(attack(target)))
        seen.add(bystanders.seen())
        lasted = time.monotonic() - begun
        if lasted >= seconds and (len(seen.seconds) >= PLAYERS or lasted > BYSTANDER_SECONDS):
            return told, seen


def _settled(system: Several, before: dict[str, Footprint]) -> dict[str, Footprint]:
    """Wait until everything was let go of, or for SETTLE_SECONDS."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        after = footprints(system)
        settled = all(held.handles <= before[name].handles + HANDLES_MORE for name, held in after.items())
        if settled or time.monotonic() > deadline:
            return after
        time.sleep(0.1)


# ── afterwards ─────────────────────────────────────────────────────────────────────────────────────


def _check_memory(first: dict[str, Footprint], last: dict[str, Footprint], report: Report) -> None:
    for name, held in last.items():
        grown = held.resident_bytes - first[name].resident_bytes
        if grown > GROWTH_BYTES:
            report.violations.append(f"{name} has grown by {grown // MEGABYTE} MB")


def _check_ways(system: Several, before: Ways, report: Report) -> None:
    """Bystanders have moved in every way in which moves are made and accepted."""
    report.ways = system.ways.since(before)
    report.violations += [
        f"no move went this way: {way}" for way in report.ways.missing((AS_A_WHOLE, ACCEPTED))
    ]


def _check_streams(system: Several, report: Report) -> None:
    """No stream is held for anybody who went away."""
    text = system.gateways[0].metrics
    held = next(line for line in text.splitlines() if line.startswith("foldtable_open_streams "))
    if float(held.split()[1]):
        report.violations.append(f"{held}, and nobody follows anything")


def _check_log(system: Several, client: httpx.Client, report: Report) -> None:
    """No match is half changed, and each replays to what is stored."""
    with psycopg.connect(system.database_url) as connection:
        broken = connection.execute(_BROKEN).fetchall()
        newest = connection.execute(
            "SELECT id FROM matches WHERE version > 1 ORDER BY id DESC LIMIT %s", (VERIFIED,)
        ).fetchall()
    report.violations += [f"match {row[0]} has holes" for row in broken]
    verdicts: Counter[bool] = Counter()
    for row in newest:
        verified: Any = client.get(f"/v1/matches/{row[0]}/verify").json()
        verdicts[verified["ok"]] += 1
    report.matches = verdicts[True]
    if verdicts[False] or not verdicts[True]:
        report.violations.append(f"{verdicts[True]} matches verify, {verdicts[False]} do not")
