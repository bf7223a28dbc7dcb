"""A stream of subscriptions whose caller reads nothing, uses an id again, or loses a right between two looks at the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise
from typing import Any
from uuid import UUID

import grpc
import msgspec
import pytest
from rules_stack import FIVE_CARDS, KEYS, FixedKeys, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber, Update

from foldtable.matches.v1 import follow_pb2, lobby_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1.table_pb2 import Audience
from services.identity.callers import Callers
from services.movelog.records import Move
from services.rpc.drain import Drain
from services.rules.match.access import MatchAccess
from services.rules.match.match_cache import MatchCache
from services.rules.streams.outbox import MAX_WAITING_BYTES, Outbox
from services.rules.streams.subscription_stream import serve_subscriptions
from tests.support.memory_log.log import MemoryLog

REFEREE = Audience(kind=Audience.KIND_REFEREE)
PUBLIC = Audience(kind=Audience.KIND_PUBLIC)


class Reads:
    """The reads of moves that are streamed, which a test may hold up."""

    def __init__(self, stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = 0
        self.before_each: Callable[[], Awaitable[object]] | None = None
        """What happens before each but the first."""
        self._read = stack.logs[0].read
        for module in ("subscribed_match", "match_stream"):
            monkeypatch.setattr(f"services.rules.streams.{module}.BATCH", 1)
        monkeypatch.setattr(stack.logs[0], "read", self.read)

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        rows = await self._read(match_id, after=after, limit=limit)
        if limit == 1:
            self.begun += 1
            if self.before_each is not None and self.begun > 1:
                await self.before_each()
            await self.gate.wait()
        return rows

    async def begins(self) -> None:
        """Hold the next read up, and wait for it."""
        self.gate.clear()
        seen = self.begun
        async with asyncio.timeout(5):
            while self.begun == seen:  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.005)


@pytest.fixture
def reads(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(stack, monkeypatch)


def subscribe(follow_id: int, match_id: str, **more: Any) -> follow_pb2.FollowCommand:
    asked = follow_pb2.Subscribe(follow_id=follow_id, match_id=match_id, **more)
    return follow_pb2.FollowCommand(subscribe=asked)


def unsubscribe(follow_id: int) -> follow_pb2.FollowCommand:
    return follow_pb2.FollowCommand(unsubscribe=follow_pb2.Unsubscribe(follow_id=follow_id))


def kinds(told: list[Update]) -> list[str | None]:
    return [one.WhichOneof("update") for one in told]


# ── ids and rights that end while the log is read ──────────────────────────────────────────────────


async def test_an_id_that_is_used_again_receives_nothing_that_only_the_one_before_might_see(
    tenant: Player, subscriber: Subscriber, reads: Reads
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(7, match_id, audience=REFEREE)
    held_up = asyncio.create_task(reads.begins())
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    await held_up
    await subscriber.commands(unsubscribe(7), subscribe(7, match_id, audience=PUBLIC, after_version=1))
    await subscriber.of(7, 2)
    reads.gate.set()
    began, begun_again, move = await subscriber.of(7, 3)
    assert (began.begun.audience, begun_again.begun.audience) == (REFEREE, PUBLIC)
    assert msgspec.json.decode(move.move.events.json)[0]["cards"] is None


async def test_nothing_is_sent_after_the_refusal(
    tenant: Player, subscriber: Subscriber, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id, "ft_test_one_looks")
    await subscriber.subscribe(2, match_id, "ft_test_one")
    held_up = asyncio.create_task(reads.begins())
    await tenant.any_move(match_id, 0)
    await held_up
    monkeypatch.delitem(KEYS, "ft_test_one_looks")
    assert (await subscriber.refusal(1)).reason == "TOKEN_INVALID"
    reads.gate.set()
    assert await subscriber.versions(2, 1) == [2]
    assert kinds(await subscriber.of(1, 2)) == ["begun", "refused"]


async def revoked_at_the_second_read(tenant: Player, reads: Reads) -> tuple[str, str]:
    """Return a match with a past, and a seat token that is revoked as soon as some of that past was told."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    for _ in range(6):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])

    async def revoke() -> None:
        reads.before_each = None
        await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
        await asyncio.sleep(0.1)  # until it was heard of

    reads.before_each = revoke
    return match_id, created.tokens[0].token


async def test_a_right_that_is_lost_while_the_past_is_sent_ends_the_subscription(
    stack: Stack, tenant: Player, reads: Reads
) -> None:
    match_id, token = await revoked_at_the_second_read(tenant, reads)
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match_id, token, after_version=0)
    assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    told = [one.move.version for one in subscriber.updates if one.WhichOneof("update") == "move"]
    assert told == [1, 2], "the move that was being read was the last"
    subscriber.stream.cancel()


async def test_a_right_that_is_lost_while_the_past_of_one_match_is_sent_ends_the_subscription(
    stack: Stack, tenant: Player, reads: Reads
) -> None:
    match_id, token = await revoked_at_the_second_read(tenant, reads)
    watcher = stack.player(token)
    stream = watcher.matches.WatchMatch(
        pb.WatchMatchRequest(match_id=match_id, after_version=0), metadata=watcher.metadata, timeout=20
    )
    assert [(await stream.read()).move.version for _ in range(2)] == [1, 2]
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert Refusal.of(ended.value).reason == "SEAT_FORBIDDEN"


async def test_a_right_that_is_lost_while_the_subscription_is_let_in_ends_it(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    catch_up = MatchCache.catch_up
    entered, gate = asyncio.Event(), asyncio.Event()

    async def late(tables: MatchCache, table: Any) -> None:
        await catch_up(tables, table)
        if not gate.is_set():
            entered.set()
            await gate.wait()

    other = stack.player(address=await stack.serve())
    subscriber = Subscriber(stack.player(None))
    monkeypatch.setattr(MatchCache, "catch_up", late)
    beginning = asyncio.create_task(subscriber.subscribe(1, match_id, created.tokens[0].token, silent=True))
    await entered.wait()
    monkeypatch.setattr(MatchCache, "catch_up", catch_up)
    await other.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    await asyncio.sleep(0.2)  # until it was heard of
    gate.set()
    await beginning
    async with asyncio.timeout(3):
        assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    subscriber.stream.cancel()


async def test_the_refusal_of_a_subscription_that_was_given_up_does_not_touch_the_next_of_its_id(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.commands(
        subscribe(7, match_id, authorization="Bearer ft_test_no_such_key"),
        unsubscribe(7),
        subscribe(7, match_id),
    )
    await subscriber.of(7, 1)
    await tenant.any_move(match_id, 0)
    assert kinds(await subscriber.of(7, 2)) == ["begun", "move"]


class NothingRevoked:
    """No session was ever revoked."""

    async def generation(self, tenant: str, player: str, *, fresh: bool = False) -> int:
        return 0


class NothingShown:
    """No match may be read without a credential."""

    async def allowed(self, match_id: UUID) -> bool:
        return False


# ── a caller who reads nothing ─────────────────────────────────────────────────────────────────────


class Nobody:
    """A stream without a credential, and how far it was read."""

    COMMANDS = 256
    MESSAGES = 45

    def __init__(self) -> None:
        self.sent = 0

    async def requests(self) -> AsyncIterator[follow_pb2.FollowRequest]:
        for number in range(self.MESSAGES):
            self.sent = number + 1
            first = number * self.COMMANDS
            yield follow_pb2.FollowRequest(
                commands=[subscribe(first + more, "0") for more in range(self.COMMANDS)]
            )
            await asyncio.sleep(0)


async def test_a_caller_who_reads_nothing_is_not_read_from_either(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 0
    add = Outbox.add

    def measured(outbox: Outbox, update: Update) -> None:
        nonlocal most
        add(outbox, update)
        most = max(most, outbox._bytes)

    monkeypatch.setattr(Outbox, "add", measured)
    tables = MatchCache(MemoryLog(), lambda _: None)
    nobody = Nobody()
    told = serve_subscriptions(
        nobody.requests(),
        None,
        MatchAccess(tables, Callers(FixedKeys(), stack.tokens, NothingRevoked()), NothingShown()),
        tables,
        Drain(),
    )
    answered = list((await anext(told)).updates)
    before = -1
    while before < nobody.sent:  # until it goes no further
        before = nobody.sent
        await asyncio.sleep(0.3)
    assert nobody.sent < nobody.MESSAGES, "who does not read is not listened to"
    async for message in told:
        answered += message.updates
    assert most < MAX_WAITING_BYTES + 32 * 1024, "those who are being let in may pass the bound"
    assert sorted(one.follow_id for one in answered) == list(range(nobody.MESSAGES * nobody.COMMANDS))
    assert set(kinds(answered)) == {"refused"}


async def test_many_subscriptions_of_one_match_are_sent_no_more_at_once_than_there_is_room_for(
    tenant: Player, subscriber: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 0
    add = Outbox.add

    def measured(outbox: Outbox, update: Update) -> None:
        nonlocal most
        add(outbox, update)
        most = max(most, outbox._bytes)

    monkeypatch.setattr(Outbox, "add", measured)
    match_id = (await tenant.create(2)).match.match_id
    for _ in range(4):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    for follow_id in range(40):
        await subscriber.subscribe(follow_id, match_id, silent=True)
    monkeypatch.setattr("services.rules.streams.outbox.MAX_WAITING_BYTES", 4_000)
    most = 0
    await subscriber.commands(
        *(
            follow_pb2.FollowCommand(listen=follow_pb2.Listen(follow_id=one, after_version=0))
            for one in range(40)
        )
    )
    for follow_id in range(40):
        versions = await subscriber.versions(follow_id, 5)
        assert all(earlier + 1 == later for earlier, later in pairwise([0, *versions]))
    assert most < 4_000 + 5 * 1_000, "a subscription's batch may pass the bound"
