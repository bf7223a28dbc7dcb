"""What is done to the cluster. A harm is a context: inside it the harm is done, and another member leads; after it all is whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Final

from tests.proofs.faults.faults import Fault, Path
from tests.proofs.faults.system import System
from tests.proofs.patroni.clocked_matches import ClockedMatches
from tests.proofs.patroni.cluster_database import ClusterDatabase

HELD_BACK_SECONDS: Final = 3.0
"""How much the replicas miss in the run that has to lose moves."""
WITHOUT_ETCD_SECONDS: Final = 10.0

Do = Callable[[ClusterDatabase], Awaitable[None]]


async def _without_etcd(database: ClusterDatabase) -> None:
    """Longer than a leader goes on that cannot ask etcd whether it still is one. Then etcd is there again."""
    await database.kill_etcd()
    await asyncio.sleep(WITHOUT_ETCD_SECONDS)
    await database.start_etcd()


HARMS: Final[Mapping[str, tuple[Do, Do]]] = {
    "leader killed": (ClusterDatabase.kill, ClusterDatabase.start),
    "leader frozen": (ClusterDatabase.freeze, ClusterDatabase.thaw),
    "leader cut off from etcd": (ClusterDatabase.cut_off_from_etcd, ClusterDatabase.start),
    "leader switched over": (ClusterDatabase.switch_over, ClusterDatabase.start),
    "leader's Postgres killed": (ClusterDatabase.kill_postgres, ClusterDatabase.start),
    "synchronous replica killed": (ClusterDatabase.kill_replica, ClusterDatabase.start),
    "etcd killed": (_without_etcd, ClusterDatabase.start),
    "leader killed, held back": (
        lambda database: database.kill_held_back(HELD_BACK_SECONDS),
        ClusterDatabase.start,
    ),
}
"""By its name: what is done, and how it is made good."""
LONG_FORM: Final = tuple(HARMS)[:-1]
SHORT_FORM: Final = ("leader killed",)
PLANTED: Final = {"asynchronous": ("leader killed, held back",), "etcd3": ("leader frozen",) * 4}
"""What loses moves, by what is planted: the first always, the second if of Patroni's threads the right one wakes first."""


def harms_to(database: ClusterDatabase, clocks: ClockedMatches) -> Mapping[str, Fault]:
    """Return the harms; with each, clocks run that give less time than most of them last."""
    return {
        name: partial(_fault, database=database, clocks=clocks, name=name, do=do, make_good=make_good)
        for name, (do, make_good) in HARMS.items()
    }


@asynccontextmanager
async def _fault(
    system: System,
    _: Random,
    *,
    database: ClusterDatabase,
    clocks: ClockedMatches,
    name: str,
    do: Do,
    make_good: Do,
) -> AsyncIterator[Path]:
    if database.goes_on_for and do is ClusterDatabase.cut_off_from_etcd:
        await do(database)  # nothing is down, and time counts
    else:
        async with clocks.watched(system, name):
            await do(database)
    try:
        yield Path(
            database.victim, system.all_games, tuple(one.name for one in system.gateways), database.struck_at
        )
    finally:
        await make_good(database)
