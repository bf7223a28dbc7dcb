"""Matches in which half the players are gone from the start: do clocks alone bring them all to their end?

Two sweepers, each with a log and tables of its own as two servers have, and the players who are there on a third. Run by
test_absent_players.py in short, and by `make prove P=clocks` with a thousand matches.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import uvloop

from engine.kernel.chance import SeededChance
from engine.kernel.errors import TableCode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.absence import TimeOut, is_time_out
from engine.match.requests import read_request
from engine.registry import GAMES
from engine.registry import game as registered_game
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.movelog.clocks import AbsentRule, Clock, ClockKind
from services.movelog.export.verification import verify_match
from services.movelog.failures import LogUnavailable
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Match, MatchSettings, Status
from services.postgres.database import DatabaseSettings
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move
from services.rules.match.seating import NewMatch, create
from services.rules.match.starting import start_when_full
from services.rules.sweeps.sweeping import Sweeper, TimedOut

GAMES_IN_TURN = tuple(registered_game(game_id) for game_id in GAMES)
SWEEPERS = 2
LOOK_AGAIN_SECONDS = 0.1
"""Wake-ups come sooner; one may be lost."""
OVERTAKEN = {
    Reason.VERSION_CONFLICT,
    Reason.TIME_IS_UP,
    TableCode.MATCH_OVER,
    TableCode.NOT_YOUR_TURN,
    TableCode.WRONG_DECISION,
}
"""What a player is told whose table has moved on."""


@dataclass
class Report:
    """What came of it."""

    matches: int = 0
    ended: int = 0
    moves: int = 0
    time_outs: int = 0
    """Rows of the log."""
    double: int = 0
    """Time-outs of a decision that had one already."""
    of_present: int = 0
    """Time-outs of players who were there, and too slow on a busy machine."""
    swept: Counter[int] = field(default_factory=Counter)
    """How many each sweeper says it has written."""
    latest: float = 0.0
    """The longest time between a deadline and its time-out, in seconds."""
    differences: list[str] = field(default_factory=list)
    """What checking the matches against themselves found."""
    seconds: float = 0.0

    def __str__(self) -> str:
        return "\n".join(
            (
                f"matches            {self.matches}, all ended: {self.ended == self.matches}",
                f"moves              {self.moves} in {self.seconds:.0f} s",
                f"time-outs          {self.time_outs}, written by the sweepers: "
                + " + ".join(str(self.swept[number]) for number in range(SWEEPERS)),
                f"double time-outs   {self.double}",
                f"of present players {self.of_present}",
                f"longest lateness   {self.latest * 1000:.0f} ms",
                f"decided otherwise  {len(self.differences)}",
            )
        )

    @property
    def is_good(self) -> bool:
        """Nothing is missing, doubled or otherwise than decided."""
        return (
            self.ended == self.matches
            and self.double == 0
            and self.time_outs == sum(self.swept.values()) > 0
            and not self.differences
        )


def clock_of(number: int, length: timedelta) -> Clock:
    """Every kind of clock, and every way to go on without a player, in turn."""
    if number % 4 == 3:
        return Clock(kind=ClockKind.PER_MOVE, time=length, absent=AbsentRule.FORFEIT)
    if number % 4 == 2:
        return Clock(kind=ClockKind.BUDGET, time=2 * length, increment=length, away_after=1)
    return Clock(kind=ClockKind.PER_MOVE, time=length)


class Players:
    """Those who are there, at every match."""

    def __init__(self, tables: MatchCache) -> None:
        self.tables = tables

    async def play(self, number: int, length: timedelta) -> tuple[UUID, frozenset[int]]:
        """Play a match to its end; give it, and the seats that were gone."""
        whims = random.Random(number)
        game = GAMES_IN_TURN[number % len(GAMES_IN_TURN)]
        seats = whims.choice(game.seat_counts)
        gone = frozenset(whims.sample(range(seats), k=(seats + whims.randrange(2)) // 2))
        match_id = await self._begin(game, seats, clock_of(number, length))
        choices = SeededChance(number.to_bytes(32, "big"), 0)
        async with self.tables.log.subscribe_to_match(match_id) as wakeups:
            while await self._goes_on(match_id, gone, choices):
                await wakeups.wait(LOOK_AGAIN_SECONDS)
        return match_id, gone

    async def _begin(self, game: AnyGame, seats: int, clock: Clock) -> UUID:
        options = game.options_codec.decode(b"{}")
        new = NewMatch(
            tenant="absent", game=game, seats=seats, options=options, settings=MatchSettings(clock=clock)
        )
        match = await create(self.tables.log, new)
        async with self.tables.hold(match.id) as table:
            await self.tables.check_seating(table)
            await start_when_full(self.tables, table)
        return match.id

    async def _goes_on(self, match_id: UUID, gone: frozenset[int], choices: SeededChance) -> bool:
        """Act, and look again later where a busy database did not answer."""
        try:
            return await self._act(match_id, gone, choices)
        except LogUnavailable:
            return True

    async def _act(self, match_id: UUID, gone: frozenset[int], choices: SeededChance) -> bool:
        """Move for everybody who is there and waited for; False once the match is over."""
        async with self.tables.hold(match_id) as table:
            await self.tables.catch_up(table)
            while waiting := [seat for seat in table.to_act if seat not in gone]:
                if not await self._move(table, Seat(waiting[0]), choices):
                    break
            return table.status is not Status.ENDED

    async def _move(self, table: LoadedMatch, seat: Seat, choices: SeededChance) -> bool:
        action: Any = table.game.sample(table.state, seat, choices)
        request = Request(seat=seat, body=action, request_id="", expected_version=table.version)
        try:
            await make_move(self.tables, table, request)
        except Refused as refused:
            if refused.reason not in OVERTAKEN:
                raise
            return False
        return True


async def run(database_url: str, matches: int, length: timedelta, *, at_once: int) -> Report:
    """Play matches with clocks of some length, so many at once, and look at what the log says afterwards."""
    report = Report(matches=matches)
    begun = time.monotonic()
    async with AsyncExitStack() as opened:
        logs = [
            await opened.enter_async_context(await PostgresLog.open(DatabaseSettings(database_url)))
            for _ in range(SWEEPERS + 1)
        ]
        async with logs[0].pool.connection() as connection:
            await connection.execute("INSERT INTO tenants (id) VALUES ('absent') ON CONFLICT DO NOTHING")
        sweeping = [
            asyncio.create_task(_sweeper(log, number, report).run()) for number, log in enumerate(logs[1:])
        ]
        try:
            await _play_all(Players(MatchCache(logs[0], _game_of)), matches, length, at_once, report)
        finally:
            for task in sweeping:
                task.cancel()
            stopped = await asyncio.gather(*sweeping, return_exceptions=True)
        failed = [one for one in stopped if not isinstance(one, asyncio.CancelledError)]
        assert not failed, failed
    report.seconds = time.monotonic() - begun
    return report


def _sweeper(log: PostgresLog, number: int, report: Report) -> Sweeper:
    def told(timed_out: TimedOut) -> None:
        report.swept[number] += 1
        report.latest = max(report.latest, timed_out.lateness.total_seconds())

    return Sweeper(MatchCache(log, _game_of), GAMES_IN_TURN, poll_seconds=0.1, on_time_out=told)


def _game_of(game_id: str) -> AnyGame | None:
    return next((game for game in GAMES_IN_TURN if game.id == game_id), None)


async def _play_all(players: Players, matches: int, length: timedelta, at_once: int, report: Report) -> None:
    room = asyncio.Semaphore(at_once)

    async def one(number: int) -> tuple[UUID, frozenset[int]]:
        async with room:
            return await players.play(number, length)

    async with asyncio.TaskGroup() as group:
        playing = [group.create_task(one(number)) for number in range(matches)]
    played = [task.result() for task in playing]
    log = players.tables.log
    for match_id, gone in played:  # after the play: deciding again leaves no time for anything else
        _look(report, await log.find(match_id), await log.read(match_id), gone)


def _look(report: Report, match: Match, moves: Sequence[Any], gone: frozenset[int]) -> None:
    """Take a match's log into the report."""
    report.ended += match.status is Status.ENDED
    report.moves += len(moves)
    decided: set[tuple[int, str]] = set()
    game = registered_game(match.game)
    for move in moves:
        if not is_time_out(move.request):
            assert move.seat not in gone, "nobody else moves for a seat that is gone"
            continue
        request = read_request(game, move.request)
        assert isinstance(request, TimeOut)
        report.time_outs += 1
        report.of_present += move.seat not in gone
        report.double += (move.seat, request.decision) in decided
        decided.add((move.seat, request.decision))
    found = verify_match(match, moves)
    if not (found.ok and found.decided_again):
        report.differences.append(f"{match.id}: {found.difference or found.unchecked}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each decision")
    parser.add_argument("--at-once", type=int, default=50)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as postgres:
        migrate(postgres.url)
        report = uvloop.run(
            run(postgres.url, given.matches, timedelta(seconds=given.seconds), at_once=given.at_once)
        )
    print(report)
    for difference in report.differences[:10]:
        print(difference)
    raise SystemExit(not report.is_good)


if __name__ == "__main__":
    main()
