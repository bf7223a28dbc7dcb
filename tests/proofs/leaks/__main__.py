"""Plays many random pairs of matches that an audience cannot tell apart, and compares all it was told: `make prove P=leaks`."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psycopg
import uvloop
from psycopg.conninfo import make_conninfo

from engine.registry import GAMES
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.leaks.channels import CHANNELS
from tests.proofs.leaks.databases import two_databases
from tests.proofs.leaks.pairs import a_telling_pair, pairs_of
from tests.proofs.leaks.planted import PLANTS, Plant
from tests.proofs.leaks.playing import USUAL_LEVEL, Run, compared
from tests.proofs.leaks.recording import Comparison
from tests.proofs.leaks.twins import Twins

AT_ONCE: Final = 6
"""Pairs in one system."""
TEMPLATE: Final = "leaks_template"
PLANTED_MOVES: Final = 5
ROW: Final = "answers to an audience, the same in two matches it cannot tell apart; planted leaks found"
LEVELS: Final = USUAL_LEVEL, "debug"
"""Log levels, in turn: nothing but log lines depends on them."""
SHOWN: Final = 20
"""Differences of a system that are printed in full."""


async def compare_all(url: str, pairs: Sequence[Twins], folder: Path) -> Comparison:
    """Play all pairs, a few in each system; say how far it is."""
    found = Comparison()
    begun = time.monotonic()
    for first in range(0, len(pairs), AT_ONCE):
        some = pairs[first : first + AT_ONCE]
        with two_databases(url, TEMPLATE) as databases:
            new = await compared(some, databases, folder, level=LEVELS[first // AT_ONCE % len(LEVELS)])
        found.add(new)
        for difference in new.differences[:SHOWN]:
            print(difference, flush=True)
        done = first + len(some)
        print(
            f"{done} of {len(pairs)} pairs, {sum(found.bytes.values()):,} bytes compared, "
            f"{len(found.differences)} differences, {time.monotonic() - begun:.0f} s",
            flush=True,
        )
    return found


async def find(url: str, plant: Plant, pairs: Sequence[Twins], folder: Path) -> bool:
    """Plant a leak, and say where it was found."""
    with two_databases(url, TEMPLATE) as databases:
        found = await compared(pairs, databases, folder, close_looks=1, plants=[plant], level=plant.level)
    missed = plant.channels - found.found_in
    print(
        f"{plant.name:<64} {'NOT FOUND in ' + ', '.join(sorted(missed)) if missed else 'found'}", flush=True
    )
    print(f"    differs in: {', '.join(sorted(found.found_in)) or 'nothing'}", flush=True)
    for difference in [one for one in found.differences if one.place.channel in plant.channels][:1]:
        print(f"    {difference}", flush=True)
    return not missed


async def nothing_else_is_found(
    url: str, plants: Sequence[Plant], pairs: Sequence[Twins], folder: Path
) -> bool:
    """Plant all leaks at once in two runs of the same match: what is found then has nothing to do with what is hidden."""
    with two_databases(url, TEMPLATE) as databases:
        found = await compared(
            pairs,
            databases,
            folder,
            close_looks=1,
            plants=plants,
            runs=(Run.TRUTH, Run.TRUTH),
            level="debug",
        )
    print(f"all of them planted, and the same match twice: {len(found.differences)} differences", flush=True)
    return not found.differences


async def run(url: str, given: argparse.Namespace, folder: Path) -> tuple[int, int]:
    """Compare, then plant; give how many answers were compared, and how many differed or hid a plant."""
    games = given.games.split(",")
    pairs = list(pairs_of(games, given.matches, given.moves))
    found = await compare_all(url, pairs, folder)
    if pairs:
        print(f"\n{found}\n\n{_summary(pairs, found)}\n\n{found.ways}")
    violations = len(found.differences) + (_deaf(found) if len(pairs) >= len(GAMES) else 0)
    violations += _not_taken(found) if pairs else 0
    if plants := _chosen(given):
        few = [a_telling_pair(PLANTED_MOVES)]
        print(f"\n{len(plants)} leaks, planted one at a time:")
        violations += [await find(url, plant, few, folder) for plant in plants].count(False)
        violations += not await nothing_else_is_found(url, plants, few, folder)
    return sum(found.pairs.values()), violations


def _deaf(found: Comparison) -> int:
    """Count the channels in which nothing was heard; name them."""
    silent = CHANNELS.keys() - found.channels
    for channel in sorted(silent):
        print(f"nothing was heard in: {channel}")
    return len(silent)


def _not_taken(found: Comparison) -> int:
    """Count the ways that no move has taken, so that nothing is known of them; name them."""
    missing = found.ways.missing()
    for way in missing:
        print(f"no move went this way: {way}")
    return len(missing)


def _chosen(given: argparse.Namespace) -> list[Plant]:
    wanted = given.plants.split(",")
    return [plant for plant in PLANTS if given.planted and any(name in plant.name for name in wanted)]


def _summary(pairs: Sequence[Twins], found: Comparison) -> str:
    versions = sum(twins.versions for twins in pairs)
    differ = sum(twins.tables_differ for twins in pairs)
    return (
        f"{len(pairs)} pairs of matches, {versions} versions, at {differ} of them the tables differ; "
        f"{sum(found.pairs.values()):,} answers, {sum(found.bytes.values()):,} bytes: "
        f"{len(found.differences)} differences"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="make prove P=leaks", description=__doc__)
    parser.add_argument("--matches", type=int, default=14, help="pairs of each game; 0: only plant leaks")
    parser.add_argument("--moves", type=int, default=30, help="of each match, at most")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument(
        "--planted", action=argparse.BooleanOptionalAction, default=True, help="plant leaks afterwards"
    )
    parser.add_argument(
        "--plants", default="", help="only those with one of these in their name, separated by commas"
    )
    parser.add_argument("--row", action="store_true", help="print one line of JSON in the end")
    given = parser.parse_args()
    if unknown := sorted(set(given.games.split(",")) - set(GAMES)):
        parser.error(f"no games: {', '.join(unknown)}; there are: {', '.join(GAMES)}")
    if not _chosen(given) and given.matches < 1:
        parser.error("nothing would be compared")
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as postgres:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        migrate(make_conninfo(postgres.url, dbname=TEMPLATE))
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            answers, violations = runner.run(run(postgres.url, given, Path(folder)))
    print("\nSOMETHING LEAKS, OR A PLANTED LEAK WAS NOT FOUND" if violations else "\nnothing leaks")
    if given.row:
        row = {"proof": "leaks", "what": ROW, "count": answers, "violations": violations}
        print(json.dumps(row), flush=True)
    raise SystemExit(violations > 0)


if __name__ == "__main__":
    main()
