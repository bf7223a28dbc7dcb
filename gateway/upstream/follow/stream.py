"""The long `MatchService.Follow` stream to a rules server: one call carries all subscriptions of this process.

It is opened on first use. When it breaks, it is opened again, at another replica if there is one, and every subscription
begins again after the version it has. So no move is missed, and readers who lost access meanwhile are refused. Others
notice only a pause. If no rules server can be reached for too long, the readers' streams are closed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Final

import grpc
import structlog

from foldtable.matches.v1 import follow_pb2, match_pb2, match_service_pb2_grpc
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problems.document import ProblemError
from gateway.telemetry.metrics import FOLLOWS
from gateway.telemetry.tracing import working_for
from gateway.upstream.follow.follows import Follow
from gateway.upstream.follow.topics import Topic, TopicKey, topic_key
from gateway.upstream.refusals import refused
from gateway.upstream.stream_ends import until_ended
from services.process.caught_errors import log_caught
from services.process.structured_logs import without_message

Stream = grpc.aio.StreamStreamCall[follow_pb2.FollowRequest, follow_pb2.FollowResponse]

MAX_COMMANDS_PER_MESSAGE: Final = 256
FIRST_PAUSE_SECONDS: Final = 0.1
MAX_PAUSE_SECONDS: Final = 2.0
RECONNECT_SECONDS: Final = 60.0
"""How long readers wait for a rules server to come back before their streams are closed."""
RETRY_SECONDS: Final = 1.0
"""Pause before subscribing again after a transient failure, such as an unavailable database."""

_TRANSIENT: Final = frozenset({"RULES_UNAVAILABLE", "LOG_UNAVAILABLE", "RULES_TIMEOUT", "INTERNAL"})

_log = structlog.get_logger("gateway.follow_stream")


class FollowStream:
    """Subscribes to matches over a stream that is opened on first use and again after it broke."""

    def __init__(
        self,
        matches: match_service_pb2_grpc.MatchServiceAsyncStub,
        open_stream: Callable[[], Stream],
        *,
        address: str,
    ) -> None:
        """`matches` is the stub of the rules server, for reads; `open_stream` begins a new Follow call."""
        self.matches = matches
        self._open_stream = open_stream
        self._address = address
        self._follows: dict[int, Follow] = {}
        self._topics: dict[TopicKey, Topic] = {}
        self._commands: deque[follow_pb2.FollowCommand] = deque()
        self._wake = asyncio.Event()
        self._last_id = 0
        self._task: asyncio.Task[None] | None = None
        self._pause = FIRST_PAUSE_SECONDS
        self._failing_since: float | None = None

    # ── for readers ────────────────────────────────────────────────────────────────────────────────

    async def follow(
        self,
        match_id: str,
        wanted: Audience,
        authorization: str,
        *,
        seconds: float,
        language: str = "",
        has_table: bool = False,
    ) -> Follow:
        """Subscribe to a match; the caller must call `end` on the result.

        Raises ProblemError if the rules server refuses, or RULES_TIMEOUT.
        """
        if self._task is None:
            # The stream is shared, so its log lines must not carry the ids of the request that opens it.
            self._task = asyncio.create_task(
                self._run(), name=f"follow stream to {self._address}", context=Context()
            )
        self._last_id += 1
        follow = Follow(self, self._last_id, authorization, match_id, wanted, language, has_table=has_table)
        self._follows[follow.id] = follow
        FOLLOWS.inc()
        self._send(follow.subscription())
        try:
            async with asyncio.timeout(seconds):
                await follow.begun()
        except TimeoutError:
            follow.end()  # it may have begun in the same loop iteration in which the time ran out
            raise ProblemError("RULES_TIMEOUT") from None
        except BaseException:
            follow.end()
            raise
        return follow

    def unfollow(self, follow: Follow) -> None:
        """End a subscription at the rules server. A second call does nothing."""
        if self._drop(follow):
            self._send(follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=follow.id)))

    async def close(self) -> None:
        """Close the stream. The readers' streams must be closed by then."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    # ── for topics ─────────────────────────────────────────────────────────────────────────────────

    def listen(self, follow: Follow, *, after: int) -> None:
        """Ask for the moves after a version over one subscription."""
        self._send(
            follow_pb2.FollowCommand(listen=follow_pb2.Listen(follow_id=follow.id, after_version=after))
        )

    def forget(self, topic: Topic) -> None:
        """Drop a topic that has no subscriptions any more."""
        if (
            self._topics.get(topic.key) is topic
        ):  # a later subscription may have created another topic with the key
            del self._topics[topic.key]

    # ── the stream ─────────────────────────────────────────────────────────────────────────────────

    def _send(self, command: follow_pb2.FollowCommand) -> None:
        self._commands.append(command)
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            try:
                await self._keep_one()
                self._settle()
            except Exception as error:  # noqa: BLE001 - after any error another stream is opened; the error is logged
                _log.error("internal error", what="follow stream", **without_message(error))
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, MAX_PAUSE_SECONDS)

    async def _keep_one(self) -> None:
        """Open a stream, and return when it has ended."""
        stream = self._open_stream()
        why = await until_ended(stream, self._write(stream), self._read(stream))
        _log.warning("follow stream ended", address=self._address, why=why, follows=len(self._follows))

    async def _write(self, stream: Stream) -> None:
        """Send all waiting commands as one message, as soon as the previous message is on its way."""
        await stream.wait_for_connection()
        while True:
            await self._wake.wait()
            batch = self._next_batch()
            if batch:
                await stream.write(follow_pb2.FollowRequest(commands=batch))

    async def _read(self, stream: Stream) -> None:
        while True:
            response = await stream.read()
            if not isinstance(response, follow_pb2.FollowResponse):  # grpc.aio.EOF
                return
            self._pause = FIRST_PAUSE_SECONDS
            self._failing_since = None
            for update in response.updates:
                follow = self._follows.get(update.follow_id)
                if follow is not None:  # otherwise its reader has left meanwhile
                    with working_for(follow.trace):
                        self._deliver_one(follow, update)

    def _next_batch(self) -> list[follow_pb2.FollowCommand]:
        batch: list[follow_pb2.FollowCommand] = []
        while self._commands and len(batch) < MAX_COMMANDS_PER_MESSAGE:
            batch.append(self._commands.popleft())
        if not self._commands:
            self._wake.clear()
        return batch

    # ── updates ────────────────────────────────────────────────────────────────────────────────────

    def _deliver_one(self, follow: Follow, update: follow_pb2.FollowUpdate) -> None:
        """Deliver an update. It raises nothing: where it fails, that subscription ends, and the others of the stream go on."""
        try:
            self._deliver(follow, update)
        except Exception as error:  # noqa: BLE001 - all matches of a rules server share the stream; the error is logged
            log_caught("update of a match", error)
            if self._drop(follow):
                self._send(follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=follow.id)))
                self._tell_failure(follow)

    @staticmethod
    def _tell_failure(follow: Follow) -> None:
        try:
            follow.refuse(ProblemError("INTERNAL"))
        except Exception as error:  # noqa: BLE001 - as above
            log_caught("end of a subscription", error)

    def _deliver(self, follow: Follow, update: follow_pb2.FollowUpdate) -> None:
        match update.WhichOneof("update"):
            case "begun":
                self._begin(follow, update.begun)
            case "move":
                follow.topic.move(update.move)
            case "table":
                follow.topic.show_table(update.table)
            case "match":
                follow.topic.show_seats(update.match)
            case "ended":
                follow.topic.end(update.ended.version)
            case "refused":
                self._refuse(follow, refused(update.refused, in_query=True))

    def _begin(self, follow: Follow, begun: follow_pb2.FollowUpdate.Begun) -> None:
        if follow.has_begun:
            return  # it began again after a break
        key = topic_key(follow.match_id, begun.audience, follow.language, has_table=follow.has_table)
        topic = self._topics.get(key)
        if topic is None:
            ended = begun.status == match_pb2.MATCH_STATUS_ENDED
            topic = Topic(
                self,
                follow.match_id,
                begun.audience,
                language=follow.language,
                has_table=follow.has_table,
                version=begun.version,
                ended=ended,
            )
            self._topics[key] = topic
        follow.begin(topic, begun.version)

    def _refuse(self, follow: Follow, problem: ProblemError) -> None:
        if follow.has_begun and problem.reason.name in _TRANSIENT:
            follow.retry_with(asyncio.get_running_loop().call_later(RETRY_SECONDS, self._retry, follow))
            return
        self._drop(follow)
        follow.refuse(problem)

    def _retry(self, follow: Follow) -> None:
        follow.retry_with(None)
        self._send(follow.subscription())

    def _drop(self, follow: Follow) -> bool:
        """Remove a subscription. Return False if it was removed before."""
        follow.retry_with(None)
        if self._follows.pop(follow.id, None) is None:
            return False
        FOLLOWS.dec()
        return True

    def _settle(self) -> None:
        """After a break, subscribe again where a subscription had begun, and refuse the others with RULES_UNAVAILABLE."""
        loop = asyncio.get_running_loop()
        self._commands.clear()
        self._wake.clear()
        if self._failing_since is None:
            self._failing_since = loop.time()
        lost = loop.time() - self._failing_since > RECONNECT_SECONDS
        for follow in tuple(self._follows.values()):
            try:
                self._settle_one(follow, lost=lost)
            except Exception as error:  # noqa: BLE001 - the others begin again now, this one later; the error is logged
                _log.error("internal error", what="follow", **without_message(error))
                follow.retry_with(loop.call_later(RETRY_SECONDS, self._retry, follow))

    def _settle_one(self, follow: Follow, *, lost: bool) -> None:
        follow.retry_with(None)  # the rules server would refuse a second subscription
        if not follow.has_begun:
            self._refuse(follow, ProblemError("RULES_UNAVAILABLE"))
        elif lost and follow.member is not None:
            follow.member.stop()
        else:
            self._send(follow.subscription())
