"""The long `MatchService.Follow` stream to a rules server: every match that somebody here follows, over one call.

It is opened when somebody needs it. When it breaks it is opened again, at another replica if there is one, and every
follow begins again after the version it has: nothing is missed, and whoever lost a right meanwhile is told. Readers
notice nothing but a pause. After too long a time without a rules server they are sent away.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

import grpc
import structlog

from foldtable.matches.v1 import follow_pb2, match_pb2, match_service_pb2_grpc
from foldtable.rules.v1.table_pb2 import Audience
from gateway.live.follows import Follow
from gateway.live.topics import Topic, TopicKey, topic_key
from gateway.logs import without_message
from gateway.metrics import FOLLOWS
from gateway.problem_documents import ProblemError
from gateway.refusals import refused
from gateway.stream_ends import until_ended

Stream = grpc.aio.StreamStreamCall[follow_pb2.FollowRequest, follow_pb2.FollowResponse]

MAX_COMMANDS_PER_MESSAGE: Final = 256
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 60.0
"""How long readers wait for a rules server to come back before they are sent away."""
AGAIN_SECONDS: Final = 1.0
"""Pause before a follow is tried again that failed for want of a database, not of a right."""

_PASSING: Final = frozenset({"RULES_UNAVAILABLE", "LOG_UNAVAILABLE", "RULES_TIMEOUT", "INTERNAL"})

_log = structlog.get_logger("gateway.follow_stream")


class FollowStream:
    """Follows matches over a stream that is opened when somebody needs it, and again when it broke."""

    def __init__(self, matches: match_service_pb2_grpc.MatchServiceAsyncStub, *, address: str) -> None:
        """`matches` is the stub of the rules server."""
        self.matches = matches
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

    async def follow(self, match_id: str, wanted: Audience, authorization: str, *, seconds: float) -> Follow:
        """Begin to follow a match; ProblemError as the rules server refuses it, or RULES_TIMEOUT. End it with `end`."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"follow stream to {self._address}")
        self._last_id += 1
        follow = Follow(self, self._last_id, authorization, match_id, wanted)
        self._follows[follow.id] = follow
        FOLLOWS.inc()
        self._send(follow.subscription())
        try:
            async with asyncio.timeout(seconds):
                await follow.begun()
        except TimeoutError:
            follow.end()  # it may have begun in the very turn in which the time was over
            raise ProblemError("RULES_TIMEOUT") from None
        except BaseException:
            follow.end()
            raise
        return follow

    def unfollow(self, follow: Follow) -> None:
        """End a follow at the rules server; once more does nothing."""
        if self._drop(follow):
            self._send(follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=follow.id)))

    async def close(self) -> None:
        """Close the stream. Readers have been told good-bye by then."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    # ── for topics ─────────────────────────────────────────────────────────────────────────────────

    def listen(self, follow: Follow, *, after: int) -> None:
        """Let a follow be told the moves after a version."""
        self._send(
            follow_pb2.FollowCommand(listen=follow_pb2.Listen(follow_id=follow.id, after_version=after))
        )

    def forget(self, topic: Topic) -> None:
        """Nobody follows a topic any more."""
        if self._topics.get(topic.key) is topic:  # whoever came after that has another one
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
            except Exception as error:  # noqa: BLE001 - whatever it is, another stream is opened; it is logged
                _log.error("internal error", what="follow stream", **without_message(error))
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE_SECONDS)

    async def _keep_one(self) -> None:
        """Open a stream, and return when it has ended."""
        stream: Stream = self.matches.Follow()
        why = await until_ended(stream, self._write(stream), self._read(stream))
        _log.warning("follow stream ended", address=self._address, why=why, follows=len(self._follows))

    async def _write(self, stream: Stream) -> None:
        """Send whatever waits, as one message, as soon as the message before is on its way."""
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
                if follow is not None:  # otherwise its reader has gone meanwhile
                    self._tell(follow, update)

    def _next_batch(self) -> list[follow_pb2.FollowCommand]:
        batch: list[follow_pb2.FollowCommand] = []
        while self._commands and len(batch) < MAX_COMMANDS_PER_MESSAGE:
            batch.append(self._commands.popleft())
        if not self._commands:
            self._wake.clear()
        return batch

    # ── what it says ───────────────────────────────────────────────────────────────────────────────

    def _tell(self, follow: Follow, update: follow_pb2.FollowUpdate) -> None:
        match update.WhichOneof("update"):
            case "begun":
                self._begin(follow, update.begun)
            case "move":
                follow.topic.move(update.move)
            case "ended":
                follow.topic.end(update.ended.version)
            case "refused":
                self._refuse(follow, refused(update.refused, in_query=True))

    def _begin(self, follow: Follow, begun: follow_pb2.FollowUpdate.Begun) -> None:
        if follow.has_begun:
            return  # once more, after a break
        key = topic_key(follow.match_id, begun.audience)
        topic = self._topics.get(key)
        if topic is None:
            ended = begun.status == match_pb2.MATCH_STATUS_ENDED
            topic = Topic(self, follow.match_id, begun.audience, version=begun.version, ended=ended)
            self._topics[key] = topic
        follow.begin(topic, begun.version)

    def _refuse(self, follow: Follow, problem: ProblemError) -> None:
        if follow.has_begun and problem.reason.name in _PASSING:
            follow.retry_with(asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._again, follow))
            return
        self._drop(follow)
        follow.refuse(problem)

    def _again(self, follow: Follow) -> None:
        follow.retry_with(None)
        self._send(follow.subscription())

    def _drop(self, follow: Follow) -> bool:
        """Know a follow no more; False if that is so already."""
        follow.retry_with(None)
        if self._follows.pop(follow.id, None) is None:
            return False
        FOLLOWS.dec()
        return True

    def _settle(self) -> None:
        """After a break: who has begun begins again, who has not is told to come back."""
        loop = asyncio.get_running_loop()
        self._commands.clear()
        self._wake.clear()
        if self._failing_since is None:
            self._failing_since = loop.time()
        lost = loop.time() - self._failing_since > PATIENCE_SECONDS
        for follow in tuple(self._follows.values()):
            try:
                self._settle_one(follow, lost=lost)
            except Exception as error:  # noqa: BLE001 - the others begin again at once, this one soon; it is logged
                _log.error("internal error", what="follow", **without_message(error))
                follow.retry_with(loop.call_later(AGAIN_SECONDS, self._again, follow))

    def _settle_one(self, follow: Follow, *, lost: bool) -> None:
        follow.retry_with(None)  # the rules server would refuse a second subscription
        if not follow.has_begun:
            self._refuse(follow, ProblemError("RULES_UNAVAILABLE"))
        elif lost and follow.member is not None:
            follow.member.farewell()
        else:
            self._send(follow.subscription())
