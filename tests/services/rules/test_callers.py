"""Who may do what: tenants see their own matches, seats their own seat, strangers nothing."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2
from services.identity.match_tokens import MatchTokens

REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)


def seat(number: int) -> table_pb2.Audience:
    return table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=number)


@pytest.mark.parametrize(
    ("credential", "reason"),
    [
        pytest.param(None, "TOKEN_MISSING", id="none"),
        pytest.param("ft_test_three", "TOKEN_INVALID", id="an unknown key"),
        pytest.param("nonsense", "TOKEN_INVALID", id="nonsense"),
        pytest.param("eyJhbGciOiJub25lIn0.eyJzZWF0IjowfQ.", "TOKEN_INVALID", id="an unsigned token"),
        pytest.param("eyJ" + "x" * 5000, "TOKEN_INVALID", id="a huge token"),
    ],
)
async def test_a_caller_nobody_knows_is_refused(
    stack: Stack, tenant: Player, credential: str | None, reason: str
) -> None:
    match = (await tenant.create()).match
    stranger = stack.player(credential)
    for method, request in (
        ("GetMatch", pb.GetMatchRequest(match_id=match.match_id)),
        ("GetView", pb.GetViewRequest(match_id=match.match_id)),
        ("ListMoves", pb.ListMovesRequest(match_id=match.match_id)),
        ("ExportMatch", pb.ExportMatchRequest(match_id=match.match_id)),
        ("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0)),
    ):
        refusal = await stranger.refused(method, request)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason), method
        assert credential is None or credential not in refusal.message


async def test_a_token_signed_by_somebody_else_is_refused(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create()).match
    forger = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    forged, _ = forger.mint(match_id=match.match_id, game=match.game, seat=0, generation=0)
    refusal = await stack.player(forged).refused("GetMatch", pb.GetMatchRequest(match_id=match.match_id))
    assert refusal.reason == "TOKEN_INVALID"


async def test_an_expired_token_is_refused_as_expired(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create()).match
    past = MatchTokens(stack.tokens._private, lifetime=timedelta(seconds=-1))
    expired, _ = past.mint(match_id=match.match_id, game=match.game, seat=0, generation=0)
    refusal = await stack.player(expired).refused("GetMatch", pb.GetMatchRequest(match_id=match.match_id))
    assert refusal.reason == "TOKEN_EXPIRED"


async def test_another_tenants_match_looks_like_none(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create()).match
    other = stack.player("ft_test_two")
    for method, kind in (("GetMatch", pb.GetMatchRequest), ("GetView", pb.GetViewRequest)):
        theirs = await other.refused(method, kind(match_id=match.match_id))
        none = await other.refused(method, kind(match_id=str(uuid4())))
        garbled = await other.refused(method, kind(match_id="no such thing"))
        assert theirs == none == garbled
        assert theirs.reason == "MATCH_NOT_FOUND"


async def test_a_seat_token_opens_its_own_match_only(stack: Stack, tenant: Player) -> None:
    first, second = await tenant.create(), await tenant.create()
    player = stack.player(first.tokens[0].token)
    theirs = await player.refused("GetMatch", pb.GetMatchRequest(match_id=second.match.match_id))
    none = await player.refused("GetMatch", pb.GetMatchRequest(match_id=str(uuid4())))
    assert theirs == none
    assert (theirs.code, theirs.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")


async def test_a_seat_looks_and_acts_as_itself_or_the_public(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3)
    match_id = created.match.match_id
    player = stack.player(created.tokens[1].token)
    assert (await player.view(match_id)).audience == seat(1)
    assert (await player.view(match_id, audience=seat(1))).audience == seat(1)
    public = table_pb2.Audience(kind=table_pb2.Audience.KIND_PUBLIC)
    assert (await player.view(match_id, audience=public)).audience == public
    for audience in (seat(0), REFEREE):
        refusal = await player.refused("GetView", pb.GetViewRequest(match_id=match_id, audience=audience))
        assert refusal.reason == "SEAT_FORBIDDEN"
    refusal = await player.refused("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert refusal.reason == "SEAT_FORBIDDEN"
    accepted = await player.call("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert accepted.version == 2


async def test_only_a_tenant_creates_joins_and_mints(stack: Stack, tenant: Player) -> None:
    created = await tenant.create()
    player = stack.player(created.tokens[0].token)
    for method, request in (
        ("CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2)),
        ("JoinMatch", pb.JoinMatchRequest(match_id=created.match.match_id)),
        ("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=created.match.match_id, seat=1)),
    ):
        assert (await player.refused(method, request)).reason == "TENANT_ONLY", method


async def test_a_tenant_mints_a_fresh_token_for_a_taken_seat(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create()).match
    fresh = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match.match_id, seat=1))
    assert (await stack.player(fresh.token.token).view(match.match_id)).audience == seat(1)


async def test_a_tenant_names_the_seat_it_acts_for(tenant: Player) -> None:
    match = (await tenant.create()).match
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.seat"])
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=2))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.seat"])


async def test_a_key_is_good_for_its_scopes_only(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    looks = stack.player("ft_test_one_looks")
    assert (await looks.view(match_id)).version == 1
    for method, request in (
        ("CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2)),
        ("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0)),
        ("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0)),
        ("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=0)),
    ):
        refusal = await looks.refused(method, request)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING"), method
    other = stack.player("ft_test_one_other")
    assert (await other.refused("GetView", pb.GetViewRequest(match_id=match_id))).reason == "SCOPE_MISSING"
