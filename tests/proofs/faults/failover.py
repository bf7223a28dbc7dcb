"""The failover run: clients play all games at once while the primary of two Postgres dies, again and again, for good.

A replica that every commit waits for takes over; what is left of the old primary becomes the new replica, rewound or
copied anew. Services know both hosts. It starts its own system and its own pair in a folder it removes again, makes
everything good in the end, brings all matches to their end, and holds what its clients wrote down against what the API
says. It prints one screen and ends with 0 if nothing is wrong, with 1 if anything is.
"""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from tests.proofs.faults.faults import HARMS, Fault
from tests.proofs.faults.faults import Path as FaultPath
from tests.proofs.faults.nemesis import Tempo
from tests.proofs.faults.pair_database import PairDatabase
from tests.proofs.faults.program import judged, parser
from tests.proofs.faults.session import Plan, Result, run
from tests.proofs.faults.system import Shape, System

FAILOVERS: Final = 12
TEMPO: Final = Tempo(hold=(0.5, 2.5), pause=(1.0, 2.5))
SHORT_TEMPO: Final = Tempo(hold=(0.3, 0.6), pause=(0.1, 0.1))
HELD_BACK_SECONDS: Final = 3.0
"""How much the replica misses in the run that has to lose moves."""


def _everything(system: System, victim: str) -> FaultPath:
    return FaultPath(victim, system.all_games, tuple(one.name for one in system.gateways))


@asynccontextmanager
async def primary_switched(system: System, _: Random, *, database: PairDatabase) -> AsyncIterator[FaultPath]:
    """A switch-over as one plans it."""
    await database.switch()
    try:
        yield _everything(system, "primary")
    finally:
        await database.start()


@asynccontextmanager
async def replica_killed(system: System, _: Random, *, database: PairDatabase) -> AsyncIterator[FaultPath]:
    """SIGKILL of the replica: moves wait until there is one again."""
    await database.kill_replica()
    try:
        yield _everything(system, "replica")
    finally:
        await database.start()


@asynccontextmanager
async def primary_killed_held_back(
    system: System, _: Random, *, database: PairDatabase
) -> AsyncIterator[FaultPath]:
    """What has to lose moves where commits do not wait for the replica."""
    await database.kill_held_back(HELD_BACK_SECONDS)
    try:
        yield _everything(system, "primary")
    finally:
        await database.start()


def harms_to(database: PairDatabase) -> Mapping[str, Fault]:
    """Return what is done to a pair, and what else is done to the system meanwhile."""
    return {
        "primary killed": HARMS["Postgres killed"],
        "primary frozen": HARMS["Postgres frozen"],
        "primary switched over": partial(primary_switched, database=database),
        "replica killed": partial(replica_killed, database=database),
        "primary killed, held back": partial(primary_killed_held_back, database=database),
        **{
            name: HARMS[name]
            for name in ("rules server killed", "platform service killed", "connections cut")
        },
    }


LONG_FORM: Final = (
    "primary killed",
    "rules server killed",
    "primary frozen",
    "connections cut",
    "primary killed",
    "replica killed",
    "primary switched over",
    "platform service killed",
)
"""In this order, again and again; every other one is a failover."""
SHORT_FORM: Final = ("primary killed",)
PLANTED: Final = ("primary killed, held back",)


def kinds_of(given: argparse.Namespace) -> Sequence[str]:
    """Return the harms of a run, in their order."""
    if given.plant is not None:
        return PLANTED
    return SHORT_FORM if given.short else tuple(islice(cycle(LONG_FORM), 2 * given.failovers))


async def harm_a_pair(folder: Path, given: argparse.Namespace) -> Result:
    """Run with two Postgres."""
    database = PairDatabase(folder / "pair", synchronous=given.plant is None)
    plan = Plan(
        seconds=0,
        seed=given.seed,
        at_once=given.matches,
        shape=Shape(gateways=1 if given.short else given.gateways, apart=not given.short),
        tempo=SHORT_TEMPO if given.short else TEMPO,
        kinds=kinds_of(given),
        faults=harms_to(database),
    )
    try:
        await database.start()
        return await run(folder, database, plan)
    finally:
        await database.stop()


def arguments() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    made = parser("failover", __doc__)
    made.add_argument("--failovers", type=int, default=FAILOVERS, help="how many (%(default)s)")
    made.add_argument(
        "--short", action="store_true", help="one failover, one gateway, two rules servers for all games"
    )
    made.add_argument(
        "--plant",
        choices=["asynchronous"],
        help="no commit waits for the replica, which gets nothing for a while: acknowledged moves have to be missed",
    )
    return made


def main() -> None:
    given = arguments().parse_args()
    raise SystemExit(judged(given.keep, lambda folder: harm_a_pair(folder, given)))


if __name__ == "__main__":
    main()
