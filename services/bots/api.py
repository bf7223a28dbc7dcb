"""The bots' client of the gateway. It lists waiting matches with the worker's key, and plays with the seat's token."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

import msgspec

from foldtable_client import ProblemError
from foldtable_client.events import ServerEvent
from foldtable_client.headers import idempotency_key
from services.bots.pacing import PacedMatch
from services.client.rest import Rest
from services.process.tracing import current

RETRY_SECONDS: Final = 10.0
"""How long one request is repeated; after that the turn is left to the next poll."""
TIMEOUT_SECONDS: Final = 10.0
MAX_TOKENS: Final = 10_000
MAX_PACES: Final = 10_000
NO_LONGER_GOOD: Final = frozenset({"TOKEN_EXPIRED", "TOKEN_INVALID", "SEAT_FORBIDDEN"})

_AS_IT_IS: Final = {"Accept-Encoding": "identity"}
"""Workers run beside the gateway, where bytes cost less than the processor time of compressing states."""

Seat = tuple[str, int]
"""A match's id, and the number of a seat."""


class WaitingBot(msgspec.Struct, frozen=True):
    """A bot that has to act."""

    seat: int
    level: str | None


class FeedMatch(msgspec.Struct, frozen=True):
    """The state of a match, as feeds send it."""

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
    """A gateway, as the bots of one tenant use it."""

    def __init__(self, address: str, key: str) -> None:
        """Raises ValueError if `key` cannot be a key."""
        self._rest = Rest(address, key, retry_for=RETRY_SECONDS, timeout=TIMEOUT_SECONDS)
        self._tokens: dict[Seat, str] = {}
        self._unpaced: dict[str, None] = {}
        """Matches without a pace, the oldest first: a match never changes it, and most have none."""

    async def close(self) -> None:
        await self._rest.close()

    async def tenant(self) -> str:
        """Return the tenant of the key. Raises ProblemError if the key is invalid, Unreachable if no gateway answers."""
        return msgspec.json.decode(await self._ask("GET", "/v1/token"), type=_Token).tenant

    async def turns(self) -> list[FeedMatch]:
        """Return the matches that wait for a bot. Raises ProblemError if it is refused, Unreachable if no gateway answers."""
        return msgspec.json.decode(await self._ask("GET", "/v1/bots/turns"), type=_Matches).matches

    def feed(self, while_open: Callable[[], AbstractContextManager[object]]) -> AsyncGenerator[ServerEvent]:
        """Yield the events of the feed of bots, for ever. Raises ProblemError if it is refused."""
        return self._rest.events(
            "/v1/feed", params={"bots": "true"}, retry_for=math.inf, while_open=while_open
        )

    async def get(self, seat: Seat, path: str, **parameters: str | int) -> bytes:
        """Read a match with a seat's token. Raises ProblemError if it is refused, Unreachable if no gateway answers."""
        return await self._as(seat, "GET", path, params=parameters)

    async def paced(self, seat: Seat) -> PacedMatch | None:
        """Return what a match says about its pace; None, without a request after the first one, if it has none.

        Raises ProblemError if it is refused, Unreachable if no gateway answers.
        """
        match_id, _ = seat
        if match_id in self._unpaced:
            return None
        match = msgspec.json.decode(await self._as(seat, "GET", ""), type=PacedMatch)
        if match.bot_pace_seconds > 0:
            return match
        if len(self._unpaced) >= MAX_PACES:
            self._unpaced.pop(next(iter(self._unpaced)))
        self._unpaced[match_id] = None
        return None

    async def move(self, seat: Seat, action: bytes, version: int, request_id: str) -> Moved:
        """Make a move on this version and no other. Raises ProblemError if it is refused, Unreachable if no gateway answers."""
        headers = {
            "Content-Type": "application/json",
            "If-Match": f'"v:{version}"',
            "Idempotency-Key": idempotency_key(request_id),
        }
        body = b'{"action":%b}' % action
        answer = await self._as(seat, "POST", "moves", content=body, headers=headers)
        return msgspec.json.decode(answer, type=Moved)

    def forget(self, seat: Seat) -> None:
        """Drop the token of a seat that is no longer played."""
        self._tokens.pop(seat, None)

    async def _as(
        self,
        seat: Seat,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """Send a request with a seat's token. An invalid token is replaced once."""
        path = f"/v1/matches/{seat[0]}/{path}".rstrip("/")
        sent = {**(headers or {}), **_ids(), **_AS_IT_IS}
        was_kept = seat in self._tokens
        while True:
            token = await self._token(seat)
            try:
                answer = await self._rest.send(
                    method, path, credential=token, params=params, content=content, headers=sent
                )
            except ProblemError as problem:
                if not was_kept or problem.reason not in NO_LONGER_GOOD:
                    raise
                was_kept = False
                self.forget(seat)
            else:
                return answer.content

    async def _token(self, seat: Seat) -> str:
        if seat not in self._tokens:
            match_id, number = seat
            answer = await self._ask("POST", f"/v1/matches/{match_id}/seats/{number}/token")
            if len(self._tokens) >= MAX_TOKENS:
                self._tokens.pop(next(iter(self._tokens)))
            self._tokens[seat] = msgspec.json.decode(answer, type=_Issued).seat_token.token
        return self._tokens[seat]

    async def _ask(self, method: str, path: str) -> bytes:
        """Send a request with the worker's own key. If it is repeated, it may mint one more token, which does no harm."""
        return (await self._rest.send(method, path, headers=_ids())).content


def _ids() -> dict[str, str]:
    """Return the headers with the ids of the turn that a request is made for."""
    trace = current()
    return {} if trace is None else trace.headers


class _Token(msgspec.Struct, frozen=True):
    tenant: str


class _Matches(msgspec.Struct, frozen=True):
    matches: list[FeedMatch]


class _SeatToken(msgspec.Struct, frozen=True):
    token: str


class _Issued(msgspec.Struct, frozen=True):
    seat_token: _SeatToken
