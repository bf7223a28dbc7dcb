"""Who is notified of a changed match: everybody, whatever one of them does."""

from __future__ import annotations

import asyncio
from uuid import UUID

import structlog

from services.movelog.wakeup_subscriptions import WakeupSubscriptions

MATCH = UUID(int=7)


def mistaken(_: UUID | None, __: bool) -> None:
    raise ZeroDivisionError("a mistake of a subscriber")


async def test_a_subscriber_that_raises_an_error_keeps_nothing_from_the_others_nor_from_whoever_moved() -> (
    None
):
    subscriptions, told = WakeupSubscriptions(), list[UUID | None]()
    subscriptions.subscribe_to_all(mistaken)
    subscriptions.subscribe_to_all(lambda match_id, _: told.append(match_id))
    async with subscriptions.subscribe_to_match(MATCH) as subscription:
        with structlog.testing.capture_logs() as logs:
            subscriptions.wake(MATCH)  # as the log does it between the commit and the answer
            subscriptions.wake_all()
        await asyncio.wait_for(subscription.wait(60), 20)
    assert told == [MATCH, None]
    assert [(line["event"], line["kind"]) for line in logs] == [("internal error", "ZeroDivisionError")] * 2
    assert all("in mistaken" in line["exception"] for line in logs)


async def test_a_subscriber_may_end_its_subscription_while_it_is_notified() -> None:
    subscriptions, told = WakeupSubscriptions(), list[str]()

    def once(_: UUID | None, __: bool) -> None:
        told.append("once")
        end()

    end = subscriptions.subscribe_to_all(once)
    subscriptions.subscribe_to_all(lambda _, __: told.append("always"))
    for _ in range(2):
        subscriptions.wake(MATCH)
    assert told == ["once", "always", "always"]
