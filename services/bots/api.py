"""The gateway as a bot speaks to it: with the key of its worker where bots are waited for, with a seat's token at the table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import msgspec

from services.cli.rest import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    PASSING,
    OutOfPatience,
    RestProblem,
    judged,
    told_to_wait,
)
from services.cli.sse import ServerEvent, server_events

PATIENCE_SECONDS: Final = 10.0
"""How long one request is tried; after that the turn is left to the next poll."""
TIMEOUT_SECONDS: Final = 10.0
QUIET_SECONDS: Final = 45.0
"""Three missed pings: the connection is dead."""
MOST_TOKENS: Final = 10_000
NO_LONGER_GOOD: Final = frozenset({"TOKEN_EXPIRED", "TOKEN_INVALID", "SEAT_FORBIDDEN"})

Seat = tuple[str, int]
"""Of a match, by its id."""


class WaitingBot(msgspec.Struct, frozen=True):
    """A bot that is waited for."""

    seat: int
    level: str | None


class FeedMatch(msgspec.Struct, frozen=True):
    """How a match stands, as feeds tell it."""

    match_id: str
    game: str
    version: int
    waiting_bots: tuple[WaitingBot, ...]


class FeedSnapshot(msgspec.Struct, frozen=True):
    """The matches a feed begins with."""

    matches: tuple[FeedMatch, ...]


class Moved(msgspec.Struct, frozen=True):
    """A move that was made."""

    version: int
    to_act: tuple[int, ...]


class Api:
    """A gateway, seen by the bots of one tenant."""

    def __init__(self, address: str, key: str) -> None:
        self._key = key
        self._client = httpx.AsyncClient(base_url=address, timeout=TIMEOUT_SECONDS, trust_env=False)
        self._tokens: dict[Seat, str] = {}

    async def close(self) -> None:
        await self._client.aclose()

    async def tenant(self) -> str:
        """Give whose bots these are; RestProblem for a key that is not good, OutOfPatience."""
        return msgspec.json.decode(await self._ask("GET", "/v1/token", self._key), type=_Token).tenant

    async def turns(self) -> list[FeedMatch]:
        """Give the matches that wait for a bot; RestProblem, OutOfPatience."""
        return msgspec.json.decode(await self._ask("GET", "/v1/bots/turns", self._key), type=_Matches).matches

    @asynccontextmanager
    async def feed(self) -> AsyncIterator[AsyncIterator[ServerEvent]]:
        """Open the feed of bots; RestProblem, httpx.TransportError also while it is read."""
        timeout = httpx.Timeout(TIMEOUT_SECONDS, read=QUIET_SECONDS)
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "text/event-stream"}
        async with self._client.stream(
            "GET", "/v1/feed", params={"bots": "true"}, headers=headers, timeout=timeout
        ) as answer:
            if not answer.is_success:
                await answer.aread()
                judged(answer)
            yield server_events(answer.aiter_bytes())

    async def get(self, seat: Seat, path: str, **parameters: str | int) -> bytes:
        """Look at the table of a seat, with its token; RestProblem, OutOfPatience."""
        return await self._as(seat, "GET", path, params=parameters)

    async def move(self, seat: Seat, action: bytes, version: int, request_id: str) -> Moved:
        """Make a move on this version and no other; RestProblem, OutOfPatience."""
        headers = {
            "Content-Type": "application/json",
            "If-Match": f'"v:{version}"',
            "Idempotency-Key": f'"{request_id}"',
        }
        body = b'{"action":%b}' % action
        answer = await self._as(seat, "POST", "moves", content=body, headers=headers)
        return msgspec.json.decode(answer, type=Moved)

    def forget(self, seat: Seat) -> None:
        """A seat is no longer played: let go of its token."""
        self._tokens.pop(seat, None)

    async def _as(self, seat: Seat, method: str, path: str, **more: Any) -> bytes:
        """Ask with a seat's token. One that is no longer good is exchanged once."""
        path = f"/v1/matches/{seat[0]}/{path}"
        was_kept = seat in self._tokens
        try:
            return await self._ask(method, path, await self._token(seat), **more)
        except RestProblem as problem:
            if not was_kept or problem.reason not in NO_LONGER_GOOD:
                raise
            self.forget(seat)
        return await self._ask(method, path, await self._token(seat), **more)

    async def _token(self, seat: Seat) -> str:
        if seat not in self._tokens:
            match_id, number = seat
            answer = await self._ask("POST", f"/v1/matches/{match_id}/seats/{number}/token", self._key)
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.pop(next(iter(self._tokens)))
            self._tokens[seat] = msgspec.json.decode(answer, type=_Issued).seat_token.token
        return self._tokens[seat]

    async def _ask(
        self,
        method: str,
        path: str,
        credential: str,
        *,
        params: Mapping[str, str | int] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """Send a request until it is answered; RestProblem, OutOfPatience. Whatever is sent may be sent again."""
        request = self._client.build_request(
            method,
            path,
            params=params,
            content=content,
            headers={**(headers or {}), "Authorization": f"Bearer {credential}"},
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        pause = FIRST_PAUSE
        while True:
            answer: httpx.Response | None = None
            try:
                answer = await self._client.send(request)
                trouble = str(answer.status_code)
            except httpx.TransportError as problem:
                trouble = repr(problem)
            if answer is not None and answer.status_code not in PASSING:
                return judged(answer).content
            wait = max(pause, told_to_wait(answer))
            if time.monotonic() + wait > deadline:
                raise OutOfPatience(f"{method}: {trouble} for {PATIENCE_SECONDS:.0f} s")
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)


class _Token(msgspec.Struct, frozen=True):
    tenant: str


class _Matches(msgspec.Struct, frozen=True):
    matches: list[FeedMatch]


class _SeatToken(msgspec.Struct, frozen=True):
    token: str


class _Issued(msgspec.Struct, frozen=True):
    seat_token: _SeatToken
