"""Those who play while others attack: a process of its own, so that its figures are of the system and not of the attacker.

Each player looks, asks what is legal and moves, with the tokens of the seats and over one kept connection, as clients do, and
does the next match when one is over.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Final, Self

import httpx

from tests.support.our_games import OUR_GAMES

PLAYERS: Final = 4
PAUSE_SECONDS: Final = 0.02
WITH_WORDS: Final = 5
"""One move in so many, the first of them, asks for words, and so is served through the web framework."""


@dataclass
class Seen:
    """What the bystanders met since they were asked last."""

    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    waiting: float = 0.0
    """How long the oldest request has waited that has no answer yet, in seconds."""

    def add(self, later: Seen) -> None:
        """Take in what they met after this."""
        self.seconds += later.seconds
        self.failures += later.failures
        self.waiting = later.waiting

    def quantile(self, share: float) -> float:
        """Return the time that this share of the answers did not exceed, in seconds."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Bystanders:
    """The process, as its starter sees it."""

    def __init__(self, url: str, key: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_run, args=(url, key, there), daemon=True)

    def __enter__(self) -> Self:
        self._process.start()
        self._here.recv()  # it plays
        return self

    def __exit__(self, *_: object) -> None:
        self._here.send("stop")
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()

    def seen(self) -> Seen:
        """Return what they met since the last time."""
        self._here.send("tell")
        told: Seen = self._here.recv()
        return told


def _run(url: str, key: str, there: Connection) -> None:
    asyncio.run(_play(url, key, there))


async def _play(url: str, key: str, there: Connection) -> None:
    seen = Seen()
    begun: dict[int, float] = {}
    players = [
        asyncio.create_task(_Player(url, key, number, seen, begun).play()) for number in range(PLAYERS)
    ]
    there.send("ready")
    while True:
        if await asyncio.to_thread(there.recv) == "stop":
            break
        there.send(Seen(list(seen.seconds), Counter(seen.failures), _oldest(begun)))
        seen.seconds.clear()
        seen.failures.clear()
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)


def _oldest(begun: dict[int, float]) -> float:
    return time.perf_counter() - min(begun.values()) if begun else 0.0


class _Player:
    def __init__(self, url: str, key: str, number: int, seen: Seen, begun: dict[int, float]) -> None:
        self._number = number
        self._seen = seen
        self._begun = begun
        """When the requests in flight were sent, by the player."""
        self._key = key
        self._tokens: list[str] = []
        """Of the seats of the present match."""
        self._moves = 0
        self._client = httpx.AsyncClient(base_url=url, timeout=20, verify=False, trust_env=False)

    async def play(self) -> None:
        match_id = None
        while True:
            try:
                match_id = match_id or await self._begin()
                if match_id is not None and not await self._move(match_id):
                    match_id = None
            except (KeyError, IndexError, TypeError) as odd:  # an answer that is not what it should be
                self._seen.failures[f"an answer that cannot be read: {odd!r}"] += 1
                match_id = None
            await asyncio.sleep(PAUSE_SECONDS)

    async def _begin(self) -> str | None:
        self._number += 1
        wanted = {"game": OUR_GAMES[self._number % len(OUR_GAMES)], "seats": 2}
        created = await self._ask("POST", "/v1/matches", self._key, wanted)
        if created is None:
            return None
        self._tokens = [given["token"] for given in created["seat_tokens"]]
        return str(created["match"]["match_id"])

    async def _move(self, match_id: str) -> bool:
        """Make any legal move; False when the match is over, or something went wrong with it."""
        match = await self._ask("GET", f"/v1/matches/{match_id}", self._key)
        if match is None or not match["to_act"]:
            return False
        seat = match["to_act"][0]
        token = self._tokens[seat]
        legal = await self._ask("GET", f"/v1/matches/{match_id}/legal-actions?samples=1", token)
        if legal is None or not legal["samples"]:
            return False
        body = {"action": legal["samples"][0], "expected_version": legal["version"]}
        self._moves += 1
        words = "?lang=fr" if self._moves % WITH_WORDS == 1 else ""
        return await self._ask("POST", f"/v1/matches/{match_id}/moves{words}", token, body) is not None

    async def _ask(self, method: str, path: str, credential: str, body: Any = None) -> Any:
        begun = self._begun[id(self)] = time.perf_counter()
        try:
            headers = {"authorization": f"Bearer {credential}"}
            answer = await self._client.request(method, path, json=body, headers=headers)
        except httpx.HTTPError as error:
            self._seen.failures[type(error).__name__] += 1
            return None
        finally:
            del self._begun[id(self)]
        self._seen.seconds.append(time.perf_counter() - begun)
        try:
            told = answer.json()
        except ValueError:
            self._seen.failures[f"{answer.status_code}, which is no JSON"] += 1
            return None
        if not answer.is_success:
            self._seen.failures[f"{answer.status_code} {told.get('reason')}"] += 1
            return None
        return told
