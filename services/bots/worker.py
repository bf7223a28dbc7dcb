"""One worker for one tenant: it subscribes to its bots' turns, and plays each such seat in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

import structlog

from foldtable_client import ProblemError, Unreachable
from services.bots import metrics
from services.bots.api import Api, FeedMatch
from services.bots.pacing import Pause
from services.bots.playing import Player, Seat
from services.bots.waiting_matches import poll, subscribe
from services.process.structured_logs import without_message

MAX_AT_ONCE: Final = 64
"""Most seats played concurrently; the others wait."""

_log: Final = structlog.get_logger("foldtable.bots")


class Worker:
    """Plays until it is stopped."""

    def __init__(self, api: Api, player: Player, levels: Collection[str], *, poll_seconds: float) -> None:
        self._api = api
        self._player = player
        self._levels = frozenset(levels)
        self._poll_seconds = poll_seconds
        self._playing: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._still_waiting: dict[tuple[str, int], bool] = {}
        """For seats being played: what the feed or the poll has reported since their last turn began, whether they have to act."""
        self._stopping = asyncio.Event()
        self._one_at_a_time: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By match, where bots keep a pace: two that have waited for the same move must not both move after it."""
        self._room = asyncio.Semaphore(MAX_AT_ONCE)

    async def run(self, stop: asyncio.Event, *, drain_seconds: float) -> None:
        """Play until `stop` is set; then finish the current moves, for at most `drain_seconds`."""
        finding = [
            asyncio.create_task(subscribe(self._api, self.on_match)),
            asyncio.create_task(poll(self._api, self.on_match, self._poll_seconds)),
        ]
        stopping = asyncio.create_task(stop.wait())
        done, _ = await asyncio.wait({stopping, *finding}, return_when=asyncio.FIRST_COMPLETED)
        for task in (stopping, *finding):
            task.cancel()
        self._stopping.set()  # current decisions are finished, and no others begun
        if self._playing:
            await asyncio.wait(self._playing.values(), timeout=drain_seconds)
        for task in tuple(self._playing.values()):
            task.cancel()
        await asyncio.gather(*self._playing.values(), stopping, *finding, return_exceptions=True)
        for task in done - {stopping}:
            task.result()  # these end by themselves only with a bug

    def on_match(self, match: FeedMatch) -> None:
        """Begin to play the seats of this worker's levels that have to act; record whether seats being played still have to."""
        waiting = {bot.seat: bot.level for bot in match.waiting_bots if bot.level in self._levels}
        for key in self._playing:
            if key[0] == match.match_id:
                self._still_waiting[key] = key[1] in waiting
        for number, level in waiting.items():
            seat = Seat(match.match_id, number, match.game, level or "")
            if seat.key not in self._playing:
                task = asyncio.create_task(self._play(seat))
                self._playing[seat.key] = task

    async def _play(self, seat: Seat) -> None:
        """Move as long as the seat has to act."""
        try:
            again = not self._stopping.is_set()
            while again:
                async with self._room:  # it may ask the gateway
                    pause = await self._player.pause(seat)
                again = await self._turn(seat, pause)
                again = self._still_waiting.get(seat.key, again) and not self._stopping.is_set()
        except (ProblemError, Unreachable, BrokenProcessPool) as problem:
            metrics.FAILURES.inc()
            _log.warning("turn given up", match_id=seat.match_id, seat=seat.seat, error=str(problem))
        except Exception as error:  # noqa: BLE001 - a bug in one game or level must not end the others' matches; it is logged
            metrics.FAILURES.inc()
            _log.error("turn failed", match_id=seat.match_id, seat=seat.seat, **without_message(error))
        finally:
            del self._playing[seat.key]
            self._still_waiting.pop(seat.key, None)

    async def _turn(self, seat: Seat, pause: Pause | None) -> bool:
        """Wait for as long as the match asks for, then make a turn; return whether the seat may still have to act."""
        if pause is None:
            return await self._play_now(seat, None)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), pause.seconds)
        if self._stopping.is_set() or not self._still_waiting.get(seat.key, True):
            return False
        lock = self._one_at_a_time.setdefault(seat.match_id, asyncio.Lock())
        async with lock:
            return await self._play_now(seat, pause.version)

    async def _play_now(self, seat: Seat, after: int | None) -> bool:
        async with self._room:
            with metrics.PLAYING.track_inprogress():
                self._still_waiting.pop(seat.key, None)
                return await self._player.turn(seat, after)
