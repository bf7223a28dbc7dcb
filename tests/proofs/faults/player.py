"""Clients that play, and do not make it easy: impatient, repeating themselves, contradicting themselves, late.

A player knows only what the API tells it. What it sends is chosen by a seeded generator; when it arrives is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final
from uuid import UUID

import httpx
import msgspec

from tests.proofs.faults.answers import denial_of
from tests.proofs.faults.asking import Doors, Wish
from tests.proofs.faults.notes import Answered, AttemptOutcome, Denied, Looked, Made, Notebook, What, now

GIVES_UP: Final = 0.1
"""How likely it is that somebody who got no answer asks no more."""
FIRST_PAUSE, MAX_PAUSE = 0.03, 0.5
USUAL_SECONDS: Final = (0.6, 2.5)
"""How long an answer is waited for."""
IMPATIENT_SECONDS: Final = (0.002, 0.02)
OVER_RPC: Final = 0.15
"""The share of moves that goes over gRPC, past the gateways."""
MANNERS: Final = {
    "plain": 66,
    "twice": 8,  # the same request twice at once, at two places
    "rival": 8,  # two different moves at once, of the same seat
    "stale": 6,  # decided on a version that is long gone
    "reused": 6,  # another move under the request id of an earlier one
    "impatient": 6,  # gone before an answer can come, and back with the same request
}
"""How moves are made, and how often each."""
STALE_BY: Final = 3
"""Versions, at most."""


@dataclass(frozen=True)
class Seating:
    """A match, and the right to play it."""

    match: str
    game: str
    tokens: tuple[str, ...] = field(repr=False)
    """Of the seats, in their order."""


class Player:
    """Plays all seats of one match after another."""

    def __init__(self, doors: Doors, notebook: Notebook, whims: Random, closing: asyncio.Event) -> None:
        """Once `closing` is set, matches are brought to their end."""
        self._doors = doors
        self._notebook = notebook
        self._whims = whims
        self._closing = closing

    async def play(
        self, game: str, seat_counts: tuple[int, ...], seated: Callable[[Seating], object]
    ) -> None:
        """Make matches of a game and play them to their end, until it is time to close. `seated` hears of each."""
        while not self._closing.is_set():
            seating = await self._make(game, self._whims.choice(seat_counts))
            seated(seating)
            await self._play_one(seating, length=self._whims.randint(20, 160))

    async def _make(self, game: str, seats: int) -> Seating:
        """Make a match, once, however often it has to be asked for."""
        headers = {
            "authorization": f"Bearer {self._doors.system.key}",
            "idempotency-key": f'"{self._id()}"',
        }

        async def ask(client: httpx.AsyncClient) -> Any:
            answer = await client.post("/v1/matches", json={"game": game, "seats": seats}, headers=headers)
            return answer.json() if answer.status_code == 201 else self._denied("POST /v1/matches", answer)

        created = await self._until_answered(ask, always=True)
        match = created["match"]["match_id"]
        self._notebook.add(Made(at=now(), match=match, game=game, seats=seats))
        return Seating(match, game, tuple(given["token"] for given in created["seat_tokens"]))

    async def _play_one(self, seating: Seating, length: int) -> None:
        """Play so many moves, all seats that may act at once; then end the match, if it has not ended by itself."""
        version, to_act, ended = 0, await self._to_act(seating), False
        while not ended and not self._closing.is_set() and version < length:
            results = await asyncio.gather(*(self._move(seating, seat) for seat in to_act))
            answers = [
                one for one in results if one is not None and one.outcome is AttemptOutcome.ACKNOWLEDGED
            ]
            latest = max(answers, key=lambda one: one.version, default=None)
            if latest is None or len(answers) < len(to_act):
                to_act = await self._to_act(seating)
                ended = not to_act and any(one.ended for one in answers)
                version = self._doors.newest.get(seating.match, version)
                if not to_act and await self._is_over(seating):
                    return
            else:
                version, to_act, ended = latest.version, latest.to_act, latest.ended
        if not ended:
            await self._end(seating)

    async def _to_act(self, seating: Seating) -> tuple[int, ...]:
        match = await self._look(seating, "", seating.tokens[0])
        return tuple(match["to_act"]) if match else ()

    async def _is_over(self, seating: Seating) -> bool:
        match = await self._look(seating, "", seating.tokens[0])
        return match is not None and match["status"] == "ended"

    # ── one move ───────────────────────────────────────────────────────────────────────────────────

    async def _move(self, seating: Seating, seat: int) -> Answered | None:
        """Make a move of a seat, in some manner; give what came of it, None if it had nothing to decide."""
        legal = await self._look(seating, "/legal-actions?samples=2", seating.tokens[seat])
        if not legal or not legal["samples"]:
            return None
        actions = [msgspec.json.encode(action) for action in legal["samples"]]
        wish = Wish(
            match=seating.match,
            game=seating.game,
            what=What.MOVE,
            seat=seat,
            token=seating.tokens[seat],
            request_id=self._id(),
            body=actions[0],
            expected=legal["version"],
        )
        (manner,) = self._whims.choices(list(MANNERS), list(MANNERS.values()))
        return await self._in_manner(manner, wish, actions[-1])

    async def _in_manner(self, manner: str, wish: Wish, other: bytes) -> Answered:
        """Ask in a manner; `other` is another action that is legal."""
        match manner:
            case "plain":
                return await self._insist(wish, manner)
            case "twice":
                return _best(*await asyncio.gather(*(self._insist(wish, manner) for _ in range(2))))
            case "rival":
                rival = replace(wish, request_id=self._id(), body=other)
                return _best(*await asyncio.gather(*(self._insist(one, manner) for one in (wish, rival))))
            case "stale":
                return await self._stale(wish)
            case "reused":
                return await self._reused(wish, other)
            case "impatient":
                return await self._impatient(wish)
            case _:
                raise ValueError(manner)

    async def _stale(self, wish: Wish) -> Answered:
        assert wish.expected is not None  # moves always say what they were decided on
        late = max(1, wish.expected - self._whims.randint(1, STALE_BY))
        return await self._insist(replace(wish, expected=late), "stale")

    async def _reused(self, wish: Wish, other: bytes) -> Answered:
        answered = await self._insist(wish, "plain")
        if other != wish.body and answered.outcome is AttemptOutcome.ACKNOWLEDGED:
            await self._insist(replace(wish, body=other, expected=answered.version), "reused")
        return answered

    async def _impatient(self, wish: Wish) -> Answered:
        for _ in range(self._whims.randint(1, 3)):
            answered = await self._send(wish, self._whims.uniform(*IMPATIENT_SECONDS), "impatient")
            if answered.outcome is not AttemptOutcome.UNKNOWN:
                return answered
        return await self._insist(wish, "again")

    async def _insist(self, wish: Wish, manner: str, *, always: bool = False) -> Answered:
        """Send a wish until somebody answers it, here and there; now and then give up, unless `always`."""
        pause = FIRST_PAUSE
        answered = await self._send(wish, self._whims.uniform(*USUAL_SECONDS), manner)
        while answered.outcome is AttemptOutcome.UNKNOWN and (always or self._whims.random() > GIVES_UP):
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
            answered = await self._send(wish, self._whims.uniform(*USUAL_SECONDS), "again")
        return answered

    async def _send(self, wish: Wish, seconds: float, manner: str) -> Answered:
        return await self._doors.ask(wish, self._place(wish), seconds, manner)

    def _place(self, wish: Wish) -> str:
        if wish.what is not What.ABORT and self._whims.random() < OVER_RPC:
            return self._whims.choice(self._doors.system.rules_of(wish.game)).name
        return self._whims.choice(self._doors.system.gateways).name

    # ── the end ────────────────────────────────────────────────────────────────────────────────────

    async def _end(self, seating: Seating) -> None:
        """Let seats resign one after the other, or let the tenant call the match off; insist on it."""
        if self._whims.random() < 0.2:
            wish = self._leaving(seating, What.ABORT, None, self._doors.system.key)
            await self._insist(wish, "end", always=True)
            return
        for seat in self._whims.sample(range(len(seating.tokens)), len(seating.tokens)):
            wish = self._leaving(seating, What.RESIGN, seat, seating.tokens[seat])
            both = [self._insist(wish, "end", always=True)]
            if self._whims.random() < 0.3:
                both.append(self._insist(wish, "twice", always=True))
            if _best(*await asyncio.gather(*both)).ended:
                return

    def _leaving(self, seating: Seating, what: What, seat: int | None, token: str) -> Wish:
        return Wish(
            match=seating.match, game=seating.game, what=what, seat=seat, token=token, request_id=self._id()
        )

    # ── looking ────────────────────────────────────────────────────────────────────────────────────

    async def _look(self, seating: Seating, what: str, token: str) -> Any:
        """Look at something of a match until somebody shows it, and write down at which version it stood."""
        headers = {"authorization": f"Bearer {token}"}

        async def ask(client: httpx.AsyncClient) -> Any:
            at_least = self._doors.newest.get(seating.match, 0)
            path = f"/v1/matches/{seating.match}{what}"
            answer = await client.get(path, headers=headers)
            if answer.status_code != 200:
                return self._denied(path, answer)
            seen = answer.json()
            via = str(client.base_url)
            self._notebook.add(
                Looked(at=now(), match=seating.match, version=seen["version"], at_least=at_least, via=via)
            )
            return seen

        return await self._until_answered(ask)

    async def _until_answered(
        self, ask: Callable[[httpx.AsyncClient], Awaitable[Any]], *, always: bool = False
    ) -> Any:
        """Ask one gateway after the other until there is an answer.

        None once it is time to close and there is none; never, if `always`.
        """
        pause = FIRST_PAUSE
        while True:
            client = self._whims.choice(list(self._doors.rest.values()))
            try:
                async with asyncio.timeout(self._whims.uniform(*USUAL_SECONDS)):
                    if (found := await ask(client)) is not None:
                        return found
            except (TimeoutError, httpx.TransportError):
                pass  # that is what this run is about: somebody else is asked
            if self._closing.is_set() and not always:
                return None
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)

    def _denied(self, what: str, answer: httpx.Response) -> None:
        """Write down who was told no, unless it was «not now»."""
        if reason := denial_of(answer):
            self._notebook.add(Denied(at=now(), who="player", what=what, reason=reason))

    def _id(self) -> str:
        return str(UUID(int=self._whims.getrandbits(128), version=4))


def _best(*answers: Answered) -> Answered:
    """Return the acknowledgement, if there is one among them."""
    return max(answers, key=lambda one: (one.outcome is AttemptOutcome.ACKNOWLEDGED, one.ended, one.version))
