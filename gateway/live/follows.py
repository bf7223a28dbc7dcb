"""One reader's right to follow a match, kept at the rules server for as long as somebody reads.

Every reader has a follow of its own, made with its own credential, so whether it may (still) look is never decided
here. All but one of the follows of a topic are silent: the moves come once, and who is no longer let in is told
apart from the others.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol

from foldtable.matches.v1 import follow_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problem_documents import ProblemError

if TYPE_CHECKING:
    from gateway.live.follow_stream import FollowStream
    from gateway.live.topics import Topic

_NO_RIGHT: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


class Member(Protocol):
    """Somebody who follows; everything here is called from the stream that reads updates, and returns at once."""

    @property
    def position(self) -> int | None:
        """The version after which moves are still wanted from the topic; None: none are, for the time being."""
        ...

    def wake(self) -> None:
        """The topic has something new, or has ended."""
        ...

    def revoke(self, reason: str) -> None:
        """The credential is no longer good."""
        ...

    def farewell(self) -> None:
        """The match can be followed no longer from here."""
        ...


class Follow:
    """Made with `FollowStream.follow`; `topic` is there from then on."""

    __slots__ = (
        "_begun",
        "_newest",
        "_refusal",
        "authorization",
        "id",
        "match_id",
        "member",
        "retry",
        "stream",
        "topic",
        "wanted",
    )

    def __init__(
        self, stream: FollowStream, follow_id: int, authorization: str, match_id: str, wanted: Audience
    ) -> None:
        self.stream = stream
        self.id = follow_id
        self.authorization = authorization
        self.match_id = match_id
        self.wanted = wanted
        """As asked for; once begun, as the rules server understood it."""
        self.topic: Topic
        self.member: Member | None = None
        self.retry: asyncio.TimerHandle | None = None
        """Subscribes it again after a refusal that passes."""
        self._newest = 0
        """The match's version when it began."""
        self._refusal: ProblemError | None = None
        """It was refused before anybody was a member."""
        self._begun: asyncio.Future[None] | None = asyncio.get_running_loop().create_future()

    def __repr__(self) -> str:
        return f"Follow({self.id}, {self.match_id})"  # the credential stays out of logs

    @property
    def has_begun(self) -> bool:
        return self._begun is None

    @property
    def newest(self) -> int:
        """The newest version that is known of; the topic's may still be on its way through the follow with the voice."""
        return max(self._newest, self.topic.version)

    def subscription(self) -> follow_pb2.FollowCommand:
        """Give the command that begins it, or begins it again on another stream."""
        subscribe = follow_pb2.Subscribe(
            follow_id=self.id,
            authorization=self.authorization,
            match_id=self.match_id,
            audience=self.wanted,
            form=PAYLOAD_FORM_JSON,
            silent=True,
        )
        if self.has_begun and self.topic.voice is self:
            subscribe.silent = False
            subscribe.after_version = self.topic.version
        return follow_pb2.FollowCommand(subscribe=subscribe)

    async def begun(self) -> None:
        """Wait until the caller is let in; ProblemError if not."""
        assert self._begun is not None
        await self._begun
        if self._refusal is not None:  # let in, and thrown out before the caller took its turn
            raise self._refusal

    def begin(self, topic: Topic, version: int) -> None:
        """The caller is let in; the match is at a version."""
        future, self._begun = self._begun, None
        if future is not None:
            self.topic = topic
            self._newest = version
            topic.add(self)
            if not future.done():
                future.set_result(None)

    def refuse(self, problem: ProblemError) -> None:
        """The caller is not let in, or no longer."""
        future = self._begun
        if future is None:
            self.topic.remove(self)
            if self.member is None:
                self._refusal = problem
            elif problem.status in _NO_RIGHT or problem.reason.name == "MATCH_NOT_FOUND":
                self.member.revoke(problem.reason.name)
            else:
                self.member.farewell()
        elif not future.done():
            future.set_exception(problem)

    def retry_with(self, timer: asyncio.TimerHandle | None) -> None:
        """Subscribe again by this timer alone; None: not at all."""
        if self.retry is not None:
            self.retry.cancel()
        self.retry = timer

    def end(self) -> None:
        """Nobody reads any more."""
        if self.has_begun:
            self.topic.remove(self)
        self.stream.unfollow(self)
