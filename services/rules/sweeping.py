"""Sweeping clocks: when a seat's time is up, the house decides in its stead.

Any number of rules servers sweep, each for the games it has, and none remembers anything: what is due stands in the log,
and a time-out goes the way of every move. Two sweepers at one clock are two writers of one row, of which the log takes
one. It takes none before its time, for the time is the log's too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram

from engine.kernel.absence import TimeOut, forfeited, played
from engine.kernel.errors import TableCode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from services.database import DatabaseUnavailable
from services.movelog.clocks import AbsentRule, Clock, SeatClock
from services.movelog.failures import LogUnavailable, TimeLeft
from services.movelog.records import Status
from services.rpc.refusals import Reason, Refused
from services.rules.acting import Request, act
from services.rules.tables import Table, Tables
from services.structured_logs import without_message

BATCH: Final = 200
"""Clocks looked at together."""
AT_ONCE: Final = 16
"""Matches in which the house decides side by side."""
POLL_SECONDS: Final = 0.5
"""How late a clock may be noticed that was set after the last look, by another server."""
SET_ASIDE_SECONDS: Final = 60.0
"""How long a match is left alone in which a time-out failed, so that it does not stand in the way of others."""
MOST_SET_ASIDE: Final = 1_000
IN_ONE_GO: Final = 16
"""Time-outs of one match in a row before the others get their turn again."""

_PASSED_BY: Final = frozenset(
    {
        Reason.VERSION_CONFLICT,
        Reason.MATCH_NOT_FOUND,
        Reason.RULES_VERSION_UNSUPPORTED,
        TableCode.MATCH_OVER,
        TableCode.NOT_YOUR_TURN,
    }
)
"""Refusals that mean only that the match is not as it was: whoever looks next sees it as it is."""

_log: Final = structlog.get_logger("foldtable.rules")
_TIME_OUTS: Final = Counter("foldtable_time_outs", "Decisions made because a seat's time was up.", ["game"])
_LATENESS: Final = Histogram(
    "foldtable_time_out_lateness_seconds",
    "How long after its deadline a time-out was written.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60),
)


HandOver: TypeAlias = Callable[[Tables, Table, Seat], Awaitable[object]]
"""Lets a bot play a seat from now on; to be repeated safely. The caller holds the table."""


@dataclass(frozen=True, kw_only=True)
class TimedOut:
    """A decision that the house has made."""

    match_id: UUID
    seat: int
    version: int
    lateness: timedelta


class Sweeper:
    """Sweeps until it is cancelled. Belongs to one event loop."""

    def __init__(
        self,
        tables: Tables,
        games: Sequence[AnyGame],
        *,
        poll_seconds: float = POLL_SECONDS,
        told: Callable[[TimedOut], None] | None = None,
        hand_over: HandOver | None = None,
    ) -> None:
        """`told` hears of every time-out; `hand_over` gives the late seat of a match with that rule to a bot."""
        self._tables = tables
        self._clocks = tables.log.clocks
        self._rules = [(game.id, one.version) for game in games for one in game.versions]
        self._poll_seconds = poll_seconds
        self._told = told
        self._hand_over = hand_over
        self._aside: dict[UUID, float] = {}
        """Until when, by the loop's time."""

    async def run(self) -> None:
        """Sweep for ever."""
        bell = self._tables.clock_is_due
        while True:
            bell.clear()
            try:
                pause = await self.sweep()
            except (LogUnavailable, DatabaseUnavailable) as problem:
                _log.warning("log unavailable", method="sweep", error=str(problem))
                pause = self._poll_seconds
            except Exception as error:  # noqa: BLE001 - whatever it is, clocks go on; it is logged
                _log.error("internal error", method="sweep", **without_message(error))
                pause = self._poll_seconds
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await bell.wait()

    async def sweep(self) -> float:
        """Decide what is due now; give in how many seconds to look again."""
        clocks = await self._clocks.due(self._rules, limit=BATCH, but=self._set_aside())
        due = {one.match_id: None for one in clocks if one.left <= timedelta(0)}
        if due:
            room = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*[self._sweep_match(match_id, room) for match_id in due])
            return 0.0
        pause = self._poll_seconds
        return min([pause, *(one.left.total_seconds() for one in clocks[:1])])

    def _set_aside(self) -> list[UUID]:
        now = asyncio.get_running_loop().time()
        self._aside = {match_id: until for match_id, until in self._aside.items() if until > now}
        return list(self._aside)[-MOST_SET_ASIDE:]

    async def _sweep_match(self, match_id: UUID, room: asyncio.Semaphore) -> None:
        async with room:
            try:
                await self._decide_in(match_id)
            except (LogUnavailable, DatabaseUnavailable) as problem:
                _log.warning("log unavailable", method="sweep", error=str(problem))
                await asyncio.sleep(self._poll_seconds)
            except Exception as problem:  # noqa: BLE001 - one match must not stop the clocks of the others; it is logged
                self._aside[match_id] = asyncio.get_running_loop().time() + SET_ASIDE_SECONDS
                _log.error("time-out failed", match_id=str(match_id), **without_message(problem))

    async def _decide_in(self, match_id: UUID) -> None:
        """Decide for every seat of a match whose time is up, until there is none."""
        async with self._tables.hold(match_id) as table:
            await self._tables.catch_up(table)
            for _ in range(IN_ONE_GO):
                found = await self._clocks.of(match_id)
                if found is None or table.match.clock is None or table.status is not Status.RUNNING:
                    return
                if found.version != table.version:
                    await self._tables.catch_up(table)
                    continue
                late = found.late()
                if late is None or late.deadline is None:
                    return
                if not await self._time_out(table, table.match.clock, late, found.as_of - late.deadline):
                    return

    async def _time_out(self, table: Table, clock: Clock, seat: SeatClock, lateness: timedelta) -> bool:
        """Decide in a seat's stead; False if the match is not as it was."""
        request = _request(table, Seat(seat.seat), clock)
        try:
            answer = await act(self._tables, table, request)
        except TimeLeft:
            return False
        except Refused as refused:
            if refused.reason in _PASSED_BY:
                return False
            raise
        if (
            clock.absent is AbsentRule.BOT
            and self._hand_over is not None
            and answer.status is not Status.ENDED
        ):
            await self._hand_over(self._tables, table, Seat(seat.seat))
        if not answer.replayed:
            _TIME_OUTS.labels(table.game.id).inc()
            _LATENESS.observe(lateness.total_seconds())
            if self._told is not None:
                told = TimedOut(
                    match_id=table.match.id, seat=seat.seat, version=answer.version, lateness=lateness
                )
                self._told(told)
        return True


def _request(table: Table, seat: Seat, clock: Clock) -> Request:
    """Give the time-out of a seat's open decision. Its id is the same for every sweeper, and another for another decision."""
    body: TimeOut
    if clock.absent is AbsentRule.FORFEIT:
        body = forfeited(table.game, table.state, seat)
    else:
        body = played(table.game, table.state, seat)
    request_id = f"·time_out {seat} {table.opened(seat)}"
    return Request(seat=seat, body=body, request_id=request_id, expected_version=table.version)
