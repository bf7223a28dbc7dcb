"""One tenant's endpoints do not hold up another's, whatever they do."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from receivers import Received, Receiver, ReceiverAnswer

from services.movelog.events import EventType
from services.webhooks.endpoint_changes import update_endpoint
from services.webhooks.schedule import Rest

Another = Callable[[], Any]
NEVER = 3_600.0
SHORT = timedelta(milliseconds=100)


@asynccontextmanager
async def patient_worker(telling: Any, **settings: Any) -> AsyncIterator[Any]:
    """A worker whose requests wait until the test is over."""
    async with telling.worker(poster={"total_seconds": NEVER}, **settings) as worker:
        try:
            yield worker
        finally:
            for task in worker._busy:
                task.cancel()


async def hang(
    telling: Any, hanging: Receiver, endpoints: int, matches: int, tenant: str = "hanging"
) -> None:
    """Let a tenant have endpoints that hang, and matches that are told to them."""
    hanging.answer = lambda _: ReceiverAnswer(after=NEVER)
    for _ in range(endpoints):
        await telling.endpoint(hanging.url, EventType.MATCH_STARTED, tenant=tenant)
    for _ in range(matches):
        await telling.played(1, tenant)


async def occupied(receiver: Receiver, least: int) -> int:
    """Wait until a receiver that hangs gets no more requests; return how many it has."""
    await receiver.until(least)
    seen = 0
    while seen < len(receiver.received):
        seen = len(receiver.received)
        await asyncio.sleep(1)
    return seen


async def test_endpoints_that_hang_leave_lanes_to_another_tenant(telling: Any, receivers: Another) -> None:
    hanging, quick = await receivers(), await receivers()
    await hang(telling, hanging, endpoints=10, matches=30)
    await telling.endpoint(quick.url, tenant="neighbour")
    async with patient_worker(telling, slow_seconds=NEVER):
        taken = await occupied(hanging, 16)
        for number in range(1, 4):
            await telling.played(1, "neighbour")
            await quick.until(number, seconds=5)
    assert taken == 16  # half of them


async def test_many_tenants_whose_endpoints_hang_leave_lanes_to_another(
    telling: Any, receivers: Another
) -> None:
    hanging, quick = await receivers(), await receivers()
    for number in range(6):
        await hang(telling, hanging, endpoints=3, matches=4, tenant=f"hanging-{number}")
    await telling.endpoint(quick.url, tenant="neighbour")
    async with patient_worker(telling, slow_seconds=NEVER):
        taken = await occupied(hanging, 20)
        await telling.played(1, "neighbour")
        await quick.until(1, seconds=5)
    assert taken < 32


async def test_a_lane_whose_endpoint_keeps_it_waiting_leaves_its_place_to_others(
    telling: Any, receivers: Another
) -> None:
    hanging, quick = await receivers(), await receivers()
    for number in range(3):
        await hang(telling, hanging, endpoints=1, matches=1, tenant=f"hanging-{number}")
    await telling.endpoint(quick.url, tenant="neighbour")
    async with patient_worker(telling, at_once=1, slow_seconds=0.2):
        await hanging.until(3)
        await telling.played(2, "neighbour")
        await quick.until(2, seconds=5)


async def test_there_is_an_end_to_the_lanes_that_wait(telling: Any, receivers: Another) -> None:
    """Four for each place, and one more that holds the only place there is."""
    hanging = await receivers()
    for number in range(8):
        await hang(telling, hanging, endpoints=1, matches=1, tenant=f"hanging-{number}")
    async with patient_worker(telling, at_once=1, slow_seconds=0.1):
        assert await occupied(hanging, 5) == 5


async def test_an_endpoint_that_times_out_is_tried_one_lane_at_a_time_with_growing_gaps(
    telling: Any, receiver: Receiver
) -> None:
    times: list[float] = []

    def answer(_: Received) -> ReceiverAnswer:
        times.append(time.monotonic())
        return ReceiverAnswer(after=NEVER)

    receiver.answer = answer
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    for _ in range(12):
        await telling.played(1)
    growing = Rest(SHORT, timedelta(seconds=30))
    async with telling.worker(poster={"total_seconds": 0.2}, slow_seconds=0.1, after_silence=growing):
        await receiver.until(8, seconds=60)
        receiver.answer = lambda _: ReceiverAnswer()
        found = await telling.settled(endpoint, seconds=30)
    burst, *singly = times[:4], *times[4:]
    assert burst[-1] - burst[0] < 0.2
    gaps = [later - earlier for earlier, later in pairwise([burst[-1], *singly])]
    assert all(later > 1.5 * earlier for earlier, later in pairwise(gaps)), gaps
    assert all(one.state == "delivered" for one in found)
    now = await telling.now(endpoint)
    assert (now.state, now.failing_since) == ("enabled", None)


async def test_an_endpoint_that_drips_its_answer_is_one_that_hangs(telling: Any) -> None:
    requests = 0

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        await reader.readuntil(b"\r\n\r\n")
        requests += 1
        try:
            for byte in b"HTTP/1.1 200 OK\r\nx: " + b"y" * 10_000:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    endpoint, _ = await telling.endpoint(f"http://127.0.0.1:{port}/", EventType.MATCH_STARTED)
    for _ in range(3):
        await telling.played(1)
    async with telling.worker(per_endpoint=1, poster={"total_seconds": 0.5}, slow_seconds=0.2):
        async with asyncio.timeout(30):
            while (await telling.now(endpoint)).failing_since is None:  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.05)
        await asyncio.sleep(1)
    server.close()
    assert requests == 1
    first, *others = await telling.deliveries(endpoint)
    assert [one.problem for one in first.attempts] == ["timeout"]
    assert [one.attempts for one in others] == [(), ()]


async def test_an_endpoint_that_is_slow_and_takes_everything_is_left_no_gaps(
    telling: Any, receiver: Receiver
) -> None:
    receiver.answer = lambda _: ReceiverAnswer(after=0.3)
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    for _ in range(8):
        await telling.played(1)
    async with telling.worker(slow_seconds=0.1):
        await telling.settled(endpoint, seconds=4)
    assert len(receiver.received) == 8


async def test_lanes_that_are_served_already_count_for_what_an_endpoint_gets(
    telling: Any, receiver: Receiver
) -> None:
    await hang(telling, receiver, endpoints=1, matches=3)
    async with patient_worker(telling, per_endpoint=4):
        await receiver.until(3)
        for _ in range(6):
            await telling.played(1, "hanging")
        assert await occupied(receiver, 4) == 4


async def test_an_endpoint_that_is_left_alone_gets_nothing_of_lanes_that_are_served_either(
    telling: Any, receiver: Receiver
) -> None:
    """One lane is told to wait an hour while another is in the middle of its events."""
    endpoint, _ = await telling.endpoint(receiver.url)
    refused, other = await telling.match(), await telling.played(4)
    seen: Counter[str] = Counter()

    def answer(request: Received) -> ReceiverAnswer:
        match, version = request.place
        seen[match] += 1
        if match == str(refused.id):
            return ReceiverAnswer(503, {"retry-after": "3600"})
        return ReceiverAnswer(after=1 if version == 2 else 0)

    receiver.answer = answer
    async with telling.worker():
        await receiver.until(2)
        await telling.move(refused, 1)
        await receiver.until(3)
        await asyncio.sleep(1.5)
    assert seen == {str(refused.id): 1, str(other.id): 2}
    states = [one.state for one in await telling.deliveries(endpoint)]
    assert Counter(states) == {
        "delivered": 2,
        "pending": 3,
    }  # what was under way has arrived, and nothing after it


async def test_what_was_sent_before_an_endpoint_began_to_fail_does_not_end_its_rest(
    telling: Any, receiver: Receiver
) -> None:
    endpoint, _ = await telling.endpoint(receiver.url, EventType.MATCH_STARTED)
    answers = [ReceiverAnswer(after=1), ReceiverAnswer(429, {"retry-after": "3600"}), ReceiverAnswer()]
    receiver.answer = lambda _: answers[len(receiver.received) - 1]
    async with telling.worker():
        await telling.played(1)
        await receiver.until(1)
        await telling.played(1)
        await receiver.until(2)
        await asyncio.sleep(1.3)
        await telling.played(1)
        await asyncio.sleep(0.5)
    assert len(receiver.received) == 2
    states = [one.state for one in await telling.deliveries(endpoint)]
    assert states == ["delivered", "pending", "pending"]


@pytest.mark.parametrize("status", [410, 429, 500])
async def test_what_an_address_answered_says_nothing_about_the_next_one(
    telling: Any, receivers: Another, status: int
) -> None:
    """The address is changed while a request to the last one is under way."""
    last, new = await receivers(), await receivers()
    last.answer = lambda _: ReceiverAnswer(status, {"retry-after": "3600"}, after=1)
    endpoint, _ = await telling.endpoint(last.url, EventType.MATCH_STARTED)
    await telling.played(1)
    async with telling.worker():
        await last.until(1)
        async with telling.log.pool.connection() as connection:
            await update_endpoint(connection, endpoint.tenant, endpoint.id, url=new.url)
        if status == 410:
            await asyncio.sleep(1.5)
            await telling.played(1)
        await new.until(1, seconds=5)
        now = await telling.now(endpoint)
    assert now.state == "enabled"
