"""The run on a cluster: Patroni with etcd and HAProxy, three Postgres, and clients that play all games meanwhile.

The leader is killed, frozen, cut off from etcd and switched over; its Postgres alone is killed, and so are the replica that
commits wait for, and etcd. Patroni decides what becomes of it; nobody else does. Services know one address, of HAProxy, or
with `--through hosts` those of all three members. With each harm clocks run that give less time than most harms take. What
clients wrote down is held against what the API says, as in the fault run, and in the end the database is audited.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from tests.proofs.faults.nemesis import Tempo
from tests.proofs.faults.program import parser
from tests.proofs.faults.session import Plan, Result, run
from tests.proofs.faults.system import Shape
from tests.proofs.faults.violations import Rule, Violation
from tests.proofs.patroni.clocked_matches import ClockedMatches
from tests.proofs.patroni.cluster_database import ClusterDatabase
from tests.proofs.patroni.harms import HARMS, LONG_FORM, PLANTED, SHORT_FORM, harms_to
from tests.proofs.patroni.pauses import table
from tests.proofs.patroni.programs import etcd_api
from tests.proofs.patroni.settings import DYNAMIC, QUICK
from tests.support.auditing import audit

TEMPO: Final = Tempo(hold=(1.0, 2.0), pause=(2.0, 3.0))
SHORT_TEMPO: Final = Tempo(hold=(0.3, 0.6), pause=(0.1, 0.1))
PLANTED_TEMPO: Final = Tempo(hold=(10.0, 12.0), pause=(1.0, 1.0))
"""Long enough for moves that only the new leader has."""
WAYS: Final = ("haproxy", "hosts")


def kinds_of(given: argparse.Namespace) -> Sequence[str]:
    """Return the harms of a run, in their order."""
    if given.plant is not None:
        return PLANTED[given.plant]
    if given.short:
        return SHORT_FORM
    chosen = given.harms or LONG_FORM
    return tuple(islice(cycle(chosen), given.rounds * len(chosen)))


def tempo_of(given: argparse.Namespace) -> Tempo:
    """Return how fast the harms follow each other."""
    if given.plant is not None:
        return PLANTED_TEMPO
    return SHORT_TEMPO if given.short else TEMPO


async def harm_a_cluster(folder: Path, given: argparse.Namespace) -> Result:
    """Make a cluster, run on it, and audit its database."""
    database = ClusterDatabase(
        folder / "cluster",
        dynamic=dynamic_of(given),
        etcd_api="etcd3" if given.plant == "etcd3" else etcd_api(),
        through_haproxy=given.through == "haproxy",
    )
    clocks = ClockedMatches()
    plan = Plan(
        seconds=0,
        seed=given.seed,
        at_once=given.matches,
        shape=Shape(gateways=1 if given.short else given.gateways, apart=False),
        tempo=tempo_of(given),
        kinds=kinds_of(given),
        faults=harms_to(database, clocks),
    )
    try:
        await database.start()
        result = await run(folder, database, plan)
        tally = await asyncio.to_thread(audit, database.url)
    finally:
        await database.stop()
    found = [*clocks.violations, *(Violation(Rule.AUDIT, str(one)) for one in tally.findings)]
    audited = f"audit: {tally.matches} matches, {len(tally.findings)} findings"
    way = f"three Postgres under Patroni, reached through {given.through}; {_told(dynamic_of(given))}"
    return replace(
        result,
        violations=[*result.violations, *found],
        beside="\n".join((way, audited, "", table(result.notes), "", str(clocks), "")),
    )


def dynamic_of(given: argparse.Namespace) -> dict[str, Any]:
    """Return what Patroni is told."""
    quick = QUICK if given.short else {}
    return {
        **DYNAMIC,
        "ttl": given.ttl,
        **quick,
        "synchronous_mode": given.plant != "asynchronous",
        "failsafe_mode": given.failsafe,
    }


def _told(dynamic: dict[str, Any]) -> str:
    names = ("ttl", "loop_wait", "retry_timeout", "synchronous_mode", "failsafe_mode")
    return ", ".join(f"{name} {str(dynamic[name]).lower()}" for name in names)


def arguments() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    made = parser("", __doc__, folder="patroni")
    made.add_argument("--rounds", type=int, default=1, help="how often each harm is done (%(default)s)")
    made.add_argument(
        "--harms", nargs="+", choices=HARMS, metavar="HARM", help=f"only these: {', '.join(HARMS)}"
    )
    made.add_argument(
        "--through", choices=WAYS, default=WAYS[0], help="how services reach the leader (%(default)s)"
    )
    made.add_argument(
        "--ttl", type=int, default=DYNAMIC["ttl"], help="seconds a leader may be silent (%(default)s)"
    )
    made.add_argument("--failsafe", action="store_true", help="with Patroni's failsafe_mode")
    made.add_argument("--short", action="store_true", help="the leader is killed once; one gateway")
    made.add_argument(
        "--plant",
        choices=PLANTED,
        help="acknowledged moves are lost: asynchronous: no commit waits for a replica, and replicas get nothing for a while; "
        "etcd3: Patroni before 3.0.3 uses etcd's newer interface, and its leader freezes (not every time)",
    )
    return made
