"""One fault run from beginning to end: play and do harm, make everything good, bring the matches to their end, judge."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import httpx

from engine.registry import game as registered_game
from tests.proofs.faults.asking import Doors
from tests.proofs.faults.checker import check
from tests.proofs.faults.counting import Counting
from tests.proofs.faults.database import Database
from tests.proofs.faults.faults import HARMS, Fault
from tests.proofs.faults.following import KINDS, Overhearing
from tests.proofs.faults.history import Historian, History
from tests.proofs.faults.nemesis import Nemesis, Tempo
from tests.proofs.faults.notes import AnyNote, Made, Notebook, now, of_kind
from tests.proofs.faults.player import Player, Seating
from tests.proofs.faults.receiving import Endpoint, Pulling
from tests.proofs.faults.recovery import is_all_seen_again
from tests.proofs.faults.report import report
from tests.proofs.faults.system import Shape, System, running
from tests.proofs.faults.violations import Rule, Violation
from tests.support.receivers import receiving
from tests.support.ways import Ways

QUIET_SECONDS: Final = 2.0
"""Play before the first harm."""
END_SECONDS: Final = 60.0
"""For matches to be brought to their end, and again for followers to hear of it, once all is whole."""
SEEN_AGAIN_SECONDS: Final = 30.0
"""For moves to be acknowledged again after the last harms, before matches are brought to their end."""
LAST_NEWS_SECONDS: Final = 45.0
"""For the last webhooks, the tenant's feed, and who pulls events."""


@dataclass(frozen=True)
class Plan:
    """What a run is to be."""

    seconds: float
    """Of play under harm."""
    seed: int
    at_once: int
    """Matches under way at the same time."""
    shape: Shape = field(default_factory=Shape)
    tempo: Tempo = field(default_factory=Tempo)
    kinds: Sequence[str] | None = None
    """These harms in this order; None: any, as long as there is time."""
    faults: Mapping[str, Fault] = field(default_factory=lambda: HARMS)
    instead: Mapping[str, str] = field(default_factory=dict)
    """Modules that run in the place of services: planted faults."""


@dataclass(frozen=True)
class Result:
    """What came of it."""

    notes: Sequence[AnyNote]
    history: History
    violations: Sequence[Violation]
    heading: str
    ways: Ways = field(default_factory=Ways)
    """Those that moves took."""
    beside: str = ""
    """What else is shown above the report."""

    def __str__(self) -> str:
        heading = "\n".join(filter(None, (self.heading, str(self.ways), self.beside)))
        return report(self.notes, self.history, self.violations, heading)


async def run(folder: Path, database: Database, plan: Plan) -> Result:
    """Run it on a database that runs and is empty; in `folder` keys, logs and notes are left."""
    notebook = Notebook(folder / "notes.jsonl")
    try:
        async with AsyncExitStack() as stack:
            system = await stack.enter_async_context(
                running(folder, database, plan.shape, instead=plan.instead)
            )
            receiver = await stack.enter_async_context(receiving())
            session = _Session(system, notebook, plan)
            stack.push_async_callback(session.close)
            endpoint = Endpoint(receiver, notebook, Random(f"{plan.seed} receiver"))
            await endpoint.register(session.a_client, system.key)
            counting = Counting(system)
            reading = asyncio.create_task(counting.keep_reading())
            stack.callback(reading.cancel)
            await session.play()
            await counting.read()
            history = await session.look_back(endpoint)
            violations = [*session.stuck, *check(notebook.notes, history), *_found_in(system)]
            violations += counting.violations()
            return Result(notebook.notes, history, violations, session.heading, counting.ways)
    finally:
        notebook.close()


def _found_in(system: System) -> list[Violation]:
    logged = [Violation(Rule.LOGS, line) for line in system.unexpected()]
    return logged + [Violation(Rule.ALIVE, line) for line in system.ended()]


class _Session:
    """The tasks of a run."""

    def __init__(self, system: System, notebook: Notebook, plan: Plan) -> None:
        self._system = system
        self._notebook = notebook
        self._plan = plan
        self._doors = Doors(system, notebook)
        self._closing = asyncio.Event()
        self._following: list[asyncio.Task[None]] = []
        self._listening: list[asyncio.Task[None]] = []
        self._pulling = Pulling(self._doors, notebook, Random(f"{plan.seed} pull"))
        self._overhearing = Overhearing(self._doors, notebook, Random(f"{plan.seed} feed"))
        self._whims = Random(f"{plan.seed} session")
        self.stuck: list[Violation] = []
        """What did not come to its end in time."""
        self.heading = (
            f"fault run, seed {plan.seed}: {'a handful' if plan.kinds else f'{plan.seconds:.0f} s'} of harm, "
            f"{plan.at_once} matches at once, {len(system.gateways)} gateways, {len(system.rules)} rules servers"
        )

    @property
    def a_client(self) -> httpx.AsyncClient:
        return next(iter(self._doors.rest.values()))

    async def play(self) -> None:
        """Play under harm until the time is over; then make all good and bring the matches to their end."""
        games = [registered_game(name) for name in self._system.all_games]
        self._listening = [
            asyncio.create_task(one) for one in (self._pulling.pull(), self._overhearing.follow())
        ]
        playing = [
            asyncio.create_task(
                Player(self._doors, self._notebook, self._whims_of(number), self._closing).play(
                    games[number % len(games)].id, games[number % len(games)].seat_counts, self._follow
                )
            )
            for number in range(self._plan.at_once)
        ]
        await asyncio.sleep(QUIET_SECONDS)
        await self._fault()
        await self._until_seen_again()
        self._closing.set()
        await self._until_done(playing, "a match")
        await self._until_done(self._following, "a follower")

    async def _fault(self) -> None:
        """Let the nemesis rage. What it has harmed last it makes good before this returns."""
        over = asyncio.Event()
        whims = Random(f"{self._plan.seed} nemesis")
        nemesis = Nemesis(self._system, self._notebook, whims, self._plan.faults, self._plan.tempo)
        raging = asyncio.create_task(nemesis.rage(over, self._plan.kinds))
        if self._plan.kinds is None:
            await asyncio.wait([raging], timeout=self._plan.seconds)
            over.set()
        await raging

    async def _until_seen_again(self) -> None:
        """Play on until moves were acknowledged again after every harm; what is not, the checker names."""
        deadline = now() + SEEN_AGAIN_SECONDS
        while not is_all_seen_again(self._notebook.notes):
            if now() > deadline:
                break
            await asyncio.sleep(0.2)

    async def _until_done(self, tasks: Sequence[asyncio.Task[None]], what: str) -> None:
        if not tasks:
            return
        done, late = await asyncio.wait(tasks, timeout=END_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        self.stuck += [
            Violation(Rule.STUCK, f"{what} had not come to its end {END_SECONDS:.0f} s after all was whole")
            for _ in late
        ]
        for task in done:
            task.result()  # a mistake of our own is no finding: it ends the run

    def _follow(self, seating: Seating) -> None:
        """Let two follow a match: one of its seats, and one for the public; each in its own way."""
        for seat in (self._whims.randrange(len(seating.tokens)), None):
            whims = Random(self._whims.getrandbits(64))
            follower = whims.choice(KINDS)(self._doors, self._notebook, whims, seating, seat)
            self._following.append(asyncio.create_task(follower.follow()))

    def _whims_of(self, number: int) -> Random:
        return Random(f"{self._plan.seed} player {number}")

    async def look_back(self, endpoint: Endpoint) -> History:
        """Read what the API says, once the last news have come or their time is over."""
        made = of_kind(self._notebook.notes, Made)
        history = await Historian(self._doors).read(made)
        deadline = now() + LAST_NEWS_SECONDS
        while min(endpoint.arrived, self._pulling.pulled) < len(history.feed) or len(
            self._overhearing.ended
        ) < len(made):
            if now() > deadline:
                break  # the checker names what is missing
            await asyncio.sleep(0.1)
        for task in self._listening:
            if task.done():
                task.result()  # they listen for ever: it was a mistake of our own
        return history

    async def close(self) -> None:
        """End what still runs."""
        tasks = [*self._following, *self._listening]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._doors.close()
