"""Tickets and feeds over gRPC: who may have them, and how they end."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import grpc
import pytest
from platform_stack import Account, Platform
from rules_stack import Refusal

from foldtable.platform.v1 import feed_pb2, ticket_pb2
from services.identity.match_tokens import Role


def a_ticket(sealed: bytes = b"sealed") -> ticket_pb2.CreateStreamTicketRequest:
    return ticket_pb2.CreateStreamTicketRequest(hash=os.urandom(32), sealed=sealed)


def token(
    platform: Platform, role: Role, match_id: str, seat: int | None = None, generation: int = 0
) -> Account:
    minted, _ = platform.tokens.mint(
        role=role, match_id=UUID(match_id), game="river_dragons", seat=seat, generation=generation
    )
    return platform.with_credential(minted)


async def change(platform: Platform, tenant: str, player: str) -> str:
    """Put a match with one player into the database, and say so as the log does."""
    match_id = uuid4()
    async with platform.log.pool.connection() as connection:
        await connection.execute(
            "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
            "secret, commitment, status, seats_to_act) VALUES ($1::uuid, now(), now(), 1, 1, $2::text, "
            "'river_dragons', '1', '{}', '', '', 'running', '{0}')",
            (match_id, tenant),
        )
        await connection.execute(
            "INSERT INTO seats (match_id, seat, tenant, player, state, match_open) "
            "VALUES ($1::uuid, 0, $2::text, $3::text, 'taken', true)",
            (match_id, tenant, player),
        )
    platform.log._subscriptions.wake(match_id)
    return str(match_id)


async def begin_feed(account: Account, player: str = "") -> Any:
    stream = account.stub.WatchFeed(
        feed_pb2.WatchFeedRequest(player=player), metadata=account.metadata, timeout=20
    )
    assert (await stream.read()).WhichOneof("update") == "begun"
    return stream


async def test_whoever_may_look_gets_a_ticket_and_whoever_has_it_may_use_it(platform: Platform) -> None:
    nobody = platform.with_credential(None)
    match_id = await change(platform, "ours", "ada")
    for account in (
        await platform.holding("ours", "matches:read"),
        token(platform, Role.SEAT, match_id, 0),
        token(platform, Role.SPECTATOR, match_id),
        token(platform, Role.REFEREE, match_id),
    ):
        made = a_ticket()
        kept = await account.call("CreateStreamTicket", made)
        assert kept.expire_time.ToDatetime(UTC) > datetime.now(UTC)
        redeem = ticket_pb2.RedeemStreamTicketRequest(hash=made.hash)
        assert (await nobody.call("RedeemStreamTicket", redeem)).sealed == b"sealed"
        refusal = await nobody.refused("RedeemStreamTicket", redeem)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TICKET_INVALID")


async def test_nobody_else_gets_a_ticket(platform: Platform) -> None:
    """A key for accounts only, or a token that was revoked, looks at nothing, so it opens nothing either."""
    match_id = await change(platform, "ours", "ada")
    for account, code in (
        (platform.with_credential(None), grpc.StatusCode.UNAUTHENTICATED),
        (platform.with_credential("ft_live_made_up"), grpc.StatusCode.UNAUTHENTICATED),
        (await platform.holding("ours", "keys:write"), grpc.StatusCode.PERMISSION_DENIED),
        (token(platform, Role.INVITE, match_id, 0), grpc.StatusCode.PERMISSION_DENIED),
        (token(platform, Role.SEAT, match_id, 0, generation=1), grpc.StatusCode.PERMISSION_DENIED),
        (token(platform, Role.REFEREE, match_id, generation=1), grpc.StatusCode.PERMISSION_DENIED),
    ):
        assert (await account.refused("CreateStreamTicket", a_ticket())).code is code


async def test_a_feed_sends_what_changes(platform: Platform) -> None:
    account = await platform.holding("ours", "matches:write")
    stream = await begin_feed(account, "ada")
    await change(platform, "ours", "bob")
    await change(platform, "theirs", "ada")
    mine = await change(platform, "ours", "ada")
    (told,) = (await stream.read()).changed.matches
    assert (told.match_id, told.version, list(told.players), list(told.to_act)) == (mine, 1, ["ada"], [0])
    stream.cancel()


async def test_a_feed_ends_with_its_key(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.1)
    key, secret = await platform.issue("ours", "matches:read")
    stream = await begin_feed(platform.with_credential(secret))
    async with platform.log.pool.connection() as connection:
        await connection.execute("UPDATE api_keys SET revoked_at = now() WHERE id = $1::uuid", (key.id,))
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        async with asyncio.timeout(5):
            await stream.read()
    assert Refusal.of(ended.value).reason == "TOKEN_INVALID"


async def test_a_busy_feed_ends_with_its_key_too(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.2)
    key, secret = await platform.issue("ours", "matches:read")
    stream = await begin_feed(platform.with_credential(secret))
    async with platform.log.pool.connection() as connection:
        await connection.execute("UPDATE api_keys SET revoked_at = now() WHERE id = $1::uuid", (key.id,))

    async def read_on() -> None:
        while True:
            await change(platform, "ours", "ada")
            await stream.read()

    with pytest.raises(grpc.aio.AioRpcError) as ended:
        async with asyncio.timeout(5):
            await read_on()
    assert Refusal.of(ended.value).reason == "TOKEN_INVALID"


async def test_what_is_no_question_is_refused(platform: Platform) -> None:
    account = await platform.holding("ours", "matches:read")
    for request in (
        feed_pb2.ReadFeedRequest(player="x" * 65),
        feed_pb2.ReadFeedRequest(player="line\nbreak"),
        feed_pb2.ReadFeedRequest(updated_since={"seconds": 2**62}),
    ):
        assert (await account.refused("ReadFeed", request)).reason == "MALFORMED_REQUEST"
