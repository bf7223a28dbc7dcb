"""Feeds: one call to the platform service for each API key with subscribers in this process.

The key may see all matches of its tenant, so the whole tenant's feed arrives here and each stream takes its player's
matches from it. A stream's opening is read for that stream alone.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextvars import Context
from functools import partial
from http import HTTPStatus
from typing import Final

import grpc
import structlog

from foldtable.platform.v1.feed_pb2 import (
    FeedMatch,
    ReadFeedRequest,
    ReadFeedResponse,
    WatchFeedRequest,
    WatchFeedResponse,
)
from gateway.live.feed_events import micros, moment
from gateway.live.feed_stream import FeedStream
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import metadata_of_current
from gateway.upstream.platform import PlatformClient, call_platform, of_the_platform
from gateway.upstream.refusals import refused_call
from services.process.caught_errors import log_caught
from services.process.structured_logs import without_message

FIRST_PAUSE_SECONDS: Final = 0.1
MAX_PAUSE_SECONDS: Final = 2.0
REMEMBERED: Final = 20_000
"""Matches whose newest version is remembered per key. A change with an older version was overtaken and is dropped."""

_NO_RIGHT: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_log = structlog.get_logger("gateway.feeds")


class Feeds:
    """The feeds of this process, by credential."""

    def __init__(self, platform: PlatformClient, *, seconds: float) -> None:
        """`seconds` is the deadline of one read."""
        self._platform = platform
        self._seconds = seconds
        self._by_key: dict[tuple[str, bool], SubscribedFeed] = {}

    async def subscribe(self, stream: FeedStream, authorization: str) -> None:
        """Offer changes to a stream from now on. Raises ProblemError if the key may not read them."""
        key = authorization, stream.bots
        feed = self._by_key.get(key)
        if feed is None:
            feed = self._by_key[key] = SubscribedFeed(self, authorization, bots=stream.bots)
        feed.add(stream)
        stream.subscribed(lambda: feed.remove(stream))
        try:
            async with asyncio.timeout(self._seconds):
                await feed.begun()
        except TimeoutError:
            raise ProblemError("PLATFORM_TIMEOUT") from None

    async def read(
        self, authorization: str, player: str, since: int | None, *, bots: bool = False
    ) -> ReadFeedResponse:
        """Return a player's open matches, those that wait for bots, or what changed since an event. Raises ProblemError."""
        updated_since = None if since is None else moment(since)
        return await call_platform(
            self._platform.stub.ReadFeed,
            ReadFeedRequest(player=player, bots=bots, updated_since=updated_since),
            seconds=self._seconds,
            metadata=metadata_of_current(authorization),
            in_query=True,
        )

    def begin_call(
        self, authorization: str, *, bots: bool
    ) -> grpc.aio.UnaryStreamCall[WatchFeedRequest, WatchFeedResponse]:
        """Begin the call for the feed of all matches that a key may see, or of those in which bots play."""
        # No deadline: the call lasts as long as the feed has subscribers.
        metadata = metadata_of_current(authorization)
        return self._platform.stub.WatchFeed(WatchFeedRequest(bots=bots), metadata=metadata)

    def forget(self, feed: SubscribedFeed) -> None:
        """Drop a feed that has no subscribers any more."""
        key = feed.authorization, feed.bots
        if self._by_key.get(key) is feed:
            del self._by_key[key]

    async def close(self) -> None:
        """End all calls. The clients' streams must be closed by then."""
        for feed in tuple(self._by_key.values()):
            await feed.close()


class SubscribedFeed:
    """The feed of all matches that one key may see, or of those in which bots play, and the streams that it goes to."""

    def __init__(self, feeds: Feeds, authorization: str, *, bots: bool) -> None:
        self._feeds = feeds
        self.authorization = authorization
        self.bots = bots
        self._streams: dict[str, set[FeedStream]] = {}
        """By player; those for all matches are under the empty name."""
        self._begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._newest = 0
        """Time of the newest change received."""
        self._versions: OrderedDict[str, int] = OrderedDict()
        """The newest version of each match, the most recently changed match last."""
        self._task = asyncio.create_task(
            self._run(), name="feed", context=Context()
        )  # it serves all its streams, so it has no trace

    def add(self, stream: FeedStream) -> None:
        """Offer changes to a stream."""
        self._streams.setdefault(stream.player, set()).add(stream)

    def remove(self, stream: FeedStream) -> None:
        """Stop offering changes to a stream."""
        streams = self._streams.get(stream.player, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(stream.player, None)
        if not self._streams:
            self._feeds.forget(self)
            self._task.cancel()

    async def begun(self) -> None:
        """Wait until the platform service has accepted the key. Raises ProblemError if it has not."""
        await asyncio.shield(self._begun)

    async def close(self) -> None:
        """End the call."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # ── the call ───────────────────────────────────────────────────────────────────────────────────

    async def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            call = self._feeds.begin_call(self.authorization, bots=self.bots)
            try:
                while isinstance(response := await call.read(), WatchFeedResponse):
                    pause = FIRST_PAUSE_SECONDS
                    await self._take(response)
            except grpc.aio.AioRpcError as error:
                problem = of_the_platform(refused_call(error))
                _log.info("feed ended", reason=problem.reason.name)
                if problem.status in _NO_RIGHT or not self._begun.done():
                    self._refuse(problem)
                    return
            except ProblemError as problem:  # raised while reading the changes that were left out
                _log.info("feed begins anew", reason=problem.reason.name)
            except Exception as error:  # noqa: BLE001 - after any error the feed begins anew; the error is logged
                _log.error("internal error", what="feed", **without_message(error))
            finally:
                call.cancel()
            await asyncio.sleep(pause)
            pause = min(pause * 2, MAX_PAUSE_SECONDS)

    async def _take(self, response: WatchFeedResponse) -> None:
        if response.WhichOneof("update") == "changed":
            self._offer(response.changed.matches)
        elif not self._begun.done():
            self._newest = micros(response.begun.cursor)
            self._begun.set_result(None)
        else:
            await self._read_what_was_left_out()

    async def _read_what_was_left_out(self) -> None:
        """Read the changes that the feed did not carry: after a break, or when there were too many for it."""
        missed = await self._feeds.read(self.authorization, "", self._newest, bots=self.bots)
        if missed.complete:
            self._offer(missed.matches)
            return
        for stream in self._all_streams():  # a client that reconnects reads the changes itself
            _notify(stream.stop)

    def _offer(self, matches: Iterable[FeedMatch]) -> None:
        for match in matches:
            if match.version < self._versions.get(match.match_id, 0):
                continue
            self._keep_in_mind(match)
            self._newest = max(self._newest, micros(match.update_time))
            for player in {"", *match.players, *(todo.player for todo in match.todos)}:
                for stream in tuple(self._streams.get(player, ())):
                    _notify(partial(stream.offer, match))

    def _keep_in_mind(self, match: FeedMatch) -> None:
        self._versions[match.match_id] = match.version
        self._versions.move_to_end(match.match_id)
        if len(self._versions) > REMEMBERED:
            self._versions.popitem(last=False)

    def _refuse(self, problem: ProblemError) -> None:
        self._feeds.forget(self)
        if not self._begun.done():
            self._begun.set_exception(problem)
            self._begun.exception()  # mark it as retrieved: there may be nobody who waits for it
        for stream in self._all_streams():
            _notify(partial(stream.revoke, problem.reason.name))

    def _all_streams(self) -> list[FeedStream]:
        return [stream for streams in self._streams.values() for stream in streams]


def _notify(call: Callable[[], None]) -> None:
    """Notify one subscriber to a feed. An error of one keeps nothing from the others."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 - the other subscribers are notified all the same; the error is logged
        log_caught("subscriber to a feed", error)
