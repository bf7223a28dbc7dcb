"""Who is notified of a changed match: everybody, whatever one of them does."""

from __future__ import annotations

import asyncio
from uuid import UUID

import structlog

from services.movelog.watchers import Watchers

MATCH = UUID(int=7)


def mistaken(_: UUID | None, __: bool) -> None:
    raise ZeroDivisionError("a mistake of a listener")


async def test_a_listener_that_raises_an_error_keeps_nothing_from_the_others_nor_from_whoever_moved() -> None:
    watchers, told = Watchers(), list[UUID | None]()
    watchers.subscribe(mistaken)
    watchers.subscribe(lambda match_id, _: told.append(match_id))
    async with watchers.watch(MATCH) as watcher:
        with structlog.testing.capture_logs() as logs:
            watchers.wake(MATCH)  # as the log does it between the commit and the answer
            watchers.wake_all()
        await asyncio.wait_for(watcher.wait(60), 5)
    assert told == [MATCH, None]
    assert [(line["event"], line["kind"]) for line in logs] == [("internal error", "ZeroDivisionError")] * 2
    assert all("in mistaken" in line["exception"] for line in logs)


async def test_a_listener_may_end_its_subscription_while_it_is_notified() -> None:
    watchers, told = Watchers(), list[str]()

    def once(_: UUID | None, __: bool) -> None:
        told.append("once")
        end()

    end = watchers.subscribe(once)
    watchers.subscribe(lambda _, __: told.append("always"))
    for _ in range(2):
        watchers.wake(MATCH)
    assert told == ["once", "always", "always"]
