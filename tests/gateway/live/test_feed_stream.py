"""A feed for one stream: the newest state of every match, however slowly it reads."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from foldtable.matches.v1 import match_pb2
from foldtable.platform.v1.feed_pb2 import FeedMatch
from gateway.access.auth import Caller
from gateway.access.stream_slots import StreamSlots
from gateway.live.feed_stream import MAX_PENDING, FeedStream
from gateway.live.open_streams import OpenStreams
from gateway.server.event_connection import EventConnection
from tests.gateway.live.conftest import Client


def a_match(match_id: str, version: int, *, seconds: int = 0) -> FeedMatch:
    return FeedMatch(
        match_id=match_id,
        game="harbour",
        version=version,
        status=match_pb2.MATCH_STATUS_RUNNING,
        to_act=[0],
        players=["ada", "bob"],
        update_time={"seconds": seconds or version},
    )


def told(client: Client) -> list[tuple[str, int]]:
    """Return every match that was told, with its version."""
    lines = [line for line in client.text.decode().splitlines() if line.startswith("data: ")]
    data: list[dict[str, Any]] = [json.loads(line.removeprefix("data: ")) for line in lines]
    return [(one["match_id"], one["version"]) for one in data if "match_id" in one]


@pytest.fixture
async def stream(client: Client) -> FeedStream:
    one = FeedStream(
        OpenStreams(),
        StreamSlots(1, per_credential=1, per_seat=1).take(Caller("Bearer ft_one", None)),
        player="ada",
    )
    client.connection = EventConnection(client, set(), is_full=False)
    return one


def begin(stream: FeedStream, client: Client) -> None:
    assert client.connection is not None
    stream.begin(client.connection, b"")


async def test_every_change_is_told_while_the_client_reads(stream: FeedStream, client: Client) -> None:
    begin(stream, client)
    for version in (1, 2, 3):
        stream.offer(a_match("m", version))
    assert told(client) == [("m", 1), ("m", 2), ("m", 3)]


async def test_of_each_match_only_the_newest_state_waits_for_a_slow_client(
    stream: FeedStream, client: Client
) -> None:
    begin(stream, client)
    client.reads = False
    for version in range(1, 100):
        for match_id in ("m", "n"):
            stream.offer(a_match(match_id, version))
    client.read_on()
    assert told(client) == [("m", 1), ("n", 99), ("m", 99)]


async def test_changes_that_come_while_the_opening_is_read_are_told_after_it(
    stream: FeedStream, client: Client
) -> None:
    stream.offer(a_match("old", 3))
    stream.offer(a_match("new", 8))
    stream.offer(a_match("late", 7))
    stream.read_up_to([a_match("old", 4), a_match("new", 7)], cursor=0)
    begin(stream, client)
    assert told(client) == [("new", 8), ("late", 7)], "what the opening tells need not be told once more"


async def test_what_the_opening_has_overtaken_is_not_told_after_it(
    stream: FeedStream, client: Client
) -> None:
    stream.read_up_to([a_match("m", 9)], cursor=0)
    begin(stream, client)
    for version in (8, 9, 10):
        stream.offer(a_match("m", version))
    assert told(client) == [("m", 9), ("m", 10)], "a state may come twice, and none that is older"


async def test_the_id_never_goes_back(stream: FeedStream, client: Client) -> None:
    begin(stream, client)
    stream.offer(a_match("m", 1, seconds=50))
    stream.offer(a_match("n", 1, seconds=40))
    assert [number for _, number in client.events] == ["50000000", "50000000"]


async def test_a_client_for_whom_too_much_waits_is_sent_away(stream: FeedStream, client: Client) -> None:
    begin(stream, client)
    client.reads = False
    for number in range(MAX_PENDING + 2):
        stream.offer(a_match(f"m{number}", 1))
    assert client.closed
    client.read_on()
    await asyncio.sleep(0)
    assert client.events[-1] == ("lagged", "")
