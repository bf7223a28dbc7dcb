"""The text of server-sent events, and the drain that ends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from msgspec import Raw

from gateway.drain import Drain
from gateway.problem_documents import ProblemError
from gateway.schemas.events import DrainData, SnapshotData
from gateway.server_events import server_event
from gateway.stream_slots import StreamSlots


def test_an_event_has_its_version_as_id_and_its_data_on_one_line() -> None:
    data = SnapshotData(version=3, view=Raw(b'{"a":"\xc3\xa4"}'))
    assert server_event("snapshot", data, 3) == (
        b'id: 3\nevent: snapshot\ndata: {"version":3,"view":{"a":"\xc3\xa4"}}\n\n'
    )


def test_a_line_break_between_tokens_cannot_end_the_data() -> None:
    event = server_event("snapshot", SnapshotData(version=3, view=Raw(b'{\r\n"a":1\n}')), 3)
    assert event.splitlines()[2:] == [b'data: {"version":3,"view":{  "a":1 }}', b""]


def test_a_farewell_moves_no_id() -> None:
    """The browser would remember it, and ask for what comes after it."""
    assert server_event("drain", DrainData(version=3)) == b'event: drain\ndata: {"version":3}\n\n'


def test_readiness_goes_one_way() -> None:
    drain = Drain()
    assert drain.status == "starting"
    drain.start()
    assert drain.status == "ok"
    drain.begin()
    assert (drain.status, drain.begun) == ("draining", True)


class Upstream:
    """Gives numbers, then waits for ever; says when it was closed."""

    def __init__(self, *numbers: int, ends: bool = False) -> None:
        self.numbers = numbers
        self.ends = ends
        self.closed = False

    async def items(self) -> AsyncGenerator[int, None]:
        try:
            for number in self.numbers:
                yield number
            if not self.ends:
                await asyncio.Event().wait()
        finally:
            self.closed = True


async def test_a_drain_ends_a_stream_that_waits_and_closes_its_upstream() -> None:
    drain, upstream = Drain(), Upstream(1, 2)
    asyncio.get_running_loop().call_later(0.05, drain.begin)
    assert [number async for number in drain.until(upstream.items())] == [1, 2]
    assert upstream.closed


async def test_a_stream_that_ends_by_itself_ends() -> None:
    drain, upstream = Drain(), Upstream(1, 2, ends=True)
    assert [number async for number in drain.until(upstream.items())] == [1, 2]
    assert upstream.closed


async def test_a_reader_who_goes_away_closes_the_upstream() -> None:
    drain, upstream = Drain(), Upstream(1)

    async def read() -> None:
        async for _ in drain.until(upstream.items()):
            pass

    reader = asyncio.create_task(read())
    await asyncio.sleep(0.05)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)
    await asyncio.sleep(0)
    assert upstream.closed


async def test_a_reader_who_stops_between_two_items_closes_the_upstream_at_once() -> None:
    drain, upstream = Drain(), Upstream(1, 2)
    items = upstream.items()
    reading = drain.until(items)
    assert await anext(reading) == 1
    await reading.aclose()
    assert upstream.closed


def test_streams_are_bounded() -> None:
    slots = StreamSlots(1)
    slots.check()
    with slots.taken(), pytest.raises(ProblemError) as refused:
        slots.check()
    assert refused.value.status == 429
    slots.check()
