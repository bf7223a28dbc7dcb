"""When a match begins, and with whom."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import msgspec
import pytest
from rules_stack import Player, Refusal, Stack, act

from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb

ON_DEMAND = match_pb2.START_RULE_ON_DEMAND
CLOSED, OPEN = (
    lobby.SeatPlan(kind=lobby.SEATING_KIND_CLOSED),
    lobby.SeatPlan(kind=lobby.SEATING_KIND_OPEN),
)


def starting(match_id: str) -> lobby.StartMatchRequest:
    return lobby.StartMatchRequest(match_id=match_id)


def joining(match_id: str, **more: Any) -> pb.JoinMatchRequest:
    return pb.JoinMatchRequest(match_id=match_id, **more)


async def test_a_full_match_on_demand_waits_for_the_word(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, start=ON_DEMAND)
    assert created.match.status == match_pb2.MATCH_STATUS_WAITING
    player = stack.player(created.tokens[1].token)
    started = await player.call("StartMatch", starting(created.match.match_id))
    assert (started.match.status, started.match.version) == (match_pb2.MATCH_STATUS_RUNNING, 1)


async def test_to_start_what_has_begun_changes_nothing(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    assert (await tenant.call("StartMatch", starting(match_id))).match.version == 1


async def test_a_match_begins_without_its_last_seats(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(4, seating=[CLOSED, CLOSED, OPEN, OPEN])).match.match_id
    started = (await tenant.call("StartMatch", starting(match_id))).match
    assert (len(started.seats), started.version, list(started.to_act)) == (2, 1, [0, 1])
    assert (await tenant.refused("JoinMatch", joining(match_id))).reason == "NO_FREE_SEAT"
    other = stack.player(address=await stack.serve())
    await other.play_to_the_end(match_id)
    verified = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id))
    assert (verified.ok, verified.decided_again) == (True, True)
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    assert msgspec.json.decode(exported.document)["seats"] == 2


async def test_a_replica_that_knew_the_match_with_all_its_seats_plays_on(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(4, seating=[CLOSED, CLOSED, OPEN, OPEN])).match.match_id
    other = stack.player(address=await stack.serve())
    await other.refused("GetView", pb.GetViewRequest(match_id=match_id))
    await tenant.call("StartMatch", starting(match_id))
    played = await other.any_move(match_id, 1)
    assert played.version == 2
    assert (await other.refused("Act", act(match_id, {}, 2, seat=3))).fields == ["$.seat"]


@pytest.mark.parametrize(
    ("seating", "free"),
    [
        pytest.param([CLOSED, OPEN, CLOSED], "1", id="a free seat between two players"),
        pytest.param([CLOSED, OPEN, OPEN], "1, 2", id="fewer players than the game is for"),
        pytest.param([OPEN, OPEN, OPEN], "0, 1, 2", id="nobody there"),
    ],
)
async def test_a_match_that_cannot_start_says_what_is_missing(
    tenant: Player, seating: list[lobby.SeatPlan], free: str
) -> None:
    match_id = (await tenant.create(3, seating=seating, start=ON_DEMAND)).match.match_id
    refusal = await tenant.refused("StartMatch", starting(match_id))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_FULL")
    assert refusal.info.metadata["free_seats"] == free
    match = await tenant.get(match_id)
    assert (match.version, len(match.seats)) == (0, 3)


async def test_players_start_only_what_starts_on_demand(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3, seating=[CLOSED, CLOSED, OPEN])
    player = stack.player(created.tokens[0].token)
    refusal = await player.refused("StartMatch", starting(created.match.match_id))
    assert refusal.reason == "TENANT_ONLY"


async def test_who_starts_at_the_same_moment_starts_the_same_match(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(4, seating=[CLOSED, CLOSED, CLOSED, OPEN])).match.match_id
    other = stack.player(address=await stack.serve())
    answers = await asyncio.gather(
        *((tenant, other)[n % 2].call("StartMatch", starting(match_id)) for n in range(16))
    )
    assert {(answer.match.version, len(answer.match.seats)) for answer in answers} == {(1, 3)}


async def test_whoever_joins_while_the_match_starts_either_plays_or_is_refused(
    stack: Stack, tenant: Player
) -> None:
    other = stack.player(address=await stack.serve())
    for _ in range(8):
        match_id = (await tenant.create(3, seating=[CLOSED, CLOSED, OPEN])).match.match_id
        joined, started = await asyncio.gather(
            other.call("JoinMatch", joining(match_id)),
            tenant.call("StartMatch", starting(match_id)),
            return_exceptions=True,
        )
        match = await tenant.get(match_id)
        assert match.version == 1
        if isinstance(joined, grpc.aio.AioRpcError):
            assert Refusal.of(joined).reason == "NO_FREE_SEAT"
            assert len(match.seats) == 2
        else:
            assert len(match.seats) == 3
            view = await stack.player(joined.token.token).view(match_id)
            assert view.audience.seat == 2
        if isinstance(started, grpc.aio.AioRpcError):
            assert Refusal.of(started).reason == "NOT_FULL"


async def test_whoever_leaves_while_the_last_seat_is_taken_either_leaves_or_plays(
    stack: Stack, tenant: Player
) -> None:
    other = stack.player(address=await stack.serve())
    for _ in range(8):
        created = await tenant.create(2, seating=[CLOSED, OPEN])
        match_id = created.match.match_id
        player = stack.player(created.tokens[0].token)
        left, joined = await asyncio.gather(
            player.call("LeaveMatch", lobby.LeaveMatchRequest(match_id=match_id)),
            other.call("JoinMatch", joining(match_id, seat=1)),
            return_exceptions=True,
        )
        assert not isinstance(joined, Exception)
        match = await tenant.get(match_id)
        taken = [seat.taken for seat in match.seats]
        if isinstance(left, grpc.aio.AioRpcError):
            assert (Refusal.of(left).reason, match.version, taken) == ("MATCH_STARTED", 1, [True, True])
        else:
            assert (match.version, taken) == (0, [False, True])
