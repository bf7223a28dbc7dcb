"""Endpoints that fail: which of them are left alone, since when they fail, and when they are given up."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from receivers import Receiver, ReceiverAnswer
from standardwebhooks import Webhook, WebhookVerificationError

from services.movelog.events import EventType
from services.webhooks.claiming import Room
from services.webhooks.endpoint_changes import rotate_secret
from services.webhooks.lanes import Attempt, Lanes
from services.webhooks.retention import forget
from services.webhooks.schedule import Rest, Schedule

ALL = Room(lanes=32, per_tenant=16, per_endpoint=4)
SOON = timedelta(milliseconds=30)


async def change(telling: Any, statement: str, *values: Any) -> None:
    async with telling.log.pool.connection() as connection:
        await connection.execute(statement, values)


async def paused_until(telling: Any, endpoint: Any) -> datetime | None:
    question = "SELECT paused_until FROM webhook_endpoints WHERE id = $1"
    async with telling.log.pool.connection() as connection:
        row = await (await connection.execute(question, (endpoint.id,))).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_an_overloaded_endpoint_is_left_alone_with_all_of_its_lanes(
    telling: Any, receiver: Receiver, status: int
) -> None:
    receiver.answer = lambda _: ReceiverAnswer(status)
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    await telling.played(1)
    async with telling.worker():
        await receiver.until(1)
        async with asyncio.timeout(30):
            while await paused_until(telling, endpoint) is None:  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.01)
        await telling.played(1)  # another match, to the same endpoint
        await asyncio.sleep(0.7)
    assert len(receiver.received) == 1
    until = await paused_until(telling, endpoint)
    assert until is not None
    assert timedelta(seconds=3) < until - datetime.now(UTC) <= timedelta(seconds=5)


@pytest.mark.parametrize("status", [301, 400, 404, 500, 501])
async def test_an_endpoint_that_refuses_one_event_is_sent_those_of_other_matches(
    telling: Any, receiver: Receiver, status: int
) -> None:
    receiver.answer = lambda _: ReceiverAnswer(status if len(receiver.received) == 1 else 204)
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    await telling.played(1)
    async with telling.worker(schedule=Schedule((timedelta(hours=1),))):
        await receiver.until(1)
        await telling.played(1)
        await receiver.until(2)
    assert await paused_until(telling, endpoint) is None


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_an_endpoint_that_is_always_overloaded_is_given_up_at_the_end_of_the_schedule(
    telling: Any, receiver: Receiver, status: int
) -> None:
    """Since when it fails is what was tried first, however often it has said since that it is overloaded."""
    receiver.answer = lambda _: ReceiverAnswer(status)
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    await telling.played(1)
    async with telling.worker(schedule=Schedule((SOON,) * 4)), asyncio.timeout(20):
        while (now := await telling.now(endpoint)).state == "enabled":
            await change(telling, "UPDATE webhook_endpoints SET paused_until = now()")
            await asyncio.sleep(0.02)
    assert len(receiver.received) == 5
    (delivery,) = await telling.deliveries(endpoint)
    assert now.failing_since == delivery.attempts[0].at


@pytest.mark.parametrize("rest", [None, Rest(SOON, SOON)], ids=["refused", "overloaded"])
async def test_since_when_an_endpoint_fails_is_its_first_failure(telling: Any, rest: Rest | None) -> None:
    lanes = Lanes(telling.log.pool, lease=timedelta(hours=1))
    endpoint, _ = await telling.endpoint("http://127.0.0.1:1/")
    await telling.played(3)
    first = datetime.now(UTC) - timedelta(days=2)
    for number in range(4):
        at = first + timedelta(hours=number)
        await change(telling, "UPDATE webhook_lanes SET due_at = now()")
        await change(telling, "UPDATE webhook_endpoints SET paused_until = NULL")
        ((lane,), _) = await lanes.claim(ALL)
        due = await lanes.next(lane)
        assert due is not None
        attempt = Attempt(at=at, milliseconds=1, status=503)
        if number < 3:
            assert await lanes.failed(lane, due, attempt, SOON, rest=rest)
        else:
            assert await lanes.abandoned(lane, due, attempt, rest=rest)
        assert (await telling.now(endpoint)).failing_since == first


async def failed_for(
    telling: Any, receiver: Receiver, schedule: Schedule, since: timedelta, tries: int
) -> Any:
    """Let an endpoint of which many lanes wait, each tried a few times, fail once more."""
    receiver.answer = lambda _: ReceiverAnswer(503, {"retry-after": "3600"})
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    for _ in range(5):
        await telling.played(1)
    await change(telling, "UPDATE webhook_endpoints SET failing_since = now() - $1::interval", since)
    made = "jsonb_build_array(jsonb_build_object('at', now(), 'milliseconds', 1, 'status', 503))"
    await change(
        telling,
        f"UPDATE webhook_deliveries SET tries = 1, attempts = {made} WHERE event IN "
        "(SELECT event FROM webhook_deliveries ORDER BY event LIMIT $1)",
        tries,
    )
    async with telling.worker(per_endpoint=1, schedule=schedule):
        await receiver.until(1)
        await asyncio.sleep(0.5)
    assert len(receiver.received) == 1
    return await telling.now(endpoint)


SLOWLY = Schedule((timedelta(minutes=1), timedelta(minutes=10), timedelta(minutes=9)))


async def test_an_endpoint_is_given_up_after_the_time_of_a_schedule_though_no_delivery_was_tried_so_often(
    telling: Any, receiver: Receiver
) -> None:
    now = await failed_for(telling, receiver, SLOWLY, timedelta(minutes=22, seconds=5), tries=3)
    assert (now.state, now.disabled_reason) == (
        "failed",
        "failed for the whole schedule of tries, and answered 503",
    )


@pytest.mark.parametrize(
    ("since", "tries"),
    [
        pytest.param(timedelta(minutes=21, seconds=50), 5, id="not for so long"),
        pytest.param(timedelta(minutes=30), 2, id="not so often"),
    ],
)
async def test_an_endpoint_is_not_given_up_before(
    telling: Any, receiver: Receiver, since: timedelta, tries: int
) -> None:
    assert (await failed_for(telling, receiver, SLOWLY, since, tries)).state == "enabled"


@pytest.mark.parametrize(("seconds", "is_good"), [(5, True), (-0.001, False)])
async def test_an_old_secret_is_signed_with_until_its_last_moment(
    telling: Any, receiver: Receiver, seconds: float, is_good: bool
) -> None:
    endpoint, old = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    async with telling.log.pool.connection() as connection:
        _, new = await rotate_secret(connection, telling.vault, endpoint.tenant, endpoint.id)
    await change(
        telling,
        "UPDATE webhook_endpoints SET old_secret_until = now() + $1::interval",
        timedelta(seconds=seconds),
    )
    await telling.played(1)
    async with telling.worker():
        (request,) = await receiver.until(1)
    assert Webhook(new).verify(request.body, request.headers)
    if is_good:
        assert Webhook(old).verify(request.body, request.headers)
    else:
        with pytest.raises(WebhookVerificationError):
            Webhook(old).verify(request.body, request.headers)


async def test_what_is_a_moment_younger_than_the_age_to_forget_is_kept(telling: Any) -> None:
    endpoint, _ = await telling.endpoint("http://127.0.0.1:1/", EventType.MATCH_STARTED)
    day = timedelta(days=1)
    for _ in range(2):
        await telling.played(1)
    older, younger = [one.number for one in await telling.deliveries(endpoint)]
    moment = "UPDATE events SET recorded_at = now() - $2::interval WHERE number = $1"
    await change(telling, moment, older, day)
    await change(telling, moment, younger, day - timedelta(seconds=20))
    assert await forget(telling.log.pool, day) == 1
    assert [one.number for one in await telling.deliveries(endpoint)] == [younger]


async def test_a_lane_whose_events_were_all_forgotten_is_removed(telling: Any, receiver: Receiver) -> None:
    await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    await telling.played(1)
    await change(telling, "UPDATE events SET recorded_at = now() - interval '2 days'")
    assert await forget(telling.log.pool, timedelta(days=1)) == 1
    lanes = Lanes(telling.log.pool, lease=timedelta(hours=1))
    ((lane,), _) = await lanes.claim(ALL)
    assert await lanes.next(lane) is None
    await lanes.give_back(lane)
    assert (await lanes.claim(ALL)).lanes == []
    async with telling.log.pool.connection() as connection:
        rows = await (await connection.execute("SELECT FROM webhook_lanes")).fetchall()
    assert rows == []


def test_a_schedule_lasts_as_long_as_its_pauses_with_the_most_chance() -> None:
    assert Schedule().tries == 10
    assert timedelta(days=3.4) < Schedule().longest < timedelta(days=3.5)
    assert SLOWLY.longest == timedelta(minutes=22)
