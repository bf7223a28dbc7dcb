"""Everything of one player is revoked in one call: sessions, login codes, tokens of seats, invites; and nobody else's."""

from __future__ import annotations

import base64
import logging
from uuid import UUID

import grpc
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import lobby_pb2, login_code_pb2, match_pb2, player_session_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1 import player_revocation_pb2 as revocation
from services.rules.api import player_revocations

INVITED = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player="eve")


@pytest.fixture
def remembers() -> bool:
    """What is revoked here is revoked at once."""
    return False


async def session_token(tenant: Player, player: str = "eve") -> str:
    request = player_session_pb2.CreatePlayerSessionRequest(player=player)
    token: str = (await tenant.call("CreatePlayerSession", request)).token
    return token


async def login_code(tenant: Player, player: str = "eve") -> str:
    request = login_code_pb2.CreateLoginCodeRequest(player=player)
    code: str = (await tenant.call("CreateLoginCode", request)).code
    return code


async def revoked(tenant: Player, player: str = "eve", page: str = "") -> revocation.RevokePlayerResponse:
    request = revocation.RevokePlayerRequest(player=player, page_token=page)
    return await tenant.call("RevokePlayer", request)


async def redeemed(stack: Stack, code: str) -> Refusal | None:
    nobody = stack.player(None)
    request = login_code_pb2.RedeemLoginCodeRequest(code=code)
    try:
        await nobody.call("RedeemLoginCode", request)
    except grpc.aio.AioRpcError as error:
        return Refusal.of(error)
    return None


async def test_nothing_that_the_player_has_is_good_any_more(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    created = await tenant.create(2, players=["ada", "eve"])
    running, token = created.match.match_id, created.tokens[1].token
    waiting = await tenant.create(2, seating=[lobby_pb2.SeatPlan(player="ada"), INVITED])
    (invite,) = waiting.invites
    session, code = await session_token(tenant), await login_code(tenant)
    await subscriber.subscribe(1, running, token)
    await subscriber.subscribe(2, running, session)
    await subscriber.subscribe(3, running, created.tokens[0].token)

    done = await revoked(tenant)
    assert (done.player, done.seats, done.login_codes, done.next_page_token) == ("eve", 2, 1, "")

    move = act(running, program(*FIVE_CARDS), 1, seat=1)
    assert (await stack.player(token).refused("Act", move)).reason == "SEAT_FORBIDDEN"
    assert (await stack.player(session).refused("Act", move)).reason == "TOKEN_INVALID"
    refusal = await stack.player(invite.token).refused(
        "JoinMatch", pb.JoinMatchRequest(match_id=waiting.match.match_id)
    )
    assert refusal.reason == "INVITE_INVALID"
    refused = await redeemed(stack, code)
    assert refused is not None
    assert refused.reason == "LOGIN_CODE_INVALID"
    assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    assert (await subscriber.refusal(2)).reason in {"TOKEN_INVALID", "SEAT_FORBIDDEN"}

    assert (await tenant.any_move(running, 0)).version == 2, "the match goes on"
    assert await subscriber.versions(3, 1) == [2]
    assert (await tenant.get(running)).seats[1].player == "eve", "the seat stays the player's"


async def test_a_token_of_a_match_that_is_over_starts_no_rematch(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "eve"])
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_ENDED
    assert (await revoked(tenant)).seats == 1
    eve = stack.player(created.tokens[1].token)
    refusal = await eve.refused("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    assert refusal.reason == "SEAT_FORBIDDEN"


async def test_others_keep_what_they_have(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "eve"])
    stranger = stack.player("ft_test_two")
    theirs = await stranger.create(2, players=["eve", "eve2"])
    sessions = [
        (stack.player(await session_token(tenant, "ada")), created.match.match_id),
        (stack.player(await session_token(stranger)), theirs.match.match_id),
    ]
    codes = [await login_code(tenant, "ada"), await login_code(stranger)]
    await revoked(tenant)
    for player, match_id in (
        *sessions,
        (stack.player(created.tokens[0].token), created.match.match_id),
        (stack.player(theirs.tokens[0].token), theirs.match.match_id),
    ):
        assert (await player.legal(match_id)).version == 1
    assert [await redeemed(stack, code) for code in codes] == [None, None]


async def test_what_is_issued_later_is_good_and_a_repeat_does_no_harm(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "eve"])).match.match_id
    assert (await revoked(tenant)).seats == 1
    assert ((again := await revoked(tenant)).seats, again.login_codes) == (1, 0)
    fresh = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=1))
    for credential in (fresh.token.token, await session_token(tenant)):
        assert (await stack.player(credential).legal(match_id)).seat == 1
    assert (await revoked(tenant, "nobody there")).seats == 0


async def test_a_player_of_many_matches_is_revoked_in_several_calls(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_revocations, "MATCHES_AT_ONCE", 2)
    monkeypatch.setattr(player_revocations, "ENOUGH_SECONDS", 0.0)
    created = [await tenant.create(2, players=["ada", "eve"]) for _ in range(5)]
    code = await login_code(tenant)
    first = await revoked(tenant)
    assert (first.seats, first.login_codes) == (2, 1)
    session = stack.player(await session_token(tenant))  # issued meanwhile
    second = await revoked(tenant, page=first.next_page_token)
    third = await revoked(tenant, page=second.next_page_token)
    assert [one.seats for one in (second, third)] == [2, 1]
    assert (second.login_codes, third.next_page_token) == (0, "")
    for one in created:
        token = stack.player(one.tokens[1].token)
        refusal = await token.refused(
            "GetLegalActions", pb.GetLegalActionsRequest(match_id=one.match.match_id)
        )
        assert refusal.reason == "SEAT_FORBIDDEN"
    assert (await session.legal(created[0].match.match_id)).seat == 1
    refused = await redeemed(stack, code)
    assert refused is not None


async def test_a_page_token_is_good_for_its_player_and_tenant_only(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_revocations, "MATCHES_AT_ONCE", 1)
    monkeypatch.setattr(player_revocations, "ENOUGH_SECONDS", 0.0)
    for _ in range(2):
        await tenant.create(2, players=["ada", "eve"])
    page = (await revoked(tenant)).next_page_token
    assert page
    other = stack.player("ft_test_two")
    for caller, player, token in (
        (tenant, "ada", page),
        (other, "eve", page),
        (tenant, "eve", page[:-2]),
        (tenant, "eve", base64.urlsafe_b64encode(b"....open nothing").decode()),
        (tenant, "eve", "x" * 600),
    ):
        request = revocation.RevokePlayerRequest(player=player, page_token=token)
        refusal = await caller.refused("RevokePlayer", request)
        assert (refusal.reason, refusal.fields) == ("PAGE_TOKEN_INVALID", ["$.page_token"])


@pytest.mark.parametrize("player", ["", "a" * 65, "a\u202eb"])
async def test_a_player_who_cannot_be_is_refused(tenant: Player, player: str) -> None:
    refusal = await tenant.refused("RevokePlayer", revocation.RevokePlayerRequest(player=player))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.player"])


async def test_only_a_key_that_may_write_revokes(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "eve"])
    request = revocation.RevokePlayerRequest(player="eve")
    for credential, reason in (
        (created.tokens[0].token, "TENANT_ONLY"),
        (await session_token(tenant, "ada"), "TENANT_ONLY"),
        (await session_token(tenant), "TENANT_ONLY"),
        ("ft_test_one_looks", "SCOPE_MISSING"),
        ("ft_test_one_other", "SCOPE_MISSING"),
        (None, "TOKEN_MISSING"),
    ):
        assert (await stack.player(credential).refused("RevokePlayer", request)).reason == reason
    assert (await stack.player(created.tokens[1].token).legal(created.match.match_id)).seat == 1


async def test_the_log_says_how_many_and_neither_who_nor_with_what(
    stack: Stack, tenant: Player, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await tenant.create(2, players=["ada", "eve-of-the-log"])
    session, code = await session_token(tenant, "eve-of-the-log"), await login_code(tenant, "eve-of-the-log")
    capfd.readouterr()
    await revoked(tenant, "eve-of-the-log")
    written = "".join(capfd.readouterr()) + caplog.text
    assert "player revoked" in written
    for secret in (session, code, "eve-of-the-log"):
        assert secret not in written


async def test_a_reserved_seat_of_a_rematch_is_revoked_too(stack: Stack, tenant: Player) -> None:
    """The token of the match before would take it."""
    created = await tenant.create(2, players=["ada", "eve"])
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    ada = stack.player(created.tokens[0].token)
    following = (await ada.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))).match
    assert (await revoked(tenant)).seats == 2
    seats = (await stack.logs[0].lobby.seating(UUID(following.match_id))).seats
    assert [row.generation for row in seats if row.player == "eve"] == [1]
