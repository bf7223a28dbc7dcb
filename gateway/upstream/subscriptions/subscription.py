"""One subscriber's subscription to a match, kept at the rules server for as long as it reads.

Every subscriber has a subscription of its own, made with its own credential, so the rules server alone decides whether it may
(still) read. All but one of the subscriptions to a match for one audience are silent: the moves arrive only once
(subscribed_match.py), and each subscriber's loss of access is still reported separately.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol

from foldtable.matches.v1 import follow_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import current

if TYPE_CHECKING:
    from gateway.upstream.subscriptions.stream import SubscriptionStream
    from gateway.upstream.subscriptions.subscribed_match import SubscribedMatch

_NO_RIGHT: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


class Subscriber(Protocol):
    """Whoever reads by a subscription. The stream that reads updates calls these methods, so they return at once."""

    @property
    def position(self) -> int | None:
        """The version after which the subscriber still needs moves from the subscribed match; None: it needs none for now."""
        ...

    def wake(self) -> None:
        """The match has new moves or news, or has ended."""
        ...

    def revoke(self, reason: str) -> None:
        """The credential is no longer valid; `reason` is the code of the refusal."""
        ...

    def stop(self) -> None:
        """This process can no longer serve the subscription."""
        ...


class Subscription:
    """A subscription to a match for one audience. `SubscriptionStream.subscribe` returns it; `match` is set from then on."""

    __slots__ = (
        "_begun",
        "_newest",
        "_refusal",
        "authorization",
        "has_table",
        "id",
        "language",
        "match",
        "match_id",
        "retry",
        "stream",
        "subscriber",
        "trace",
        "wanted",
    )

    def __init__(
        self,
        stream: SubscriptionStream,
        subscription_id: int,
        authorization: str,
        match_id: str,
        wanted: Audience,
        language: str = "",
        *,
        has_table: bool = False,
    ) -> None:
        self.stream = stream
        self.id = subscription_id
        self.authorization = authorization
        self.match_id = match_id
        self.trace = current()
        """The trace of the request that subscribed; None if there was none."""
        self.wanted = wanted
        """The requested audience; once begun, the audience that the rules server resolved it to."""
        self.language = language
        """The language of the texts; empty: no texts."""
        self.has_table = has_table
        """Whether tables are wanted, too."""
        self.match: SubscribedMatch
        self.subscriber: Subscriber | None = None
        self.retry: asyncio.TimerHandle | None = None
        """Timer that subscribes again after a transient refusal."""
        self._newest = 0
        """The match's version when the subscription began."""
        self._refusal: ProblemError | None = None
        """The refusal, if it came before there was a subscriber."""
        self._begun: asyncio.Future[None] | None = asyncio.get_running_loop().create_future()

    def __repr__(self) -> str:
        return f"Subscription({self.id}, {self.match_id})"  # without the credential, which must not be logged

    @property
    def has_begun(self) -> bool:
        return self._begun is None

    @property
    def newest(self) -> int:
        """The newest known version. The subscribed match may be behind it while its move is still on the way."""
        return max(self._newest, self.match.version)

    def subscribe_command(self) -> follow_pb2.FollowCommand:
        """Return the command that begins the subscription, or begins it again on another stream."""
        subscribe = follow_pb2.Subscribe(
            follow_id=self.id,
            authorization=self.authorization,
            match_id=self.match_id,
            audience=self.wanted,
            form=PAYLOAD_FORM_JSON,
            language=self.language,
            include_table=self.has_table,
            silent=True,
        )
        if self.trace is not None:
            subscribe.traceparent, subscribe.x_request_id = self.trace.traceparent, self.trace.request_id
        if self.has_begun and self.match.voice is self:
            subscribe.silent = False
            subscribe.after_version = self.match.version
        return follow_pb2.FollowCommand(subscribe=subscribe)

    async def begun(self) -> None:
        """Wait until the rules server accepts the caller. Raises ProblemError if it refuses."""
        assert self._begun is not None
        await self._begun
        if self._refusal is not None:  # accepted, and refused again before this coroutine continued
            raise self._refusal

    def raise_if_refused(self) -> None:
        """Raise the refusal that came since the subscription began, while nobody was there to be told."""
        if self._refusal is not None:
            raise self._refusal

    def begin(self, match: SubscribedMatch, version: int) -> None:
        """The rules server has accepted the caller; `version` is the match's."""
        future, self._begun = self._begun, None
        if future is not None:
            self.match = match
            self._newest = version
            match.add(self)
            if not future.done():
                future.set_result(None)

    def refuse(self, problem: ProblemError) -> None:
        """The rules server has refused the caller, now or after it was accepted."""
        future = self._begun
        if future is None:
            self.match.remove(self)
            if self.subscriber is None:
                self._refusal = problem
            elif problem.status in _NO_RIGHT or problem.reason.name == "MATCH_NOT_FOUND":
                self.subscriber.revoke(problem.reason.name)
            else:
                self.subscriber.stop()
        elif not future.done():
            future.set_exception(problem)

    def retry_with(self, timer: asyncio.TimerHandle | None) -> None:
        """Replace the timer that subscribes again; None: do not subscribe again."""
        if self.retry is not None:
            self.retry.cancel()
        self.retry = timer

    def end(self) -> None:
        """End the subscription."""
        if self.has_begun:
            self.match.remove(self)
        self.stream.unsubscribe(self)
