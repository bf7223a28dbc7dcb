"""Sweeping clocks: when a seat's time is up, the server decides for it.

Any number of rules servers sweep, each for the games it serves. They keep no state: the log says what is due, and a
time-out is written like every move. If two sweepers handle one clock, they write the same row and the log accepts
one. It accepts none too early, because the log's database also measures the time.

A match in which nobody is there is called off instead, so that nobody loses it: one that all players have left for long,
or that the policy would bring to its end without them; and one in which the time of all who are left is up in the same
instant, if they would leave for it, because otherwise the seat looked at last would win.
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

from engine.kernel.codec import encode
from engine.kernel.errors import TableCode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.absence import TimeOut, forfeited, played
from engine.match.commands import Abandon
from services.movelog.clocks import AbsentRule, Clock, Clocks, SeatClock
from services.movelog.failures import LogUnavailable, TimeLeft
from services.movelog.records import Status
from services.postgres.database import DatabaseUnavailable
from services.process.reasons import Reason
from services.process.structured_logs import without_message
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import decide, make_move
from services.rules.match.timekeeping import away, people

BATCH: Final = 200
"""Clocks read in one query."""
AT_ONCE: Final = 16
"""Matches decided concurrently."""
POLL_SECONDS: Final = 0.5
"""How late a clock may be noticed that another server set after the last poll."""
SET_ASIDE_SECONDS: Final = 60.0
"""How long a match is skipped after a failed time-out, so that it does not delay others."""
MAX_SET_ASIDE: Final = 1_000
IN_ONE_GO: Final = 16
"""Time-outs of one match in a row before other matches get their turn."""

_PASSED_BY: Final = frozenset(
    {
        Reason.VERSION_CONFLICT,
        Reason.MATCH_NOT_FOUND,
        Reason.RULES_VERSION_UNSUPPORTED,
        TableCode.MATCH_OVER,
        TableCode.NOT_YOUR_TURN,
    }
)
"""Refusals that only mean that the match has changed meanwhile; the next sweep reads it again."""

_log: Final = structlog.get_logger("foldtable.rules")
_TIME_OUTS: Final = Counter("foldtable_time_outs", "Decisions made because a seat's time was up.", ["game"])
_LATENESS: Final = Histogram(
    "foldtable_time_out_lateness_seconds",
    "How long after its deadline a time-out was written.",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60),
)


HandOver: TypeAlias = Callable[[MatchCache, LoadedMatch, Seat], Awaitable[object]]
"""Hands a seat to a bot; safe to repeat. The caller holds the match's lock."""


@dataclass(frozen=True, kw_only=True)
class TimedOut:
    """A decision that the server has made for a seat."""

    match_id: UUID
    seat: int
    version: int
    lateness: timedelta


class Sweeper:
    """Sweeps until it is cancelled. Belongs to one event loop."""

    def __init__(
        self,
        cache: MatchCache,
        games: Sequence[AnyGame],
        *,
        poll_seconds: float = POLL_SECONDS,
        on_time_out: Callable[[TimedOut], None] | None = None,
        hand_over: HandOver | None = None,
        stopped: Callable[[], Sequence[UUID]] = tuple,
    ) -> None:
        """`on_time_out` is called for every time-out. `hand_over` hands a late seat to a bot where the match says so.

        `stopped` returns matches that nobody decides in.
        """
        self._cache = cache
        self._clocks = cache.log.clocks
        self._rules = [(game.id, one.version) for game in games for one in game.versions]
        self._poll_seconds = poll_seconds
        self._on_time_out = on_time_out
        self._hand_over = hand_over
        self._stopped = stopped
        self._aside: dict[UUID, float] = {}
        """Matches to skip, each with the event loop's time until which."""

    async def run(self) -> None:
        """Sweep until cancelled."""
        bell = self._cache.clock_is_due
        while True:
            bell.clear()
            try:
                pause = await self.sweep()
            except (LogUnavailable, DatabaseUnavailable) as problem:
                _log.warning("log unavailable", method="sweep", error=str(problem))
                pause = self._poll_seconds
            except Exception as error:  # noqa: BLE001 - the sweeper must survive any error; it is logged
                _log.error("internal error", method="sweep", **without_message(error))
                pause = self._poll_seconds
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await bell.wait()

    async def sweep(self) -> float:
        """Decide what is due now; return in how many seconds to sweep again."""
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
        return [*self._aside, *self._stopped()][-MAX_SET_ASIDE:]

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
        """Decide for the seats of a match whose time is up, until there is none."""
        async with self._cache.hold(match_id) as loaded:
            await self._cache.catch_up(loaded)
            for _ in range(IN_ONE_GO):
                found = await self._clocks.of(match_id)
                if found is None or loaded.match.clock is None or loaded.status is not Status.RUNNING:
                    return
                if found.version != loaded.version:
                    await self._cache.catch_up(loaded)
                    continue
                if not await self._decide_next(loaded, loaded.match.clock, found):
                    return

    async def _decide_next(self, loaded: LoadedMatch, clock: Clock, clocks: Clocks) -> bool:
        """Decide for the seat whose time was up first; return False if there is none, or the match has changed meanwhile."""
        late = clocks.late_together()
        if not late or late[0].deadline is None:
            return False
        await self._cache.check_seating(loaded)
        request = _request(loaded, Seat(late[0].seat), clock)
        if is_deserted(loaded, clock, clocks) or _ends_unattended(loaded, clock, clocks, request):
            return await self._abandon(loaded)
        if not await self._time_out(loaded, request, late[0], clocks.as_of - late[0].deadline):
            return False
        if clock.absent is AbsentRule.BOT and loaded.status is not Status.ENDED:
            await self._hand(loaded, clocks, Seat(late[0].seat))
        return True

    async def _hand(self, loaded: LoadedMatch, clocks: Clocks, seat: Seat) -> None:
        """Hand a late seat to a bot, if anybody is there to play with it. Bots alone would end the match in seconds.

        Whose own last decision timed out, or does now, is not known to be there.
        """
        late = {one.seat for one in clocks.late()}
        there = {
            one.seat
            for one in clocks.seats
            if one.time_outs == 0 and not one.resting and one.seat not in late
        }
        if self._hand_over is not None and there.intersection(people(loaded)):
            await self._hand_over(self._cache, loaded, seat)

    async def _abandon(self, loaded: LoadedMatch) -> bool:
        """Call a match off; return False if it has changed meanwhile."""
        request_id = f"·abandon {loaded.version}"
        request = Request(seat=None, body=Abandon(), request_id=request_id, expected_version=loaded.version)
        try:
            await run_command(self._cache, loaded, request)
        except Refused as refused:
            if refused.reason in _PASSED_BY:
                return False
            raise
        _log.info("abandoned", match_id=str(loaded.match.id), version=loaded.version)
        return True

    async def _time_out(
        self, loaded: LoadedMatch, request: Request, seat: SeatClock, lateness: timedelta
    ) -> bool:
        """Decide for a seat; return False if the match has changed meanwhile."""
        try:
            answer = await make_move(self._cache, loaded, request)
        except TimeLeft:
            return False
        except Refused as refused:
            if refused.reason in _PASSED_BY:
                return False
            raise
        if not answer.replayed:
            _TIME_OUTS.labels(loaded.game.id).inc()
            _LATENESS.observe(lateness.total_seconds())
            if self._on_time_out is not None:
                timed_out = TimedOut(
                    match_id=loaded.match.id, seat=seat.seat, version=answer.version, lateness=lateness
                )
                self._on_time_out(timed_out)
        return True


def is_deserted(loaded: LoadedMatch, clock: Clock, clocks: Clocks) -> bool:
    """Return whether nobody is left to play a match: all have been away for long, or would leave in the same instant."""
    late = {one.seat for one in clocks.late_together()}
    left = loaded.timeline.left()
    if clock.absent is AbsentRule.FORFEIT:
        staying = {seat for seat in range(loaded.match.seats) if seat not in left}
        if len(late) > 1 and staying <= late:
            return True
    players = people(loaded)
    on_vacation = any(one.resting for one in clocks.seats if one.seat in players)
    if not players or on_vacation or not away(clock, clocks).issuperset(players):
        return False
    return loaded.served_until(loaded.attended_at, clock.abandoned_after) <= clocks.as_of


def _ends_unattended(loaded: LoadedMatch, clock: Clock, clocks: Clocks, request: Request) -> bool:
    """Return whether a time-out would end a match in which no player is present."""
    time_outs = {one.seat: one.time_outs + (one.seat == request.seat) for one in clocks.seats}
    forfeits = clock.absent is AbsentRule.FORFEIT
    players = [seat for seat in people(loaded) if not (forfeits and seat == request.seat)]
    if not players or any(time_outs[seat] < clock.away_after for seat in players):
        return False
    try:
        return decide(loaded, request, encode(request.body)).outcome is not None
    except Refused:
        return False  # the match has changed; making the move says so


def _request(loaded: LoadedMatch, seat: Seat, clock: Clock) -> Request:
    """Return the time-out of a seat's open decision. Its request id is the same for every sweeper, and differs between decisions."""
    body: TimeOut
    if clock.absent is AbsentRule.FORFEIT:
        body = forfeited(loaded.game, loaded.state, seat)
    else:
        body = played(loaded.game, loaded.state, seat)
    request_id = f"·time_out {seat} {loaded.opened(seat)}"
    return Request(seat=seat, body=body, request_id=request_id, expected_version=loaded.version)
