"""Vacations in matches: the server writes that a player's vacation has begun or ended, so that the seat's clock stands meanwhile.

Any number of rules servers do this, each for the games it serves. They keep no state: the database says which seats' players are
on vacation, and the log whose clocks rest. If two servers write the same row, the log accepts one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

import structlog

from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.commands import BeginVacation, EndVacation
from services.movelog.downtimes import ServedRules
from services.movelog.failures import LogUnavailable
from services.movelog.postgres.vacations import FIRST, VacationChange
from services.movelog.records import Status
from services.postgres.database import DatabaseUnavailable
from services.process.structured_logs import without_message
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.commands import run_command
from services.rules.match.match_cache import MatchCache

POLL_SECONDS: Final = 5.0
"""How late a vacation may begin or end in a match."""
PAGE: Final = 200

_log: Final = structlog.get_logger("foldtable.rules")


class Vacations(Protocol):
    """The vacations of the database; services.movelog.postgres.vacations.PostgresVacations is one."""

    async def changed(
        self, rules: Sequence[ServedRules], *, after: VacationChange = FIRST, limit: int
    ) -> list[VacationChange]:
        """Return the next seats whose players' vacations have begun or ended."""
        ...


async def keep(
    cache: MatchCache,
    vacations: Vacations,
    games: Sequence[AnyGame],
    *,
    poll_seconds: float = POLL_SECONDS,
) -> None:
    """Let vacations begin and end in matches, until cancelled."""
    while True:
        try:
            await sweep(cache, vacations, games)
        except (LogUnavailable, DatabaseUnavailable) as problem:
            _log.warning("log unavailable", method="vacations", error=str(problem))
        except Exception as error:  # noqa: BLE001 - it must survive any error; it is logged
            _log.error("internal error", method="vacations", **without_message(error))
        await asyncio.sleep(poll_seconds)


async def sweep(cache: MatchCache, vacations: Vacations, games: Sequence[AnyGame]) -> int:
    """Let the vacations begin and end that have not yet in their matches; return how many did. Raises LogUnavailable."""
    rules = [(game.id, one.version) for game in games for one in game.versions]
    last, written = FIRST, 0
    while page := await vacations.changed(rules, after=last, limit=PAGE):
        last = page[-1]
        for one in page:
            try:
                written += await _write(cache, one)
            except (LogUnavailable, DatabaseUnavailable):
                raise
            except Exception as problem:  # noqa: BLE001 - one match must not keep the others waiting; it is logged
                _log.error("vacation failed", match_id=str(one.match_id), **without_message(problem))
    return written


async def _write(cache: MatchCache, change: VacationChange) -> bool:
    """Write the row of a vacation; return False if another server did, or the match has changed meanwhile."""
    seat = Seat(change.seat)
    async with cache.hold(change.match_id) as loaded:
        await cache.catch_up(loaded)
        timeline = loaded.timeline
        if loaded.status is not Status.RUNNING or (seat in timeline.resting) is change.begins:
            return False
        if change.begins and seat in timeline.left():
            return False
        request = Request(
            seat=seat,
            body=BeginVacation() if change.begins else EndVacation(),
            request_id=f"·vacation {seat} {loaded.version}",
            expected_version=loaded.version,
        )
        try:
            written = await run_command(cache, loaded, request)
        except Refused:
            return False  # the seat's time is up, which comes first; or the match has changed
        return not written.replayed
