"""Follows one match over server-sent events, for one audience, to its end; comes back wherever it was cut off."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx
import msgspec

from engine.kernel.seats import Audience
from services.cli.rest import PASSING, judged
from services.cli.sse import ServerEvent, server_events

QUIET_SECONDS: Final = 45.0
"""Three missed pings: the connection is dead."""
RETURN_SECONDS: Final = 0.1


def as_query(audience: Audience) -> dict[str, str | int]:
    """Give the query that asks for this audience."""
    return {"audience": audience.kind.value} if audience.seat is None else {"seat": audience.seat}


class SeenMove(msgspec.Struct, frozen=True):
    """One move as the stream told it."""

    version: int
    seat: int | None
    events: Any


class Follower:
    """What one audience saw."""

    def __init__(self, address: str, credential: str, match_id: str, audience: Audience) -> None:
        self.audience = audience
        self.snapshot_version = 0
        self.snapshot: Any = None
        self.moves: list[SeenMove] = []
        self.returns = 0
        """How often the connection had to be made again."""
        self.resets = 0
        """How often the gateway did not know our version; a version that was committed is never forgotten."""
        self._url = f"{address}/v1/matches/{match_id}/stream"
        self._headers = {"Authorization": f"Bearer {credential}", "Accept": "text/event-stream"}
        self._last_id = ""
        self._ended = False

    async def follow(self) -> None:
        """Return once the stream has told the end; RestProblem if the gateway refuses it."""
        timeout = httpx.Timeout(10.0, read=QUIET_SECONDS)
        async with httpx.AsyncClient(timeout=timeout, trust_env=False) as client:
            while not self._ended:
                try:
                    await self._listen(client)
                except httpx.TransportError:
                    self.returns += 1
                if not self._ended:
                    await asyncio.sleep(RETURN_SECONDS)

    async def _listen(self, client: httpx.AsyncClient) -> None:
        headers = self._headers | ({"Last-Event-ID": self._last_id} if self._last_id else {})
        async with client.stream("GET", self._url, params=self._query(), headers=headers) as answer:
            if answer.status_code == httpx.codes.NO_CONTENT:
                self._ended = True
                return
            if answer.status_code in PASSING:
                self.returns += 1
                return
            if not answer.is_success:
                await answer.aread()
                judged(answer)
            async for event in server_events(answer.aiter_bytes()):
                self._take(event)

    def _query(self) -> dict[str, str | int]:
        return as_query(self.audience)

    def _take(self, event: ServerEvent) -> None:
        self._last_id = event.id
        match event.event:
            case "snapshot":
                told = msgspec.json.decode(event.data)
                self.snapshot_version, self.snapshot = told["version"], told["view"]
            case "move.applied":
                self.moves.append(msgspec.json.decode(event.data, type=SeenMove))
            case "reset":
                self.resets += 1
            case "match.ended":
                self._ended = True
