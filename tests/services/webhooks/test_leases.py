"""Whoever has lost a lease on a lane changes nothing any more, and sends nothing more of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from receivers import Receiver, ReceiverAnswer

from services.movelog.events import EventType
from services.webhooks.claiming import Lane, Room
from services.webhooks.lanes import Attempt, Due, Lanes
from services.webhooks.schedule import Rest, Schedule

HOUR = timedelta(hours=1)
ALL = Room(lanes=32, per_tenant=16, per_endpoint=4)
Step = Callable[[Lanes, Lane, Due], Awaitable[Any]]


def attempt(status: int) -> Attempt:
    return Attempt(at=datetime.now(UTC), milliseconds=1, status=status)


async def rows(telling: Any, table: str) -> list[tuple[Any, ...]]:
    async with telling.log.pool.connection() as connection:
        return await (await connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")).fetchall()


async def run_out(telling: Any) -> None:
    """Let the leases of all lanes be over now."""
    async with telling.log.pool.connection() as connection:
        await connection.execute("UPDATE webhook_lanes SET due_at = now() WHERE lease IS NOT NULL")


async def take_over(telling: Any) -> None:
    """Give the leases of all lanes to somebody else, at once: the worker that loses them claims none in between."""
    async with telling.log.pool.connection() as connection:
        await connection.execute(
            "UPDATE webhook_lanes SET lease = gen_random_uuid(), due_at = now() + interval '1 hour'"
            " WHERE lease IS NOT NULL"
        )


@pytest.fixture
def lanes(telling: Any) -> Lanes:
    return Lanes(telling.log.pool, lease=HOUR)


@pytest.fixture
async def lost(telling: Any, lanes: Lanes) -> tuple[Lane, Due]:
    """A lane whose lease somebody else has by now, and what was being sent of it."""
    await telling.endpoint("http://127.0.0.1:1/")
    await telling.played(3)
    ((mine,), _) = await lanes.claim(ALL)
    due = await lanes.next(mine)
    assert due is not None
    await run_out(telling)
    ((theirs,), _) = await lanes.claim(ALL)
    assert theirs[:2] == mine[:2]
    return mine, due


STEPS: dict[str, tuple[Step, Any]] = {
    "next": (lambda lanes, lane, _: lanes.next(lane), None),
    "arrived": (lambda lanes, lane, due: lanes.arrived(lane, due, attempt(204)), False),
    "failed": (
        lambda lanes, lane, due: lanes.failed(lane, due, attempt(503), HOUR, rest=Rest(HOUR, HOUR)),
        False,
    ),
    "abandoned": (
        lambda lanes, lane, due: lanes.abandoned(lane, due, attempt(500), rest=Rest(HOUR, HOUR)),
        False,
    ),
    "give_back": (lambda lanes, lane, _: lanes.give_back(lane), None),
    "keep": (lambda lanes, lane, _: asyncio.wait_for(lanes.keep(lane), 5), None),
}


@pytest.mark.parametrize("step", STEPS)
async def test_nothing_is_changed_with_a_lease_that_is_lost(
    telling: Any, lost: tuple[Lane, Due], step: str
) -> None:
    tables = ("webhook_lanes", "webhook_deliveries", "webhook_endpoints")
    before = [await rows(telling, table) for table in tables]
    short = Lanes(
        telling.log.pool, lease=timedelta(seconds=0.3)
    )  # what would be renewed wrongly is shortened
    done, expected = STEPS[step]
    assert await done(short, *lost) == expected
    assert [await rows(telling, table) for table in tables] == before


@pytest.mark.parametrize("step", ["arrived", "failed", "abandoned"])
async def test_a_lease_that_is_over_and_that_nobody_took_is_still_good(
    telling: Any, lanes: Lanes, step: str
) -> None:
    """At its very end: whoever comes first has it."""
    endpoint, _ = await telling.endpoint("http://127.0.0.1:1/")
    await telling.played(1)
    ((lane,), _) = await lanes.claim(ALL)
    due = await lanes.next(lane)
    assert due is not None
    await run_out(telling)
    done, _ = STEPS[step]
    assert await done(lanes, lane, due) is True
    (delivery,) = await telling.deliveries(endpoint)
    assert len(delivery.attempts) == 1


@pytest.mark.parametrize("step", ["arrived", "failed", "abandoned"])
async def test_a_lane_whose_delivery_was_deleted_meanwhile_is_free_at_once(
    telling: Any, lanes: Lanes, step: str
) -> None:
    """Its match is deleted, and the next delivery says so: that must not wait until a lease is over."""
    endpoint, _ = await telling.endpoint("http://127.0.0.1:1/")
    await telling.played(2)
    ((lane,), _) = await lanes.claim(ALL)
    due = await lanes.next(lane)
    assert due is not None
    async with telling.log.pool.connection() as connection:
        await connection.execute("DELETE FROM webhook_deliveries WHERE event = $1", (due.number,))
    done, _ = STEPS[step]
    assert await done(lanes, lane, due) is False
    ((again,), _) = await lanes.claim(ALL)
    following = await lanes.next(again)
    assert following is not None
    assert following.number > due.number
    assert await lanes.arrived(again, following, attempt(204))
    assert (await telling.now(endpoint)).state == "enabled"


async def test_a_lease_is_nobody_elses_before_it_is_over(telling: Any) -> None:
    await telling.endpoint("http://127.0.0.1:1/")
    await telling.played(1)
    lanes = Lanes(telling.log.pool, lease=timedelta(seconds=1))
    began = datetime.now(UTC)
    assert len((await lanes.claim(ALL)).lanes) == 1
    async with asyncio.timeout(30):
        while not (await lanes.claim(ALL)).lanes:  # noqa: ASYNC110 - a test may poll
            await asyncio.sleep(0.01)
    assert datetime.now(UTC) - began >= timedelta(seconds=1)


async def test_a_worker_that_lost_its_lease_meanwhile_sends_nothing_more_of_the_lane(
    telling: Any, receiver: Receiver
) -> None:
    """Its request arrives in the end, but whoever has the lane by then sends it again, and then the next."""
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.played(3)
    taken_over = asyncio.Event()
    receiver.answer = lambda _: ReceiverAnswer(once=taken_over)
    async with telling.worker(slow_seconds=60):
        await receiver.until(1)
        await take_over(telling)
        taken_over.set()
        await asyncio.sleep(0.5)
    assert [one.place[1] for one in receiver.received] == [1]
    assert [one.state for one in await telling.deliveries(endpoint)] == ["pending"] * 3


@pytest.mark.parametrize("status", [500, 410])
async def test_a_worker_that_lost_its_lease_meanwhile_gives_no_endpoint_up(
    telling: Any, receiver: Receiver, status: int
) -> None:
    """Whoever has the lane by now may have delivered what this one has failed to."""
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.played(1)
    taken_over = asyncio.Event()
    receiver.answer = lambda _: ReceiverAnswer(status, once=taken_over)
    async with telling.worker(slow_seconds=60, schedule=Schedule(())):
        await receiver.until(1)
        await take_over(telling)
        taken_over.set()
        await asyncio.sleep(0.5)
    now = await telling.now(endpoint)
    assert (now.state, now.failing_since) == ("enabled", None)


async def test_a_request_that_lasts_longer_than_a_lease_keeps_it(telling: Any, receiver: Receiver) -> None:
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MOVE_APPLIED)
    await telling.played(3)
    receiver.answer = lambda _: ReceiverAnswer(after=1.5)
    async with telling.worker(lease=0.6, slow_seconds=0.2), telling.worker(lease=0.6, slow_seconds=0.2):
        await telling.settled(endpoint)
    assert [one.place[1] for one in receiver.received] == [2, 3]
