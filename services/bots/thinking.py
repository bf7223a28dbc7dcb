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
from typing import Any, Final, TypeAlias

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
MORE_SECONDS: Final = 10.0
"""Processor time that a decision may take beyond what the level was given: whoever needs more does not return."""
_WAITING_FACTOR: Final = 6
"""How many times as long it may take if it only waits."""

Begun: TypeAlias = Any
"""Shared with the processes: for each, the number of the decision that it is making, 0 for none, and since when."""
_noted: tuple[Begun, int] = ([0.0, 0.0], 0)
"""Where this process notes it."""

Rules = tuple[str, str]
"""A game's id, and the version of its rules."""


class RulesStuck(Exception):  # noqa: N818 - the name says what happened
    """A level, or the rules that it calls, did not return; the process that thought was ended."""


class RulesRaised(Exception):  # noqa: N818
    """The rules have raised what is no error, such as SystemExit."""


class Thinking:
    """The processes that think. Close it when they are no longer needed."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._number = 0
        self._begun: Begun = ()
        self._pool = self._new_pool()

    async def warm_up(self) -> None:
        """Start the processes before the first decision."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._pool, os.getpid) for _ in range(self._processes)))

    async def choose(
        self, level: str, rules: Rules, seat: int, states: tuple[bytes, ...], seconds: float
    ) -> bytes | None:
        """Return an action as JSON; None if the seat has nothing to decide in these states.

        Raises BrokenProcessPool if a process was killed; later calls use new ones. Raises RulesStuck if it was killed because this
        call did not return.
        """
        pool, loop = self._pool, asyncio.get_running_loop()
        secret = secrets.token_bytes(SECRET_BYTES)
        self._number += 1
        number, begun = self._number, self._begun
        try:
            return await loop.run_in_executor(
                pool, _numbered, number, level, rules, seat, states, seconds, secret
            )
        except BrokenProcessPool:  # one was killed, which ends the others as well
            if self._pool is pool:
                self._pool = self._new_pool()
            if _did_not_return(begun, number, seconds):
                raise RulesStuck(f"{level} of {rules[0]} did not return") from None
            raise

    def close(self) -> None:
        """End the processes once they have finished what they think about."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        context = get_context("spawn")
        self._begun = context.RawArray("d", 2 * self._processes)
        places = context.SimpleQueue()
        for place in range(self._processes):
            places.put(place)
        return ProcessPoolExecutor(
            self._processes,
            mp_context=context,
            initializer=_begin,
            initargs=(os.getpid(), self._begun, places),
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


def _begin(worker: int, begun: Begun, places: Any) -> None:
    """Ignore signals, which are for the worker, and end when the worker has ended, for whatever reason."""
    global _noted  # noqa: PLW0603 - what belongs to the whole process
    _noted = begun, 2 * places.get()
    configure_logs("info", format_of_environment())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(worker,), name="tether", daemon=True).start()


def _numbered(
    number: int, level: str, rules: Rules, seat: int, states: tuple[bytes, ...], seconds: float, secret: bytes
) -> bytes | None:
    """Choose, and note in the meantime which decision this process is making, since when.

    This process ends if it takes much longer than it may: not even a loop in a library can go on.
    """
    begun, place = _noted
    begun[place + 1], begun[place] = time.monotonic(), number
    signal.setitimer(signal.ITIMER_PROF, seconds + MORE_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, (seconds + MORE_SECONDS) * _WAITING_FACTOR)
    try:
        return choose(level, rules, seat, states, seconds, secret)
    except Exception:
        raise
    except BaseException as problem:  # noqa: BLE001 - it would end the worker
        raise RulesRaised(f"{level} of {rules[0]} raised {type(problem).__name__}") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        begun[place] = 0


def _did_not_return(begun: Begun, number: int, seconds: float) -> bool:
    """Return whether a decision was being made when the processes ended, and for longer than it may take."""
    since = dict(zip(begun[::2], begun[1::2], strict=True)).get(number)
    return since is not None and time.monotonic() - since >= seconds + MORE_SECONDS


def _end_with(worker: int) -> None:
    while os.getppid() == worker:
        time.sleep(_TETHER_SECONDS)
    os._exit(0)
