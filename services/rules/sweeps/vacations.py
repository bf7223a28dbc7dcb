"""Vacations in matches: the server writes that a player's vacation has begun or ended, so that the seat's clock stands meanwhile.

Any number of rules servers do this, each for the games it serves. The database says which seats' players are on vacation, and the
log whose clocks rest; a server remembers only when it looked last, and what it could not change then. If two servers write the
same row, the log accepts one.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final, Protocol
from uuid import UUID

import structlog

from engine.kernel.errors import TableCode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.commands import BeginVacation, EndVacation
from services.movelog.downtimes import ServedRules
from services.movelog.failures import LogUnavailable
from services.movelog.records import Status
from services.postgres.database import DatabaseUnavailable
from services.process.reasons import Reason
from services.process.structured_logs import without_message
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.commands import run_command
from services.rules.match.match_cache import MatchCache
from services.rules.sweeps.vacation_rows import VacationChange

POLL_SECONDS: Final = 5.0
"""How late a vacation may begin or end in a match."""
EVERY_SECONDS: Final = 60.0
"""How often all vacations are looked at, for matches that began and players who came meanwhile."""
OVERLAP: Final = timedelta(seconds=10)
"""How far back a look goes beyond the last one: transactions may commit late."""
AT_ONCE: Final = 16
"""Matches written at the same time."""
SET_ASIDE_SECONDS: Final = 60.0
"""How long a seat is left alone that could not be changed, such as one that has left its match."""

PAGE: Final = 2_000
"""Seats that are read at once."""
_PASSED_BY: Final = frozenset({Reason.TIME_IS_UP, Reason.VERSION_CONFLICT, TableCode.MATCH_OVER})
"""Refusals that a later look settles: the seat's time is up, which comes first, or the match has changed."""

_log: Final = structlog.get_logger("foldtable.rules")


class Vacations(Protocol):
    """The vacations of the database; services.rules.sweeps.vacation_rows.PostgresVacations is one."""

    async def changed(
        self, rules: Sequence[ServedRules], *, within: timedelta, every: bool, limit: int
    ) -> list[VacationChange]:
        """Return seats that vacations are to change, at most so many."""
        ...


class VacationSweeper:
    """Lets vacations begin and end in matches. Belongs to one event loop."""

    def __init__(
        self,
        cache: MatchCache,
        vacations: Vacations,
        games: Sequence[AnyGame],
        *,
        stopped: Callable[[], Sequence[UUID]] = tuple,
    ) -> None:
        """`stopped` returns matches that nothing is written to."""
        self._cache = cache
        self._vacations = vacations
        self._rules = [(game.id, one.version) for game in games for one in game.versions]
        self._stopped = stopped
        self._looked: float | None = None
        self._looked_at_all: float | None = None
        """When the last looks began, in the event loop's time."""
        self._aside: dict[VacationChange, float] = {}

    async def run(self, *, poll_seconds: float = POLL_SECONDS) -> None:
        """Look again and again until cancelled."""
        while True:
            try:
                await self.sweep()
            except (LogUnavailable, DatabaseUnavailable) as problem:
                _log.warning("log unavailable", method="vacations", error=str(problem))
            except Exception as error:  # noqa: BLE001 - it must survive any error; it is logged
                _log.error("internal error", method="vacations", **without_message(error))
            await asyncio.sleep(poll_seconds)

    async def sweep(self) -> int:
        """Let the vacations begin and end that have not yet in their matches; return how many did. Raises LogUnavailable."""
        now = asyncio.get_running_loop().time()
        every = self._looked_at_all is None or now - self._looked_at_all >= EVERY_SECONDS
        within = OVERLAP + timedelta(seconds=0 if self._looked is None else now - self._looked)
        self._aside = {change: until for change, until in self._aside.items() if until > now}
        written, is_full = 0, True
        while is_full:
            found = await self._vacations.changed(self._rules, within=within, every=every, limit=PAGE)
            done = await self._change_all(found)
            written, is_full = written + done, len(found) == PAGE and done > 0
        self._looked = now
        self._looked_at_all = now if every else self._looked_at_all
        return written

    async def _change_all(self, found: Sequence[VacationChange]) -> int:
        stopped = set(self._stopped())
        changes = [one for one in found if one not in self._aside and one.match_id not in stopped]
        random.shuffle(changes)  # several servers begin at different ends
        room = asyncio.Semaphore(AT_ONCE)
        return sum(await asyncio.gather(*[self._change(one, room) for one in changes]))

    async def _change(self, change: VacationChange, room: asyncio.Semaphore) -> bool:
        """Write the row of a vacation; return False if another server did, or it could not be written."""
        async with room:
            try:
                return await self._write(change)
            except (LogUnavailable, DatabaseUnavailable) as problem:
                _log.warning("log unavailable", method="vacations", error=str(problem))
            except Exception as problem:  # noqa: BLE001 - one match must not keep the others waiting; it is logged
                _log.error("vacation failed", match_id=str(change.match_id), **without_message(problem))
            self._set_aside(change)
            return False

    def _set_aside(self, change: VacationChange) -> None:
        self._aside[change] = asyncio.get_running_loop().time() + SET_ASIDE_SECONDS

    async def _write(self, change: VacationChange) -> bool:
        seat = Seat(change.seat)
        async with self._cache.hold(change.match_id) as loaded:
            await self._cache.catch_up(loaded)
            timeline = loaded.timeline
            if loaded.status is not Status.RUNNING or (seat in timeline.resting) is change.begins:
                return False
            if change.begins and seat in timeline.left():
                self._set_aside(change)
                return False
            request = Request(
                seat=seat,
                body=BeginVacation() if change.begins else EndVacation(),
                request_id=f"·vacation {seat} {loaded.version}",
                expected_version=loaded.version,
            )
            try:
                written = await run_command(self._cache, loaded, request)
            except Refused as refused:
                if refused.reason in _PASSED_BY:
                    return False
                raise
            return not written.replayed
