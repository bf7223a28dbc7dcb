"""Runs the levels in processes of their own: they may compute for seconds, while the worker's event loop must go on.

Input and output are JSON: states that the seat cannot distinguish from the true one, and the action.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

from engine.bots.budget import Seconds
from engine.bots.levels import LEVELS
from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import Seat
from engine.registry import game
from services.process.structured_logs import configure_logs, format_of_environment

TABLES: Final = {"random": 1, "greedy": 4, "search": 16}
"""How many states a level gets; for other levels see TABLES_OF_OTHERS."""
TABLES_OF_OTHERS: Final = 16
_TETHER_SECONDS: Final = 1.0

Rules = tuple[str, str]
"""A game's id, and the version of its rules."""


class Thinking:
    """The processes that think. Close it when they are no longer needed."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool = self._new_pool()

    async def warm_up(self) -> None:
        """Start the processes before the first decision."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._pool, os.getpid) for _ in range(self._processes)))

    async def choose(
        self, level: str, rules: Rules, seat: int, states: tuple[bytes, ...], seconds: float
    ) -> bytes | None:
        """Return an action as JSON; None if the seat has nothing to decide in these states.

        Raise BrokenProcessPool if a process was killed; later calls use new ones.
        """
        pool, loop = self._pool, asyncio.get_running_loop()
        secret = secrets.token_bytes(SECRET_BYTES)
        try:
            return await loop.run_in_executor(pool, choose, level, rules, seat, states, seconds, secret)
        except BrokenProcessPool:  # one was killed, which ends the others as well
            if self._pool is pool:
                self._pool = self._new_pool()
            raise

    def close(self) -> None:
        """End the processes once they have finished what they think about."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
        )


def choose(
    level: str, rules: Rules, seat: int, states: tuple[bytes, ...], seconds: float, secret: bytes
) -> bytes | None:
    """Return the action a level chooses. `secret` seeds the bot's own random choices."""
    played = game(*rules)
    deals = [played.state_codec.decode(state) for state in states]
    if Seat(seat) not in played.to_act(deals[0]):
        return None
    action = LEVELS[level].choose(
        played,
        lambda number: deals[number % len(deals)],
        Seat(seat),
        SeededChance(secret, 0),
        Seconds(seconds, time.monotonic),
    )
    return encode(action)


def _begin(worker: int) -> None:
    """Ignore signals, which are for the worker, and end when the worker has ended, for whatever reason."""
    configure_logs("info", format_of_environment())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(worker,), name="tether", daemon=True).start()


def _end_with(worker: int) -> None:
    while os.getppid() == worker:
        time.sleep(_TETHER_SECONDS)
    os._exit(0)
