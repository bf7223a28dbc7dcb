"""Subscribes to one match over server-sent events, for one audience, to its end."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import msgspec

from engine.kernel.seats import Audience
from foldtable_client.events import ServerEvent
from services.client.rest import Rest


def as_query(audience: Audience) -> dict[str, str | int]:
    """Return the query that asks for this audience."""
    return {"audience": audience.kind.value} if audience.seat is None else {"seat": audience.seat}


class SeenMove(msgspec.Struct, frozen=True):
    """One move as the stream sent it."""

    version: int
    seat: int | None
    events: Any


class MatchSubscriber:
    """What one audience saw."""

    def __init__(self, address: str, credential: str, match_id: str, audience: Audience) -> None:
        self.audience = audience
        self.snapshot_version = 0
        self.snapshot: Any = None
        self.moves: list[SeenMove] = []
        self.returns = 0
        """How often the stream had to be resumed."""
        self.resets = 0
        """How often the gateway did not know our version. It should be 0, since a committed version is never lost."""
        self._address = address
        self._credential = credential
        self._path = f"/v1/matches/{match_id}/stream"

    async def read_to_the_end(self) -> None:
        """Read until the stream reports the end of the match.

        Raises ProblemError if it is refused, Unreachable if no gateway answers.
        """
        async with Rest(self._address, self._credential) as rest:
            try:
                async with aclosing(rest.events(self._path, params=as_query(self.audience))) as events:
                    async for event in events:
                        if event.kind == "match.ended":
                            return
                        self._take(event)
            finally:
                self.returns = rest.repeated

    def _take(self, event: ServerEvent) -> None:
        match event.kind:
            case "snapshot":
                snapshot = msgspec.json.decode(event.data)
                self.snapshot_version, self.snapshot = snapshot["version"], snapshot["view"]
            case "move.applied":
                self.moves.append(msgspec.json.decode(event.data, type=SeenMove))
            case "reset":
                self.resets += 1
