"""Whoever is against the system: harm after harm, now and then two at once, and every one of them made good again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final

from tests.proofs.faults.faults import Fault
from tests.proofs.faults.notes import Healed, Notebook, Struck, now
from tests.proofs.faults.system import System

TWO_AT_ONCE: Final = 0.15
"""How often another one begins meanwhile."""
TO_THE_DATABASE: Final = ("Postgres", "pools", "primary")
"""How the names of harms begin that need the database as it should be: one of them waits for the other."""


@dataclass(frozen=True)
class Tempo:
    """How fast harms follow each other; from and to, in seconds."""

    hold: tuple[float, float] = (0.3, 3.0)
    """How long a harm lasts."""
    pause: tuple[float, float] = (0.5, 2.5)
    """Between one that is over and the next."""


class Nemesis:
    """Does harm until it is told to stop."""

    def __init__(
        self, system: System, notebook: Notebook, whims: Random, faults: Mapping[str, Fault], tempo: Tempo
    ) -> None:
        self._tempo = tempo
        self._system = system
        self._notebook = notebook
        self._whims = whims
        self._faults = faults
        self._number = 0
        self._locks: dict[str, asyncio.Lock] = {}

    async def rage(self, until: asyncio.Event, kinds: Iterable[str] | None = None) -> None:
        """Do one harm after the other: these kinds in this order and no more, or any, until the event is set."""
        for kind in self._any() if kinds is None else kinds:
            if until.is_set():
                return
            if kinds is None and self._whims.random() < TWO_AT_ONCE:
                other = next(self._any())
                await asyncio.gather(self._strike(kind), self._strike(other))
            else:
                await self._strike(kind)
            await self._pause(until)

    def _any(self) -> Iterator[str]:
        """Yield all kinds in a random order, again and again: none is left out for long."""
        for _ in count():
            yield from self._whims.sample(list(self._faults), len(self._faults))

    async def _pause(self, until: asyncio.Event) -> None:
        try:
            await asyncio.wait_for(until.wait(), self._whims.uniform(*self._tempo.pause))
        except TimeoutError:
            return

    async def _strike(self, kind: str) -> None:
        """Do harm of a kind for a while."""
        self._number += 1
        number, hold = self._number, self._whims.uniform(*self._tempo.hold)
        whims = Random(self._whims.getrandbits(64))
        lock = self._locks.setdefault(
            "database" if kind.startswith(TO_THE_DATABASE) else kind, asyncio.Lock()
        )
        async with lock:
            began = now()
            async with self._faults[kind](self._system, whims) as path:
                if path is None:
                    return  # nothing was harmed, and nothing is counted
                self._notebook.add(
                    Struck(
                        at=began if path.began is None else path.began,
                        number=number,
                        kind=kind,
                        victim=path.victim,
                        games=path.games,
                        gateways=path.gateways,
                    )
                )
                await asyncio.sleep(hold)
            self._notebook.add(Healed(at=now(), number=number))
