"""Finds the matches that wait for a bot: the feed reports them at once, and a slow poll covers what the feed has missed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

import msgspec
import structlog

from foldtable_client import ProblemError, Unreachable
from foldtable_client.events import ServerEvent
from services.bots.api import Api, FeedMatch, FeedSnapshot
from services.bots.metrics import OPEN_FEEDS

REFUSED_SECONDS: Final = 5.0
"""How long to wait after the feed was refused: a key may be made, or rotated, after the worker has started."""

_log: Final = structlog.get_logger("foldtable.bots")


async def subscribe(api: Api, on_match: Callable[[FeedMatch], None]) -> None:
    """Call `on_match` for every match of the feed, over as many connections as it takes; until cancelled."""
    while True:
        try:
            async with aclosing(api.feed(OPEN_FEEDS.track_inprogress)) as events:
                async for event in events:
                    for match in _matches(event):
                        on_match(match)
        except ProblemError as problem:
            _log.warning("feed refused", status=problem.status, reason=problem.reason)
        await asyncio.sleep(REFUSED_SECONDS)


async def poll(api: Api, on_match: Callable[[FeedMatch], None], seconds: float) -> None:
    """Call `on_match` for every match that waits for a bot, every `seconds`; until cancelled."""
    while True:
        await asyncio.sleep(seconds)
        try:
            for match in await api.turns():
                on_match(match)
        except (ProblemError, Unreachable) as problem:
            _log.warning("cannot list the matches that wait for a bot", error=str(problem))


def _matches(event: ServerEvent) -> tuple[FeedMatch, ...]:
    match event.kind:
        case "snapshot":
            return msgspec.json.decode(event.data, type=FeedSnapshot).matches
        case "match.updated":
            return (msgspec.json.decode(event.data, type=FeedMatch),)
        case _:  # the feed ends after any other event
            return ()
