"""Revoking match tokens: at every replica, whoever holds them. What they write meanwhile: test_revoked_writes.py."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.rules.match import loaded_match

SPECTATOR, REFEREE = lobby.WATCH_ROLE_SPECTATOR, lobby.WATCH_ROLE_REFEREE


async def watch_token(tenant: Player, match_id: str, role: lobby.WatchRole.ValueType, **more: Any) -> str:
    request = lobby.IssueWatchTokenRequest(match_id=match_id, role=role, **more)
    answer = await tenant.call("IssueWatchToken", request)
    assert answer.token.role == role
    return str(answer.token.token)


async def refused_soon(player: Player, match_id: str) -> Refusal:
    """Look until that is refused. A replica hears of a revocation a moment after it was answered elsewhere."""
    for _ in range(100):
        try:
            await player.view(match_id)
        except grpc.aio.AioRpcError as error:
            return Refusal.of(error)
        await asyncio.sleep(0.02)
    pytest.fail("the token is still good")


async def test_a_seat_s_tokens_are_revoked_at_every_replica(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id, token = created.match.match_id, created.tokens[1].token
    here, there = stack.player(token), stack.player(token, address=await stack.serve())
    for player in (here, there):
        await player.view(match_id)
    await tenant.call("RevokeSeatTokens", lobby.RevokeSeatTokensRequest(match_id=match_id, seat=1))
    with pytest.raises(grpc.aio.AioRpcError):
        await here.view(match_id)
    refusal = await refused_soon(there, match_id)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")
    fresh = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=1))
    assert (await stack.player(fresh.token.token).view(match_id)).audience.seat == 1
    assert (await stack.player(created.tokens[0].token).view(match_id)).audience.seat == 0


async def test_a_lost_wake_up_is_made_good_in_time(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    player = stack.player(created.tokens[1].token)
    await player.view(match_id)
    async with stack.logs[0].pool.connection() as connection:  # behind everybody's back
        await connection.execute("UPDATE seats SET generation = generation + 1")
    await player.view(match_id)
    monkeypatch.setattr(loaded_match, "SEATING_SECONDS", 0.0)
    assert (await refused_soon(player, match_id)).reason == "SEAT_FORBIDDEN"


async def test_watchers_look_until_they_are_revoked(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    there = await stack.serve()
    for role in (SPECTATOR, REFEREE):
        token = await watch_token(tenant, match_id, role)
        for watcher in (stack.player(token), stack.player(token, address=there)):
            await watcher.view(match_id)
            assert (await watcher.get(match_id)).match_id == match_id
    watchers = [
        stack.player(await watch_token(tenant, match_id, role), address=there)
        for role in (SPECTATOR, REFEREE)
    ]
    for watcher in watchers:
        await watcher.view(match_id)
    await tenant.call("RevokeWatchTokens", lobby.RevokeWatchTokensRequest(match_id=match_id))
    for watcher in watchers:
        assert (await refused_soon(watcher, match_id)).reason == "SEAT_FORBIDDEN"
    fresh = stack.player(await watch_token(tenant, match_id, SPECTATOR), address=there)
    await fresh.view(match_id)


async def test_a_spectator_sees_what_the_public_sees_and_a_referee_everything(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    spectator = stack.player(await watch_token(tenant, match_id, SPECTATOR))
    referee = stack.player(await watch_token(tenant, match_id, REFEREE))
    kinds = table_pb2.Audience
    assert (await spectator.view(match_id)).audience.kind == kinds.KIND_PUBLIC
    assert (await referee.view(match_id)).audience.kind == kinds.KIND_REFEREE
    for audience in (kinds(kind=kinds.KIND_REFEREE), kinds(kind=kinds.KIND_SEAT, seat=0)):
        request = pb.GetViewRequest(match_id=match_id, audience=audience)
        assert (await spectator.refused("GetView", request)).reason == "SEAT_FORBIDDEN"
        assert (await referee.call("GetView", request)).audience == audience


async def test_a_watch_token_is_of_a_role_there_is(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for role in (lobby.WATCH_ROLE_UNSPECIFIED, 99):
        request = lobby.IssueWatchTokenRequest(match_id=match_id, role=role)
        assert (await tenant.refused("IssueWatchToken", request)).fields == ["$.role"]


async def test_a_seat_the_match_does_not_have_has_no_tokens(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    request = lobby.RevokeSeatTokensRequest(match_id=match_id, seat=2)
    assert (await tenant.refused("RevokeSeatTokens", request)).fields == ["$.seat"]
