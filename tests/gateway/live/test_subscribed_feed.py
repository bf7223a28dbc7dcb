"""The feed of one key, through a break: what was read after it overtakes what is still on its way, and nobody is told of that."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import grpc

from foldtable.platform.v1.feed_pb2 import FeedMatch, ReadFeedResponse, WatchFeedResponse
from gateway.live.feeds import SubscribedFeed

BEGUN = WatchFeedResponse(begun=WatchFeedResponse.Begun())


def changed(version: int) -> WatchFeedResponse:
    return WatchFeedResponse(changed=WatchFeedResponse.Changed(matches=[a_match(version)]))


def a_match(version: int) -> FeedMatch:
    return FeedMatch(match_id="m", game="harbour", version=version, update_time={"seconds": version})


class Stream:
    """Writes down what it is offered."""

    player = ""

    def __init__(self) -> None:
        self.offered: list[int] = []
        self.has_all = asyncio.Event()

    def offer(self, match: FeedMatch) -> None:
        self.offered.append(match.version)
        if match.version == 10:
            self.has_all.set()


class Call:
    """A stream that says what it was given, and ends."""

    def __init__(self, says: list[WatchFeedResponse]) -> None:
        self._says: Iterator[WatchFeedResponse] = iter(says)

    async def read(self) -> object:
        return next(self._says, grpc.aio.EOF)

    def cancel(self) -> None:
        pass


class Platform:
    """One stream breaks, the next one lags behind what can be read."""

    def __init__(self) -> None:
        self._calls = iter([Call([BEGUN, changed(5)]), Call([BEGUN, changed(8), changed(9), changed(10)])])

    def begin_call(self, authorization: str, *, bots: bool) -> Call:
        return next(self._calls)

    async def read(self, *_: object, **__: object) -> ReadFeedResponse:
        return ReadFeedResponse(matches=[a_match(9)], complete=True)


async def test_no_state_is_told_after_a_newer_one() -> None:
    stream = Stream()
    feed = SubscribedFeed(Platform(), "Bearer ft_one", bots=False)  # type: ignore[arg-type]
    feed.add(stream)  # type: ignore[arg-type]
    async with asyncio.timeout(20):
        await stream.has_all.wait()
    await feed.close()
    assert stream.offered == [5, 9, 9, 10]


async def test_a_mistake_about_one_change_is_not_the_end_of_the_feed() -> None:
    class Stumbling(Stream):
        def offer(self, match: FeedMatch) -> None:
            super().offer(match)
            if match.version == 5:
                raise LookupError

    stream = Stumbling()
    feed = SubscribedFeed(Platform(), "Bearer ft_one", bots=False)  # type: ignore[arg-type]
    feed.add(stream)  # type: ignore[arg-type]
    async with asyncio.timeout(20):
        await stream.has_all.wait()
    await feed.close()
