"""Sessions at the platform service: described, listed for, fed, and refused when revoked; a tenant's own settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from platform_stack import Account, Platform
from rules_stack import Refusal

from foldtable.matches.v1 import match_pb2
from foldtable.platform.v1 import account_pb2, directory_pb2, feed_pb2, ticket_pb2
from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.player_sessions import EVERY_SCOPE, PlayerSession, SessionScope
from services.identity.session_ring import SessionRing
from tests.services.platform.test_live import change

LATER = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)


def session(
    platform: Platform,
    player: str = "ada",
    tenant: str = "acme",
    scopes: Collection[SessionScope] = EVERY_SCOPE,
) -> Account:
    minted = platform.tokens.mint_session(
        PlayerSession(tenant=tenant, player=player, scopes=frozenset(scopes), generation=0, expires_at=LATER)
    )
    return platform.with_credential(minted)


async def revoke(platform: Platform, player: str = "", tenant: str = "acme") -> None:
    await SessionRing(platform.log.pool).revoke(tenant, player)


async def listed(account: Account, **asked: object) -> set[str]:
    page = await account.call("ListMatches", directory_pb2.ListMatchesRequest(**asked))
    return {match.match_id for match in page.matches}


async def test_a_session_says_whose_it_is_and_what_for(platform: Platform) -> None:
    said = await session(platform, scopes=[SessionScope.READ]).describe()
    assert said.kind == account_pb2.CREDENTIAL_KIND_PLAYER
    assert (said.tenant, said.player, list(said.scopes)) == ("acme", "ada", ["read"])
    assert said.expire_time.ToDatetime(UTC) == LATER
    assert (said.match_id, said.key_id) == ("", "")


@pytest.mark.parametrize("player", ["ada", ""])
async def test_a_revoked_session_is_refused_everywhere(platform: Platform, player: str) -> None:
    ada, foreign = session(platform), session(platform, tenant="other")
    await revoke(platform, player)
    for method, request in (
        ("DescribeCredential", pb.DescribeCredentialRequest()),
        ("ListMatches", directory_pb2.ListMatchesRequest()),
        ("ReadFeed", feed_pb2.ReadFeedRequest()),
        ("CreateStreamTicket", ticket_pb2.CreateStreamTicketRequest(hash=os.urandom(32), sealed=b"x")),
    ):
        assert (await ada.refused(method, request)).reason == "TOKEN_INVALID", method
    await foreign.describe()


async def test_the_revocation_of_another_players_sessions_changes_nothing(platform: Platform) -> None:
    await revoke(platform, "bob")
    await session(platform).describe()


async def test_a_player_lists_and_is_fed_the_own_matches_only(platform: Platform) -> None:
    own, _theirs = await change(platform, "acme", "ada"), await change(platform, "acme", "bob")
    await change(platform, "other", "ada")
    ada = session(platform)
    everything = [match_pb2.MATCH_VISIBILITY_PRIVATE, match_pb2.MATCH_VISIBILITY_PUBLIC]
    for asked in ({}, {"player": "ada"}, {"waiting_for": "ada"}, {"visibilities": everything}):
        assert await listed(ada, **asked) == {own}, asked
    assert await listed(ada, visibilities=[match_pb2.MATCH_VISIBILITY_PUBLIC]) == set()
    read = await ada.call("ReadFeed", feed_pb2.ReadFeedRequest())
    assert [match.match_id for match in read.matches] == [own]
    for field in ("player", "waiting_for"):
        refusal = await ada.refused("ListMatches", directory_pb2.ListMatchesRequest(**{field: "bob"}))
        assert refusal.fields == [f"$.{field}"]
    for method, kind in (("ReadFeed", feed_pb2.ReadFeedRequest),):
        assert (await ada.refused(method, kind(player="bob"))).fields == ["$.player"]
        assert (await ada.refused(method, kind(bots=True))).reason == "TENANT_ONLY"


async def test_a_feed_ends_when_its_session_is_revoked(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.1)
    ada = session(platform)
    feed = ada.stub.WatchFeed(feed_pb2.WatchFeedRequest(), metadata=ada.metadata, timeout=20)
    assert (await feed.read()).HasField("begun")
    own, _theirs = await change(platform, "acme", "ada"), await change(platform, "acme", "bob")
    changed = (await feed.read()).changed
    assert {match.match_id for match in changed.matches} == {own}
    await revoke(platform, "ada")
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        async with asyncio.timeout(30):
            await feed.read()
    assert Refusal.of(ended.value).reason == "TOKEN_INVALID"


async def test_a_tenant_changes_its_own_settings(platform: Platform) -> None:
    acme, other = [await platform.holding(name, "matches:write") for name in ("acme", "other")]
    assert (await acme.call("GetTenant", pb.GetTenantRequest())).tenant.anonymous_read is False
    changed = await acme.call("UpdateTenant", pb.UpdateTenantRequest(anonymous_read=True))
    assert (changed.tenant.tenant, changed.tenant.anonymous_read) == ("acme", True)
    again = await acme.call("UpdateTenant", pb.UpdateTenantRequest())
    assert again.tenant.anonymous_read is True, "what is absent stays as it was"
    assert (await other.call("GetTenant", pb.GetTenantRequest())).tenant.anonymous_read is False


async def test_a_tenant_says_how_many_vacation_days_players_have(platform: Platform) -> None:
    acme, other = [await platform.holding(name, "matches:write") for name in ("acme", "other")]
    for days in (31, 7):
        changed = await acme.call("UpdateTenant", pb.UpdateTenantRequest(vacation_days=days))
        assert changed.tenant.vacation_days == days
    await acme.call("UpdateTenant", pb.UpdateTenantRequest(anonymous_read=True))
    assert (await acme.call("GetTenant", pb.GetTenantRequest())).tenant.vacation_days == 7
    for wrong in (-1, 32, 2**31 - 1):
        refusal = await acme.refused("UpdateTenant", pb.UpdateTenantRequest(vacation_days=wrong))
        assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.vacation_days"])
    assert (await other.call("GetTenant", pb.GetTenantRequest())).tenant.vacation_days == 0
    await acme.call("UpdateTenant", pb.UpdateTenantRequest(vacation_days=0))
    assert (await acme.call("GetTenant", pb.GetTenantRequest())).tenant.vacation_days == 0
