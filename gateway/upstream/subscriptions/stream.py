"""The long `MatchService.Follow` stream to a rules server: one call carries all subscriptions of this process.

It is opened on first use. When it breaks, it is opened again, at another replica if there is one, and every subscription
begins again after the version it has. So no move is missed, and subscribers who lost access meanwhile are refused. Others
notice only a pause. If no rules server can be reached for too long, the subscribers' streams are closed.
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
from gateway.telemetry.metrics import SUBSCRIPTIONS
from gateway.telemetry.tracing import working_for
from gateway.upstream.refusals import refused
from gateway.upstream.stream_ends import until_ended
from gateway.upstream.subscriptions.subscribed_match import MatchKey, SubscribedMatch, match_key
from gateway.upstream.subscriptions.subscription import Subscription
from services.process.caught_errors import log_caught
from services.process.structured_logs import without_message

Stream = grpc.aio.StreamStreamCall[follow_pb2.FollowRequest, follow_pb2.FollowResponse]

MAX_COMMANDS_PER_MESSAGE: Final = 256
FIRST_PAUSE_SECONDS: Final = 0.1
MAX_PAUSE_SECONDS: Final = 2.0
RECONNECT_SECONDS: Final = 60.0
"""How long subscribers wait for a rules server to come back before their streams are closed."""
RETRY_SECONDS: Final = 1.0
"""Pause before subscribing again after a transient failure, such as an unavailable database."""

_TRANSIENT: Final = frozenset({"RULES_UNAVAILABLE", "LOG_UNAVAILABLE", "RULES_TIMEOUT", "INTERNAL"})

_log = structlog.get_logger("gateway.subscription_stream")


class SubscriptionStream:
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
        self._subscriptions: dict[int, Subscription] = {}
        self._subscribed_matches: dict[MatchKey, SubscribedMatch] = {}
        self._commands: deque[follow_pb2.FollowCommand] = deque()
        self._wake = asyncio.Event()
        self._last_id = 0
        self._task: asyncio.Task[None] | None = None
        self._pause = FIRST_PAUSE_SECONDS
        self._failing_since: float | None = None

    # ── for subscribers ────────────────────────────────────────────────────────────────────────────

    async def subscribe(
        self,
        match_id: str,
        wanted: Audience,
        authorization: str,
        *,
        seconds: float,
        language: str = "",
        has_table: bool = False,
    ) -> Subscription:
        """Subscribe to a match; the caller must call `end` on the result.

        Raises ProblemError if the rules server refuses, or RULES_TIMEOUT.
        """
        if self._task is None:
            # The stream is shared, so its log lines must not carry the ids of the request that opens it.
            self._task = asyncio.create_task(
                self._run(), name=f"subscription stream to {self._address}", context=Context()
            )
        self._last_id += 1
        subscription = Subscription(
            self, self._last_id, authorization, match_id, wanted, language, has_table=has_table
        )
        self._subscriptions[subscription.id] = subscription
        SUBSCRIPTIONS.inc()
        self._send(subscription.subscribe_command())
        try:
            async with asyncio.timeout(seconds):
                await subscription.begun()
        except TimeoutError:
            subscription.end()  # it may have begun in the same loop iteration in which the time ran out
            raise ProblemError("RULES_TIMEOUT") from None
        except BaseException:
            subscription.end()
            raise
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription at the rules server. A second call does nothing."""
        if self._drop(subscription):
            self._send(
                follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=subscription.id))
            )

    async def close(self) -> None:
        """Close the stream. The subscribers' streams must be closed by then."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    # ── for subscribed matches ─────────────────────────────────────────────────────────────────────

    def ask_for_moves(self, subscription: Subscription, *, after: int) -> None:
        """Ask for the moves after a version over one subscription."""
        self._send(
            follow_pb2.FollowCommand(listen=follow_pb2.Listen(follow_id=subscription.id, after_version=after))
        )

    def forget(self, match: SubscribedMatch) -> None:
        """Drop a match that has no subscriptions any more."""
        # A later subscription may have created another one with the key.
        if self._subscribed_matches.get(match.key) is match:
            del self._subscribed_matches[match.key]

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
                _log.error("internal error", what="subscription stream", **without_message(error))
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, MAX_PAUSE_SECONDS)

    async def _keep_one(self) -> None:
        """Open a stream, and return when it has ended."""
        stream = self._open_stream()
        why = await until_ended(stream, self._write(stream), self._read(stream))
        _log.warning(
            "subscription stream ended",
            address=self._address,
            why=why,
            subscriptions=len(self._subscriptions),
        )

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
                subscription = self._subscriptions.get(update.follow_id)
                if subscription is not None:  # otherwise its subscriber has left meanwhile
                    with working_for(subscription.trace):
                        self._deliver_one(subscription, update)

    def _next_batch(self) -> list[follow_pb2.FollowCommand]:
        batch: list[follow_pb2.FollowCommand] = []
        while self._commands and len(batch) < MAX_COMMANDS_PER_MESSAGE:
            batch.append(self._commands.popleft())
        if not self._commands:
            self._wake.clear()
        return batch

    # ── updates ────────────────────────────────────────────────────────────────────────────────────

    def _deliver_one(self, subscription: Subscription, update: follow_pb2.FollowUpdate) -> None:
        """Deliver an update. It raises nothing: where it fails, that subscription ends, and the others of the stream go on."""
        try:
            self._deliver(subscription, update)
        except Exception as error:  # noqa: BLE001 - all matches of a rules server share the stream; the error is logged
            log_caught("update of a match", error)
            if self._drop(subscription):
                self._send(
                    follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=subscription.id))
                )
                self._refuse_after_error(subscription)

    @staticmethod
    def _refuse_after_error(subscription: Subscription) -> None:
        try:
            subscription.refuse(ProblemError("INTERNAL"))
        except Exception as error:  # noqa: BLE001 - as above
            log_caught("end of a subscription", error)

    def _deliver(self, subscription: Subscription, update: follow_pb2.FollowUpdate) -> None:
        match update.WhichOneof("update"):
            case "begun":
                self._begin(subscription, update.begun)
            case "move":
                subscription.match.move(update.move)
            case "table":
                subscription.match.show_table(update.table)
            case "match":
                subscription.match.show_seats(update.match)
            case "ended":
                subscription.match.end(update.ended.version)
            case "refused":
                self._refuse(subscription, refused(update.refused, in_query=True))

    def _begin(self, subscription: Subscription, begun: follow_pb2.FollowUpdate.Begun) -> None:
        if subscription.has_begun:
            return  # it began again after a break
        key = match_key(
            subscription.match_id, begun.audience, subscription.language, has_table=subscription.has_table
        )
        match = self._subscribed_matches.get(key)
        if match is None:
            ended = begun.status == match_pb2.MATCH_STATUS_ENDED
            match = SubscribedMatch(
                self,
                subscription.match_id,
                begun.audience,
                language=subscription.language,
                has_table=subscription.has_table,
                version=begun.version,
                ended=ended,
            )
            self._subscribed_matches[key] = match
        subscription.begin(match, begun.version)

    def _refuse(self, subscription: Subscription, problem: ProblemError) -> None:
        if subscription.has_begun and problem.reason.name in _TRANSIENT:
            subscription.retry_with(
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self._retry, subscription)
            )
            return
        self._drop(subscription)
        subscription.refuse(problem)

    def _retry(self, subscription: Subscription) -> None:
        subscription.retry_with(None)
        self._send(subscription.subscribe_command())

    def _drop(self, subscription: Subscription) -> bool:
        """Remove a subscription. Return False if it was removed before."""
        subscription.retry_with(None)
        if self._subscriptions.pop(subscription.id, None) is None:
            return False
        SUBSCRIPTIONS.dec()
        return True

    def _settle(self) -> None:
        """After a break, subscribe again where a subscription had begun, and refuse the others with RULES_UNAVAILABLE."""
        loop = asyncio.get_running_loop()
        self._commands.clear()
        self._wake.clear()
        if self._failing_since is None:
            self._failing_since = loop.time()
        lost = loop.time() - self._failing_since > RECONNECT_SECONDS
        for subscription in tuple(self._subscriptions.values()):
            try:
                self._settle_one(subscription, lost=lost)
            except Exception as error:  # noqa: BLE001 - the others begin again now, this one later; the error is logged
                _log.error("internal error", what="subscription", **without_message(error))
                subscription.retry_with(loop.call_later(RETRY_SECONDS, self._retry, subscription))

    def _settle_one(self, subscription: Subscription, *, lost: bool) -> None:
        subscription.retry_with(None)  # the rules server would refuse a second subscription
        if not subscription.has_begun:
            self._refuse(subscription, ProblemError("RULES_UNAVAILABLE"))
        elif lost and subscription.subscriber is not None:
            subscription.subscriber.stop()
        else:
            self._send(subscription.subscribe_command())
