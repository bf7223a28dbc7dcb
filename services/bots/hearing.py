"""Where bots are waited for: the feed tells at once, and a slow poll beside it whatever the feed has left out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import httpx
import msgspec
import structlog

from services.bots.api import Api, FeedMatch, FeedSnapshot
from services.bots.metrics import LISTENING
from services.cli.rest import OutOfPatience, RestProblem
from services.cli.sse import ServerEvent

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0

_log: Final = structlog.get_logger("foldtable.bots")


async def listen(api: Api, hear: Callable[[FeedMatch], None]) -> None:
    """Tell what the feed tells, and open it again whenever it ends; until cancelled."""
    pause = FIRST_PAUSE
    while True:
        try:
            async with api.feed() as events:
                with LISTENING.track_inprogress():
                    async for event in events:
                        pause = FIRST_PAUSE
                        for match in _matches(event):
                            hear(match)
        except httpx.TransportError as problem:
            _log.info("feed broke off", kind=type(problem).__qualname__)
        except RestProblem as problem:
            _log.warning("feed refused", status=problem.status, reason=problem.reason)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


async def poll(api: Api, hear: Callable[[FeedMatch], None], seconds: float) -> None:
    """Ask now and then where bots are waited for; until cancelled."""
    while True:
        await asyncio.sleep(seconds)
        try:
            for match in await api.turns():
                hear(match)
        except (RestProblem, OutOfPatience) as problem:
            _log.warning("cannot ask where bots are waited for", error=str(problem))


def _matches(event: ServerEvent) -> tuple[FeedMatch, ...]:
    match event.event:
        case "snapshot":
            return msgspec.json.decode(event.data, type=FeedSnapshot).matches
        case "match.updated":
            return (msgspec.json.decode(event.data, type=FeedMatch),)
        case _:  # good-byes; the feed ends after them
            return ()
