"""How cheap is the past? Views at random versions of a long match, and whole replays, in the service, with and without snapshots.

    python tests/bench/bench_replay.py --views 200 --moves 300

A view is timed as the service makes it for a server that has the match but none of its earlier states: the nearest
snapshot is read from Postgres, the rows after it, they are folded, and the view is written as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

import uvloop

from engine.kernel.seats import PUBLIC
from engine.match.commands import is_command_row
from engine.registry import GAMES
from engine.registry import game as registered_game
from foldtable.matches.v1 import history_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Match, Move, SeatRecord, SeatState
from services.postgres.database import DatabaseSettings
from services.rules.history import replaying
from services.rules.match.match_cache import MatchCache
from services.rules.views import looking
from services.rules.wire.forms import PLAIN
from tests.support.match_documents import a_match
from tests.support.winding_matches import a_winding_match

SEEDS = 20


def a_long_match(game_id: str, moves: int) -> tuple[Match, Sequence[Move]]:
    """Play a match of at least that many rows, if the game has any: first without, then with moves taken back."""
    best: tuple[Match, Sequence[Move]] | None = None
    for play in (a_match, a_winding_match):
        for seed in range(1, SEEDS + 1):
            for seats in registered_game(game_id).seat_counts:
                found = play(game_id=game_id, seats=seats, moves=moves, seed=seed, match_id=uuid4())
                if best is None or found[0].version > best[0].version:
                    best = found
                if best[0].version >= moves:
                    return best
    assert best is not None
    return best


async def views(
    log: PostgresLog, match: Match, number: int, choices: random.Random, *, snapshots: bool
) -> list[tuple[float, float]]:
    """Return the seconds of views at random versions, by the clock and of this process's own work."""
    game = registered_game(match.game)
    took = []
    tables = MatchCache(log, lambda _: game)
    async with tables.hold(match.id) as table:
        await tables.settled()  # loading the match has put its states aside
        if not snapshots:
            await log.snapshots.delete(match.id)
        for _ in range(number):
            version = choices.randint(1, match.version - 1)
            tables._states.clear()
            begun, worked = time.perf_counter(), time.process_time()
            await looking.view(tables, table, PUBLIC, version, PLAIN)
            took.append((time.perf_counter() - begun, time.process_time() - worked))
    await tables.close()
    return took


async def whole(log: PostgresLog, match: Match) -> tuple[float, int]:
    """Return the seconds and the bytes of a replay of views and moves of all versions."""
    game = registered_game(match.game)
    tables = MatchCache(log, lambda _: game)
    request = history_pb2.ReplayMatchRequest(match_id=str(match.id), form=PAYLOAD_FORM_JSON)
    async with tables.hold(match.id) as table:
        begun = time.perf_counter()
        prepared = await replaying.prepare(tables, table, PUBLIC, request)
    parts = [part async for part in replaying.send(tables, prepared)]
    took = time.perf_counter() - begun
    assert len(parts) == match.version + 2
    await tables.close()
    return took, sum(part.ByteSize() for part in parts)


async def measure(url: str, number: int, moves: int, rounds: int) -> None:
    async with await PostgresLog.open(DatabaseSettings(url)) as log:
        print(
            f"{'game':14} {'seats':>5} {'rows':>5} {'taken back':>10} {'snapshots':>10} {'view p50':>9} {'p99':>9} {'its work':>9}"
        )
        for game_id in GAMES:
            match, rows = a_long_match(game_id, moves)
            seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(match.seats))
            await log.import_match(match, seats, rows)
            taken_back = sum(is_command_row(row.events) for row in rows)
            wholes: list[tuple[float, int]] = []
            figures: dict[str, list[tuple[float, float]]] = {"without": [], "with": []}
            for turn in range(rounds):
                for kind, took in figures.items():
                    choices = random.Random(turn)
                    took.extend(await views(log, match, number // rounds, choices, snapshots=kind == "with"))
                    wholes.append(await whole(log, match))
            for kind, took in figures.items():
                clock, work = zip(*took, strict=True)
                print(
                    f"{game_id:14} {match.seats:5} {match.version:5} {taken_back:10} {kind:>10} "
                    f"{median(clock) * 1e3:6.2f} ms {quantiles(clock, n=100)[98] * 1e3:6.2f} ms {median(work) * 1e3:6.2f} ms"
                )
            size = wholes[0][1] / 1e6
            print(
                f"{'':14} the whole match, views and moves: {size:.1f} MB in {median(took for took, _ in wholes) * 1e3:.0f} ms"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--views", type=int, default=300, help="views of each game and kind")
    parser.add_argument(
        "--moves", type=int, default=300, help="rows of each match, at least where the game has such"
    )
    parser.add_argument("--rounds", type=int, default=3, help="turns of each kind")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(EmbeddedPostgres(folder / "postgres"))
        migrate(postgres.url)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(measure(postgres.url, asked.views, asked.moves, asked.rounds))


if __name__ == "__main__":
    main()
