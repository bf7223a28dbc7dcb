"""The times in which no server took moves, as this process knows them, and its own sign of life in the database.

The log moves the deadlines of clocks. Times that are no deadlines of the log, such as that of a proposal, are computed
with what is known here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from engine.kernel.game import AnyGame
from services.movelog.clocks import ClockReader
from services.movelog.downtimes import BEAT, TOLERANCE, Downtime, ServedRules, served_until
from services.movelog.failures import LogError
from services.postgres.database import DatabaseUnavailable
from services.process.structured_logs import without_message

FIRST_CALL_SECONDS: Final = 30.0
"""How long a server that nobody calls waits before it lets clocks go on that stood."""

_log: Final = structlog.get_logger("foldtable.rules")


class Downtimes:
    """What is known of downtimes. Belongs to one event loop."""

    def __init__(self) -> None:
        self._known: dict[ServedRules, dict[datetime, Downtime]] = {}
        """By their beginning."""
        self._beat_at: datetime | None = None
        self.newest: datetime | None = None
        """When the newest known downtime ended."""

    def served_until(self, rules: ServedRules, start: datetime, length: timedelta) -> datetime:
        """Return when so much time since `start` has passed in which moves were taken.

        If this process could not reach the database for a while, that time counts as a downtime until more is known.
        """
        known = list(self._known.get(rules, {}).values())
        now, last = datetime.now(UTC), self._beat_at
        if last is not None and now - last > TOLERANCE:
            game, version = rules
            known.append(Downtime(game=game, rules_version=version, since=last, until=now))
        return served_until(start, length, known)

    def beat(self) -> None:
        """Note that the database was reached just now."""
        self._beat_at = datetime.now(UTC)

    def last_until(self, rules: ServedRules) -> datetime | None:
        """Return when the last known downtime of some rules ended."""
        return max((one.until for one in self._known.get(rules, {}).values()), default=None)

    def add(self, newer: Sequence[Downtime], *, are_over: bool = True) -> None:
        """Note downtimes, in order; one that goes on is replaced when it has ended."""
        for one in newer:
            self._known.setdefault((one.game, one.rules_version), {})[one.since] = one
            if are_over:
                self.newest = one.until


NO_DOWNTIMES: Final = Downtimes()
"""For matches that are not served, such as in tools."""


class Heartbeat:
    """Says that this server takes moves, until it is cancelled. Belongs to one event loop."""

    def __init__(self, clocks: ClockReader, games: Sequence[AnyGame], downtimes: Downtimes) -> None:
        self._clocks = clocks
        self._rules = [(game.id, one.version) for game in games for one in game.versions]
        self._downtimes = downtimes

    async def run(self, *, after: asyncio.Event) -> None:
        """Beat until cancelled, from an event on, or after FIRST_CALL_SECONDS.

        The event is the first call. Until the processes in front of this one have come back too, nobody can move.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_CALL_SECONDS):
                await after.wait()
        # Reads may have to wait, and must not delay a beat. A TaskGroup would cancel each of the two once only, and wait for ever
        # for one that has lost it (services/process/ending.py).
        await asyncio.gather(self._again_and_again(self.beat), self._again_and_again(self.read))

    async def look(self) -> None:
        """Read what is known before the first beat; a database that cannot be reached is only logged."""
        await self._try(self.read)
        await self._try(self._read_standing)

    async def beat(self) -> None:
        """Say that this server takes moves. Raises LogUnavailable."""
        await self._clocks.beat(self._rules)
        self._downtimes.beat()

    async def read(self) -> None:
        """Read the downtimes that are new. Raises LogUnavailable."""
        self._downtimes.add(await self._clocks.downtimes(self._rules, after=self._downtimes.newest))

    async def _read_standing(self) -> None:
        self._downtimes.add(await self._clocks.standing(self._rules), are_over=False)

    async def _again_and_again(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            await self._try(step)
            await asyncio.sleep(BEAT.total_seconds())

    async def _try(self, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except (LogError, DatabaseUnavailable) as problem:
            _log.warning("log unavailable", method="beat", error=str(problem))
        except Exception as error:  # noqa: BLE001 - the clocks depend on the next beat; it is logged
            _log.error("internal error", method="beat", **without_message(error))
