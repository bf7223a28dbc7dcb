"""Who may read a match without a place at it: whoever is invited to it, and anybody where its tenant allows that."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import grpc
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import fork_pb2, history_pb2, lobby_pb2, match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.identity.tenants import create_tenant, update_tenant

PUBLIC = match_pb2.MATCH_VISIBILITY_PUBLIC
READS = (
    ("GetMatch", pb.GetMatchRequest),
    ("GetView", pb.GetViewRequest),
    ("ListMoves", pb.ListMovesRequest),
)
NO_READS = (
    ("JoinMatch", pb.JoinMatchRequest),
    ("ResignSeat", pb.ResignSeatRequest),
    ("ForkMatch", fork_pb2.ForkMatchRequest),
    ("ExportMatch", pb.ExportMatchRequest),
    ("VerifyMatch", pb.VerifyMatchRequest),
    ("GetLegalActions", pb.GetLegalActionsRequest),
    ("LeaveMatch", lobby_pb2.LeaveMatchRequest),
)


# ── an invite ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def remembers() -> bool:
    """What a tenant allows or forbids here holds at once."""
    return False


async def invited(stack: Stack, tenant: Player) -> tuple[str, Player]:
    seats = [
        lobby_pb2.SeatPlan(player="bob"),
        lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED),
        lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN),
    ]
    created = await tenant.create(3, seating=seats)
    return created.match.match_id, stack.player(created.invites[0].token)


async def test_an_invite_reads_the_match_it_is_for_and_does_nothing_else(
    stack: Stack, tenant: Player
) -> None:
    match_id, guest = await invited(stack, tenant)
    assert (await guest.get(match_id)).seats[0].player == "bob"
    refusal = await guest.refused("GetView", pb.GetViewRequest(match_id=match_id))
    assert refusal.reason == "MATCH_NOT_STARTED", "there is nothing to see yet"
    assert not (await guest.moves(match_id)).moves
    for method, kind in NO_READS[1:]:
        assert (await guest.refused(method, kind(match_id=match_id))).reason == "SEAT_FORBIDDEN", method


async def test_an_invite_follows_the_match(stack: Stack, tenant: Player) -> None:
    match_id, guest = await invited(stack, tenant)
    subscriber = Subscriber(guest)
    begun = (await subscriber.subscribe(1, match_id)).begun
    assert begun.audience.kind == table_pb2.Audience.KIND_PUBLIC
    await guest.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    subscriber.stream.cancel()


async def test_an_invite_reads_no_longer_once_it_is_used_or_revoked(stack: Stack, tenant: Player) -> None:
    match_id, guest = await invited(stack, tenant)
    await guest.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    for method, kind in READS:
        assert (await guest.refused(method, kind(match_id=match_id))).reason == "SEAT_FORBIDDEN"
    other_id, other = await invited(stack, tenant)
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=other_id, seat=1))
    for method, kind in READS:
        assert (await other.refused(method, kind(match_id=other_id))).reason == "INVITE_INVALID"
    assert (await guest.refused("GetMatch", pb.GetMatchRequest(match_id=other_id))).reason == (
        "SEAT_FORBIDDEN"
    )


# ── nobody ─────────────────────────────────────────────────────────────────────────────────────────


async def allow(stack: Stack, allowed: bool = True) -> None:
    async with stack.logs[0].pool.connection() as connection:
        await create_tenant(connection, "one")
        await update_tenant(connection, "one", anonymous_read=allowed)


@pytest.fixture
async def nobody(stack: Stack) -> Player:
    return stack.player(None)


async def test_anybody_reads_a_public_match_as_the_public_sees_it(
    stack: Stack, tenant: Player, nobody: Player
) -> None:
    match_id = (await tenant.create(2, visibility=PUBLIC)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    await allow(stack)
    assert (await nobody.get(match_id)).match_id == match_id
    assert await nobody.view(match_id) == await tenant.view(match_id)
    assert (await nobody.moves(match_id)).moves == (await tenant.moves(match_id)).moves
    asked = history_pb2.ReplayMatchRequest(match_id=match_id)
    assert await nobody.matches.ReplayMatch(asked, timeout=20).read()
    for kind in (table_pb2.Audience.KIND_REFEREE, table_pb2.Audience.KIND_SEAT):
        audience = table_pb2.Audience(kind=kind, seat=0)
        refusal = await nobody.refused("GetView", pb.GetViewRequest(match_id=match_id, audience=audience))
        assert refusal.reason == "SEAT_FORBIDDEN"


async def test_nobody_reads_what_is_private_or_unknown_and_both_look_alike(
    stack: Stack, tenant: Player, nobody: Player
) -> None:
    private = (await tenant.create(2)).match.match_id
    unlisted = (await tenant.create(2, visibility=match_pb2.MATCH_VISIBILITY_UNLISTED)).match.match_id
    foreign = (await stack.player("ft_test_two").create(2, visibility=PUBLIC)).match.match_id
    await allow(stack)
    for method, kind in READS:
        nothing = await nobody.refused(method, kind(match_id=str(uuid4())))
        assert (nothing.code, nothing.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
        for match_id in (private, unlisted, foreign, "nonsense"):
            assert await nobody.refused(method, kind(match_id=match_id)) == nothing, method


async def test_nobody_does_more_than_reading(stack: Stack, tenant: Player, nobody: Player) -> None:
    match_id = (await tenant.create(2, visibility=PUBLIC)).match.match_id
    await allow(stack)
    for method, kind in NO_READS:
        assert (await nobody.refused(method, kind(match_id=match_id))).reason == "TOKEN_MISSING", method


async def test_an_open_stream_ends_when_the_tenant_allows_it_no_longer(
    stack: Stack, tenant: Player, nobody: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.match_stream.SLOW_POLL_SECONDS", 0.1)
    monkeypatch.setattr("services.rules.streams.subscription_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2, visibility=PUBLIC)).match.match_id
    await allow(stack)
    watched = nobody.matches.WatchMatch(pb.WatchMatchRequest(match_id=match_id), timeout=20)
    assert (await watched.read()).HasField("snapshot")
    subscriber = Subscriber(nobody)
    assert (await subscriber.subscribe(1, match_id)).HasField("begun")
    await tenant.any_move(match_id, 0)
    assert await subscriber.versions(1, 1) == [2]
    await allow(stack, False)
    assert (await subscriber.refusal(1)).reason == "TOKEN_MISSING"
    subscriber.stream.cancel()
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await to_the_end(watched)
    assert Refusal.of(ended.value).reason == "TOKEN_MISSING"


async def to_the_end(stream: Any) -> None:
    while await stream.read() is not grpc.aio.EOF:
        pass
