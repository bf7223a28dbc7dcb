"""Long streams end by themselves, and leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from services.rpc.drain import Drain


class Endless:
    """Gives one item, then waits for ever; says when it was closed."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()

    async def items(self) -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.Event().wait()
        finally:
            self.closed.set()


async def test_items_come_until_there_are_no_more() -> None:
    async def three() -> AsyncIterator[int]:
        for number in range(3):
            yield number

    assert [item async for item in Drain().until(three())] == [0, 1, 2]


async def test_a_drain_ends_a_stream_that_waits() -> None:
    drain, endless = Drain(), Endless()
    stream = drain.until(endless.items())
    assert await anext(stream) == 1
    asyncio.get_running_loop().call_later(0.01, drain.begin)
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(stream), 20)
    assert endless.closed.is_set()


async def test_a_consumer_that_goes_away_closes_what_it_read_from() -> None:
    endless = Endless()

    async def consume() -> None:
        async for _ in Drain().until(endless.items()):
            pass

    consumer = asyncio.create_task(consume())
    await asyncio.sleep(0.01)
    consumer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await consumer
    await asyncio.wait_for(endless.closed.wait(), 20)


async def test_an_error_of_the_stream_is_passed_on() -> None:
    async def failing() -> AsyncIterator[int]:
        yield 1
        raise LookupError

    with pytest.raises(LookupError):
        assert [item async for item in Drain().until(failing())]


async def test_a_consumer_that_is_cancelled_as_the_drain_begins_is_cancelled() -> None:
    drain, endless = Drain(), Endless()

    async def consume() -> None:
        async for _ in drain.until(endless.items()):
            pass

    consumer = asyncio.create_task(consume())
    await asyncio.sleep(0.01)
    consumer.cancel()
    drain.begin()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(consumer), 20)
    assert endless.closed.is_set()


async def test_an_item_that_has_come_as_the_drain_begins_is_given_and_no_other() -> None:
    drain = Drain()

    async def two() -> AsyncIterator[int]:
        asyncio.get_running_loop().call_soon(
            drain.begin
        )  # after the item has come, before its consumer goes on
        yield 1
        yield 2

    assert [item async for item in drain.until(two())] == [1]


async def test_a_drain_that_has_begun_asks_for_nothing() -> None:
    drain, endless = Drain(), Endless()
    drain.begin()
    assert [item async for item in drain.until(endless.items())] == []


async def test_a_drain_ends_a_stream_of_a_task_that_has_refused_to_end_before() -> None:
    drain, endless = Drain(), Endless()

    async def consume() -> list[int]:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return [item async for item in drain.until(endless.items())]

    consumer = asyncio.create_task(consume())
    await asyncio.sleep(0.01)
    consumer.cancel()
    await asyncio.sleep(0.01)
    drain.begin()
    assert await asyncio.wait_for(consumer, 20) == [1]


async def test_a_stream_that_is_closed_after_an_item_closes_what_it_read_from() -> None:
    endless = Endless()
    stream = Drain().until(endless.items())
    assert await anext(stream) == 1
    await stream.aclose()
    assert endless.closed.is_set()
