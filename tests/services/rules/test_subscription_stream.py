"""Many subscriptions over one stream: each let in by its own credential, told apart, and thrown out alone."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import grpc
import msgspec
import pytest
from rules_stack import FIVE_CARDS, KEYS, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import follow_pb2, lobby_pb2, match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.identity.match_tokens import MatchTokens
from services.movelog.failures import LogUnavailable
from services.movelog.postgres.lobby_queries import REVOKE
from services.rules.streams.subscribed_match import SubscribedMatch


def seat(number: int) -> table_pb2.Audience:
    return table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=number)


async def test_a_subscription_begins_with_the_state_of_the_match_and_receives_every_move(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    begun = (await subscriber.subscribe(1, match_id)).begun
    assert (begun.version, begun.status) == (1, match_pb2.MATCH_STATUS_RUNNING)
    assert begun.audience.kind == table_pb2.Audience.KIND_PUBLIC
    for version in (2, 3):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
        assert (await subscriber.versions(1, version - 1))[-1] == version


async def test_a_subscription_goes_on_after_the_version_it_has(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for _ in range(4):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    await subscriber.subscribe(1, match_id, after_version=2)
    assert await subscriber.versions(1, 3) == [3, 4, 5]


async def test_many_matches_are_distinguished(tenant: Player, subscriber: Subscriber) -> None:
    match_ids = [(await tenant.create(2)).match.match_id for _ in range(10)]
    for follow_id, match_id in enumerate(match_ids):
        await subscriber.subscribe(follow_id, match_id)
    for match_id in match_ids[::2]:
        await tenant.any_move(match_id, 0)
    for follow_id in range(0, 10, 2):
        assert await subscriber.versions(follow_id, 1) == [2]
    moved = [one.follow_id for one in subscriber.updates if one.HasField("move")]
    assert sorted(moved) == [0, 2, 4, 6, 8]  # matches do not wait for each other


async def test_each_subscription_has_the_eyes_of_its_credential(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    subscriber = Subscriber(stack.player(None))
    for token in created.tokens:
        await subscriber.subscribe(token.seat, created.match.match_id, token.token)
    await tenant.call("Act", act(created.match.match_id, program(*FIVE_CARDS), 1, seat=0))
    own, other = [(await subscriber.of(number, 2))[1].move for number in (0, 1)]
    assert msgspec.json.decode(own.events.json)[0]["cards"] == list(FIVE_CARDS)
    assert msgspec.json.decode(other.events.json)[0]["cards"] is None
    subscriber.stream.cancel()


async def test_what_a_credential_may_not_see_ends_that_subscription_alone(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2)
    match_id, token = created.match.match_id, created.tokens[0].token
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match_id, token)
    for follow_id, asked, code, reason in (
        (2, {"audience": seat(1), "token": token}, grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN"),
        (3, {"token": "ft_test_two"}, grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"),
        (4, {"token": "ft_test_no_such_key"}, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"),
        (5, {}, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        (6, {"token": token, "after_version": 9}, grpc.StatusCode.NOT_FOUND, "VERSION_NOT_FOUND"),
    ):
        await subscriber.subscribe(follow_id, match_id, **asked)
        refusal = await subscriber.refusal(follow_id)
        assert (refusal.code, refusal.reason) == (code, reason)
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(1, 1) == [2]
    subscriber.stream.cancel()


async def test_an_unknown_match_is_refused_like_a_foreign_one(tenant: Player, subscriber: Subscriber) -> None:
    await subscriber.subscribe(1, "01890000-0000-7000-8000-000000000000")
    await subscriber.subscribe(2, "no match at all")
    assert (await subscriber.refusal(1)).message == (await subscriber.refusal(2)).message


async def test_a_subscription_id_is_used_once(tenant: Player, subscriber: Subscriber) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    await subscriber.subscribe(1, match_id)
    assert (await subscriber.refusal(1)).fields == ["$.follow_id"]


async def test_a_silent_subscription_receives_nothing_until_it_listens(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    await subscriber.subscribe(2, match_id, silent=True)
    for player in (0, 1):
        await tenant.any_move(match_id, player)
    assert await subscriber.versions(1, 2) == [2, 3]
    assert len(await subscriber.of(2, 1)) == 1
    await subscriber.command(listen=follow_pb2.Listen(follow_id=2, after_version=1))
    assert await subscriber.versions(2, 2) == [2, 3]


async def test_listening_after_the_end_sends_the_rest_and_the_end(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id, silent=True)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    await subscriber.command(listen=follow_pb2.Listen(follow_id=1, after_version=1))
    told = await subscriber.of(1, 3)
    assert [one.WhichOneof("update") for one in told] == ["begun", "move", "ended"]
    assert told[-1].ended.version == 2


async def test_the_end_of_the_match_ends_the_subscription(tenant: Player, subscriber: Subscriber) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id, after_version=0)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    told = await subscriber.of(1, 4)
    assert [one.WhichOneof("update") for one in told] == ["begun", "move", "move", "ended"]


async def test_who_gave_up_receives_nothing_more(tenant: Player, subscriber: Subscriber) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    await subscriber.subscribe(2, match_id)
    await subscriber.command(unsubscribe=follow_pb2.Unsubscribe(follow_id=1))
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(2, 1) == [2]
    assert len(await subscriber.of(1, 1)) == 1


async def test_moves_made_through_another_replica_are_sent(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    other = stack.player(address=await stack.serve())
    async with asyncio.timeout(3):  # well before the slow poll
        await other.any_move(match_id, 0)
        assert await subscriber.versions(1, 1) == [2]


async def test_a_match_that_waits_for_players_is_subscribed_to_from_its_start(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    begun = (await subscriber.subscribe(1, match_id)).begun
    assert (begun.version, begun.status) == (0, match_pb2.MATCH_STATUS_WAITING)
    assert not (await subscriber.of(1, 2))[1].match.seats[0].taken
    for joined in (1, 2):
        await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
        if joined == 1:
            assert (await subscriber.of(1, 3))[2].match.seats[0].taken
    assert await subscriber.versions(1, 1) == [1]


# ── credentials that end ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("silent", [False, True], ids=["told moves", "silent"])
async def test_a_revoked_seat_token_ends_its_subscription_at_once_and_no_other(
    stack: Stack, tenant: Player, silent: bool
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    subscriber = Subscriber(stack.player(None))
    for token in created.tokens:
        await subscriber.subscribe(token.seat, match_id, token.token, silent=silent)
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    async with asyncio.timeout(3):
        refusal = await subscriber.refusal(0)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")
    assert len(await subscriber.of(1, 1)) == 1
    subscriber.stream.cancel()


async def test_a_token_that_is_revoked_through_another_replica_ends_its_subscription(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match_id, created.tokens[1].token)
    other = stack.player(address=await stack.serve())
    await other.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=1))
    async with asyncio.timeout(3):
        assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    subscriber.stream.cancel()


@pytest.mark.parametrize("polled", [True, False], ids=["after a poll", "before the first"])
async def test_a_revocation_whose_wake_up_was_lost_is_found_by_the_slow_poll(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch, polled: bool
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    created = await tenant.create(2)
    match_id = created.match.match_id
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match_id, created.tokens[1].token)
    if polled:
        await asyncio.sleep(0.3)  # the poll has seen how it was before
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(REVOKE, (match_id, 1))
    assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    subscriber.stream.cancel()


async def test_a_revocation_that_could_not_be_read_is_read_again_and_not_forgotten(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 60)  # not by the poll
    monkeypatch.setattr("services.rules.streams.subscribed_match.AGAIN_SECONDS", 0.05)
    created = await tenant.create(2)
    match_id = created.match.match_id
    subscriber = Subscriber(stack.player(None))
    for token in created.tokens:
        await subscriber.subscribe(token.seat, match_id, token.token)
    look, looked = SubscribedMatch._look_at_credentials, 0

    async def lost_twice(self: SubscribedMatch) -> None:
        nonlocal looked
        looked += 1
        if looked <= 2:
            raise LogUnavailable("the connection broke")
        await look(self)

    monkeypatch.setattr(SubscribedMatch, "_look_at_credentials", lost_twice)
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    assert (await subscriber.refusal(0)).reason == "SEAT_FORBIDDEN"
    assert looked >= 3
    await tenant.any_move(match_id, 1)
    assert await subscriber.versions(1, 1) == [2], "the other seat follows on"
    subscriber.stream.cancel()


async def test_who_follows_with_a_token_follows_until_it_expires(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match = (await tenant.create(2)).match
    soon = MatchTokens(stack.tokens._private, lifetime=timedelta(seconds=3))
    token, _ = soon.mint(match_id=match.match_id, game=match.game, seat=1, generation=0)
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match.match_id, token)
    await subscriber.subscribe(2, match.match_id, "ft_test_one")
    refusal = await subscriber.refusal(1)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
    await tenant.any_move(match.match_id, 0)
    assert await subscriber.versions(2, 1) == [2]
    assert [one.WhichOneof("update") for one in await subscriber.of(1, 1)][-1] == "refused"
    subscriber.stream.cancel()


async def test_a_move_whose_wake_up_was_lost_is_found_by_the_slow_poll(
    stack: Stack, tenant: Player, subscriber: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    await asyncio.sleep(0.3)
    monkeypatch.setattr(stack.logs[0]._subscriptions, "wake", lambda *_, **__: None)
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(1, 1) == [2]


async def test_who_received_moves_that_the_log_lost_may_not_go_on_after_them(
    stack: Stack, tenant: Player, subscriber: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    for _ in range(2):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    assert await subscriber.versions(1, 2) == [2, 3]
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute("UPDATE matches SET version = 2 WHERE id = $1::uuid", (match_id,))
        await connection.execute("DELETE FROM moves WHERE match_id = $1::uuid AND seq > 2", (match_id,))
    refusal = await subscriber.refusal(1)
    assert (refusal.reason, refusal.info.metadata["current_version"]) == ("VERSION_NOT_FOUND", "2")
    assert (await subscriber.subscribe(2, match_id)).begun.version == 2


async def test_a_key_that_is_revoked_ends_its_subscriptions_and_no_others(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2)).match.match_id
    subscriber = Subscriber(stack.player(None))
    await subscriber.subscribe(1, match_id, "ft_test_one_looks")
    await subscriber.subscribe(2, match_id, "ft_test_one")
    monkeypatch.delitem(KEYS, "ft_test_one_looks")
    assert (await subscriber.refusal(1)).reason == "TOKEN_INVALID"
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(2, 1) == [2]
    subscriber.stream.cancel()


async def test_a_stream_of_one_match_ends_too_when_its_token_is_revoked(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    watcher = stack.player(created.tokens[0].token)
    stream = watcher.matches.WatchMatch(
        pb.WatchMatchRequest(match_id=match_id), metadata=watcher.metadata, timeout=20
    )
    assert (await stream.read()).snapshot.version == 1
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        async with asyncio.timeout(3):
            await stream.read()
    assert Refusal.of(ended.value).reason == "SEAT_FORBIDDEN"


# ── bounds and ends ────────────────────────────────────────────────────────────────────────────────


async def test_updates_that_are_ready_together_travel_together(
    tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for _ in range(20):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    await subscriber.commands(
        *(
            follow_pb2.FollowCommand(
                subscribe=follow_pb2.Subscribe(follow_id=number, match_id=match_id, after_version=0)
            )
            for number in range(50)
        )
    )
    for number in range(50):
        assert await subscriber.versions(number, 21) == list(range(1, 22))
    assert subscriber.messages <= 50 * 22 / 4


async def test_streams_end_when_the_server_drains(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await subscriber.subscribe(1, match_id)
    stopping = asyncio.create_task(stack.servers[0].stop())
    await subscriber.ended()
    async with asyncio.timeout(5):
        await stopping
