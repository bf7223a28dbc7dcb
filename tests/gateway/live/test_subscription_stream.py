"""The long stream to a rules server, when two things happen in the same moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2

from foldtable.matches.v1 import follow_pb2, match_pb2
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problems.document import ProblemError
from gateway.upstream.subscriptions.stream import SubscriptionStream
from gateway.upstream.subscriptions.subscription import Subscription
from tests.gateway.live.conftest import MATCH, Client, Here, until
from tests.gateway.small_server import SmallServer

Update = follow_pb2.FollowUpdate


class Rules:
    """A rules server that says what the test says, in the very turn of the event loop it says so."""

    def __init__(self) -> None:
        self.version = 3
        self.listening: set[int] = set()
        self._newest = 0
        self._said: asyncio.Queue[follow_pb2.FollowResponse] = asyncio.Queue()

    def Follow(self) -> Rules:  # noqa: N802 - the contract says so
        return self

    async def wait_for_connection(self) -> None: ...

    def cancel(self) -> None: ...

    async def read(self) -> follow_pb2.FollowResponse:
        return await self._said.get()

    async def write(self, request: follow_pb2.FollowRequest) -> None:
        for command in request.commands:
            match command.WhichOneof("command"):
                case "subscribe":
                    self._newest = command.subscribe.follow_id
                case "listen":
                    self.listening.add(command.listen.follow_id)
                case "unsubscribe":
                    self.listening.discard(command.unsubscribe.follow_id)

    async def asked(self, more_than: int = 0) -> int:
        """Wait for a subscription; give its id."""
        await until(lambda: self._newest > more_than)
        return self._newest

    def say(self, *updates: Update) -> None:
        self._said.put_nowait(follow_pb2.FollowResponse(updates=updates))

    def begun(self, follow_id: int) -> Update:
        begun = Update.Begun(
            audience=Audience(kind=Audience.KIND_PUBLIC),
            version=self.version,
            status=match_pb2.MATCH_STATUS_RUNNING,
        )
        return Update(follow_id=follow_id, begun=begun)

    def refused(self, follow_id: int, code: grpc.StatusCode = grpc.StatusCode.PERMISSION_DENIED) -> Update:
        return Update(follow_id=follow_id, refused=status_pb2.Status(code=code.value[0], message="no"))

    def move(self) -> None:
        """Somebody moves; whoever listens is told."""
        self.version += 1
        self.say(
            *(Update(follow_id=one, move=match_pb2.Move(version=self.version)) for one in self.listening)
        )


@pytest.fixture
def rules() -> Rules:
    return Rules()


@pytest.fixture
async def stream(rules: Rules) -> AsyncIterator[SubscriptionStream]:
    matches: Any = rules
    one = SubscriptionStream(matches, matches.Follow, address="nowhere")
    yield one
    await one.close()


async def let_in(stream: SubscriptionStream, rules: Rules) -> Subscription:
    following = asyncio.create_task(stream.subscribe(MATCH, Audience(), "Bearer ft_one", seconds=2))
    rules.say(rules.begun(await rules.asked(stream._last_id)))
    return await following


async def test_who_is_let_in_as_the_time_ends_leaves_nothing_to_the_next_reader(
    stream: SubscriptionStream, rules: Rules
) -> None:
    late = asyncio.create_task(stream.subscribe(MATCH, Audience(), "Bearer late", seconds=0.05))
    follow_id = await rules.asked()

    def say_begun_in_the_turn_that_ends_the_time() -> None:
        rules.say(rules.begun(follow_id))
        time.sleep(0.1)

    asyncio.get_running_loop().call_soon(say_begun_in_the_turn_that_ends_the_time)
    with pytest.raises(ProblemError, match="RULES_TIMEOUT"):
        await late
    subscription = await let_in(stream, rules)
    await until(lambda: rules.listening == {subscription.id})
    rules.move()
    await until(lambda: subscription.match.version == 4)


async def test_who_is_thrown_out_in_the_same_message_is_not_let_in(
    stream: SubscriptionStream, rules: Rules
) -> None:
    following = asyncio.create_task(stream.subscribe(MATCH, Audience(), "Bearer ft_one", seconds=2))
    follow_id = await rules.asked()
    rules.say(rules.begun(follow_id), rules.refused(follow_id))
    with pytest.raises(ProblemError, match="SEAT_FORBIDDEN"):
        await following
    assert not stream._subscribed_matches


async def test_a_follow_that_ends_once_more_leaves_the_next_readers_alone(
    stream: SubscriptionStream, rules: Rules
) -> None:
    first = await let_in(stream, rules)
    rules.say(rules.refused(first.id))
    await until(lambda: not stream._subscribed_matches)
    second = await let_in(stream, rules)
    first.end()
    third = await let_in(stream, rules)
    assert third.match is second.match, "the moves come once for both"


async def test_a_break_just_after_a_passing_refusal_costs_nobody_the_stream(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.subscriptions.stream.RETRY_SECONDS", 0.4)
    await here.read(client)
    assert server.subscriptions is not None
    server.subscriptions.refuse(1, grpc.StatusCode.UNAVAILABLE)
    server.subscriptions.end()
    await until(
        lambda: server.follow_streams == 2 and server.subscriptions is not None and server.subscriptions.open
    )
    await asyncio.sleep(0.5)  # until it would have been tried again without the break
    assert client.events == []
    server.move_on()
    await until(lambda: client.versions == [1])


async def test_a_reader_who_leaves_after_a_passing_refusal_is_not_tried_again(
    server: SmallServer, here: Here, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.subscriptions.stream.RETRY_SECONDS", 0.1)
    stream = await here.read(client)
    subscription = stream._part.subscription
    assert server.subscriptions is not None
    server.subscriptions.refuse(1, grpc.StatusCode.UNAVAILABLE)
    await until(lambda: subscription.retry is not None)
    client.go_away()
    assert subscription.retry is None
    await asyncio.sleep(0.15)
    assert not server.subscriptions.open
