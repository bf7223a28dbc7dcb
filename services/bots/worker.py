"""One worker for one tenant: hears where its bots are waited for, and plays each such seat in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from concurrent.futures.process import BrokenProcessPool
from typing import Final

import structlog

from services.bots import metrics
from services.bots.api import Api, FeedMatch
from services.bots.hearing import listen, poll
from services.bots.playing import Player, Seat
from services.cli.rest import OutOfPatience, RestProblem
from services.structured_logs import without_message

MOST_AT_ONCE: Final = 64
"""Seats that are played side by side; the others wait."""

_log: Final = structlog.get_logger("foldtable.bots")


class Worker:
    """Plays until told to stop."""

    def __init__(self, api: Api, player: Player, levels: Collection[str], *, poll_seconds: float) -> None:
        self._api = api
        self._player = player
        self._levels = frozenset(levels)
        self._poll_seconds = poll_seconds
        self._playing: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._heard: dict[tuple[str, int], bool] = {}
        """Of seats that are being played: what was heard of them since they were last looked at: waited for or not."""
        self._stopping = False
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    async def run(self, told: asyncio.Event, *, drain_seconds: float) -> None:
        """Play until told to stop; then finish the moves under way, for so long at most."""
        hearing = [
            asyncio.create_task(listen(self._api, self.hear)),
            asyncio.create_task(poll(self._api, self.hear, self._poll_seconds)),
        ]
        stopping = asyncio.create_task(told.wait())
        done, _ = await asyncio.wait({stopping, *hearing}, return_when=asyncio.FIRST_COMPLETED)
        for task in (stopping, *hearing):
            task.cancel()
        self._stopping = True  # what is being decided is, and nothing after it
        if self._playing:
            await asyncio.wait(self._playing.values(), timeout=drain_seconds)
        for task in tuple(self._playing.values()):
            task.cancel()
        await asyncio.gather(*self._playing.values(), stopping, *hearing, return_exceptions=True)
        for task in done - {stopping}:
            task.result()  # hearing ends by itself with a bug only

    def hear(self, match: FeedMatch) -> None:
        """Begin to play where a bot of our levels is waited for; go on, or stop, where one plays already."""
        waiting = {bot.seat: bot.level for bot in match.waiting_bots if bot.level in self._levels}
        for key in self._playing:
            if key[0] == match.match_id:
                self._heard[key] = key[1] in waiting
        for number, level in waiting.items():
            seat = Seat(match.match_id, number, match.game, level or "")
            if seat.key not in self._playing:
                task = asyncio.create_task(self._play(seat))
                self._playing[seat.key] = task

    async def _play(self, seat: Seat) -> None:
        """Move as long as the seat is waited for."""
        try:
            async with self._room:
                with metrics.PLAYING.track_inprogress():
                    again = not self._stopping
                    while again:
                        self._heard.pop(seat.key, None)
                        again = await self._player.turn(seat)
                        again = self._heard.get(seat.key, again) and not self._stopping
        except (RestProblem, OutOfPatience, BrokenProcessPool) as problem:
            metrics.FAILURES.inc()
            _log.warning("turn given up", match_id=seat.match_id, seat=seat.seat, error=str(problem))
        except Exception as error:  # noqa: BLE001 - a bug in one game or level must not end the others' matches; it is logged
            metrics.FAILURES.inc()
            _log.error("turn failed", match_id=seat.match_id, seat=seat.seat, **without_message(error))
        finally:
            del self._playing[seat.key]
            self._heard.pop(seat.key, None)
