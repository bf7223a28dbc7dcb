"""The fault run: clients play all games at once while everything under them is killed, frozen, cut off and filled up.

It starts its own system and its own Postgres in a folder it removes again, does harm for as long as it is told, makes
everything good, brings all matches to their end, and holds what its clients wrote down against what the API says. It
prints one screen and ends with 0 if nothing is wrong, with 1 if anything is.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.proofs.faults.database import OnePostgres
from tests.proofs.faults.faults import SHORT_FORM
from tests.proofs.faults.nemesis import Tempo
from tests.proofs.faults.plants import PLANTS
from tests.proofs.faults.program import judged, parser
from tests.proofs.faults.session import Plan, Result, run
from tests.proofs.faults.system import Shape

LONG_SECONDS = 20 * 60
SHORT_TEMPO = Tempo(hold=(0.3, 1.0), pause=(0.3, 0.8))


def plan_of(given: argparse.Namespace) -> Plan:
    """Return what was asked for."""
    return Plan(
        seconds=given.seconds,
        seed=given.seed,
        at_once=given.matches,
        shape=Shape(gateways=given.gateways, apart=not given.shared),
        tempo=SHORT_TEMPO if given.short else Tempo(),
        kinds=SHORT_FORM if given.short else None,
        instead={} if given.plant is None else PLANTS[given.plant].instead,
    )


async def harm_one_postgres(folder: Path, plan: Plan) -> Result:
    """Run with one embedded Postgres."""
    database = OnePostgres(folder / "postgres")
    await database.start()
    try:
        return await run(folder, database, plan)
    finally:
        await database.stop()


def arguments() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    plants = "\n".join(f"  {name:18} {plant.text}" for name, plant in PLANTS.items())
    made = parser("run", __doc__, f"planted faults, each of which this has to find:\n{plants}")
    made.add_argument("--seconds", type=float, default=LONG_SECONDS, help="of harm (%(default)s)")
    made.add_argument(
        "--shared", action="store_true", help="two rules servers for all games, instead of two for each"
    )
    made.add_argument("--short", action="store_true", help="one of each of a handful of harms, and no more")
    made.add_argument("--plant", choices=PLANTS, help="run a service with this fault in it")
    return made


def main() -> None:
    given = arguments().parse_args()
    raise SystemExit(judged(given.keep, lambda folder: harm_one_postgres(folder, plan_of(given))))


if __name__ == "__main__":
    main()
