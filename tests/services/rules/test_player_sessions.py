"""Sessions: a player acts in the own seats, watches public matches, and learns of no other match."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program
from subscription_streams import Subscriber

from foldtable.matches.v1 import abort_pb2, fork_pb2, lobby_pb2, match_pb2, player_session_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2

PUBLIC = match_pb2.MATCH_VISIBILITY_PUBLIC
OPEN = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)
INVITED = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED)
BOT = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_BOT, level="random")


@pytest.fixture
def remembers() -> bool:
    """What is revoked here is revoked at once."""
    return False


def seat(number: int) -> table_pb2.Audience:
    return table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=number)


async def minted(
    tenant: Player, player: str = "ada", *scopes: str, **more: Any
) -> player_session_pb2.CreatePlayerSessionResponse:
    request = player_session_pb2.CreatePlayerSessionRequest(player=player, scopes=scopes, **more)
    return await tenant.call("CreatePlayerSession", request)


async def signed_in(stack: Stack, player: str = "ada", *scopes: str, tenant: str = "ft_test_one") -> Player:
    return stack.player((await minted(stack.player(tenant), player, *scopes)).token)


async def revoke(tenant: Player, player: str = "") -> None:
    await tenant.call("RevokePlayerSessions", player_session_pb2.RevokePlayerSessionsRequest(player=player))


# ── minting ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_session_lasts_a_day_and_allows_everything_unless_said_otherwise(tenant: Player) -> None:
    session = await minted(tenant)
    assert session.player == "ada"
    assert list(session.scopes) == ["create", "join", "play", "read"]
    left = session.expire_time.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    short = await minted(tenant, "ada", "read", lifetime=Duration(seconds=60))
    assert list(short.scopes) == ["read"]
    assert short.expire_time.ToDatetime(UTC) - datetime.now(UTC) <= timedelta(seconds=60)


async def test_whoever_may_take_a_seat_may_play_it(tenant: Player) -> None:
    assert list((await minted(tenant, "ada", "join")).scopes) == ["join", "play", "read"]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"player": ""}, "$.player"),
        ({"player": "a" * 65}, "$.player"),
        ({"player": "a\u202eb"}, "$.player"),
        ({"player": "ada", "scopes": ["admin"]}, "$.scopes"),
        ({"player": "ada", "lifetime": Duration(seconds=31 * 86_400)}, "$.lifetime"),
        ({"player": "ada", "lifetime": Duration(seconds=-1)}, "$.lifetime"),
    ],
)
async def test_a_session_of_nobody_or_for_anything_is_not_issued(
    tenant: Player, request_: dict[str, Any], field: str
) -> None:
    asked = player_session_pb2.CreatePlayerSessionRequest(**request_)
    refusal = await tenant.refused("CreatePlayerSession", asked)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


# ── at a match ─────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_sees_and_acts_as_the_own_seat(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["bob", "ada"])).match.match_id
    ada = await signed_in(stack)
    assert (await ada.view(match_id)).audience == seat(1)
    refusal = await ada.refused("GetView", pb.GetViewRequest(match_id=match_id, audience=seat(0)))
    assert refusal.reason == "SEAT_FORBIDDEN"
    refusal = await ada.refused("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert refusal.reason == "SEAT_FORBIDDEN"
    accepted = await ada.call("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert accepted.version == 2
    assert (await ada.moves(match_id)).moves[-1].seat == 1


async def test_a_player_with_two_seats_acts_for_the_one_that_is_named(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(3, players=["bob", "ada", "ada"])).match.match_id
    ada = await signed_in(stack)
    assert (await ada.view(match_id)).audience == seat(1)
    assert (await ada.view(match_id, audience=seat(2))).audience == seat(2)
    assert (await ada.legal(match_id, seat=2)).version == 1
    await ada.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=2))
    assert (await ada.moves(match_id)).moves[-1].seat == 2


async def test_a_public_match_is_watched(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["bob", "carl"], visibility=PUBLIC)).match.match_id
    ada = await signed_in(stack)
    assert (await ada.get(match_id)).match_id == match_id
    assert (await ada.view(match_id)).audience.kind == table_pb2.Audience.KIND_PUBLIC
    refusal = await ada.refused("GetView", pb.GetViewRequest(match_id=match_id, audience=seat(0)))
    assert refusal.reason == "SEAT_FORBIDDEN"
    refusal = await ada.refused("ResignSeat", pb.ResignSeatRequest(match_id=match_id))
    assert refusal.reason == "SEAT_FORBIDDEN"
    other = await signed_in(stack, tenant="ft_test_two")
    assert (await other.refused("GetMatch", pb.GetMatchRequest(match_id=match_id))).reason == (
        "MATCH_NOT_FOUND"
    )


async def test_a_session_that_may_only_read_changes_nothing(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    waiting = (await tenant.create(2, open_seats=True, visibility=PUBLIC)).match.match_id
    reader = await signed_in(stack, "ada", "read")
    assert (await reader.view(match_id)).audience == seat(0)
    for scope, method, request in (
        ("play", "Act", act(match_id, program(*FIVE_CARDS), 1)),
        ("play", "ResignSeat", pb.ResignSeatRequest(match_id=match_id)),
        ("play", "AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id)),
        ("play", "UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, name="Ada")),
        ("play", "LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id)),
        ("join", "JoinMatch", pb.JoinMatchRequest(match_id=waiting)),
        ("join", "QuickJoin", lobby_pb2.QuickJoinRequest(game="river_dragons")),
        ("create", "CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2)),
        ("create", "ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id)),
        ("create", "Rematch", lobby_pb2.RematchRequest(match_id=match_id)),
    ):
        refusal = await reader.refused(method, request)
        assert (refusal.reason, dict(refusal.info.metadata)) == ("SCOPE_MISSING", {"scope": scope}), method


# ── losing it ──────────────────────────────────────────────────────────────────────────────────────


async def test_revoked_sessions_end_and_later_ones_count(stack: Stack, tenant: Player) -> None:
    ada, bob = await signed_in(stack), await signed_in(stack, "bob")
    foreign = await signed_in(stack, tenant="ft_test_two")
    nothing = lobby_pb2.QuickJoinRequest(game="river_dragons")
    await revoke(tenant, "ada")
    refusal = await ada.refused("QuickJoin", nothing)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    assert (await bob.refused("QuickJoin", nothing)).reason == "NO_OPEN_MATCH"
    again = await signed_in(stack)
    assert (await again.refused("QuickJoin", nothing)).reason == "NO_OPEN_MATCH"
    await revoke(tenant)
    for one in (again, bob):
        assert (await one.refused("QuickJoin", nothing)).reason == "TOKEN_INVALID"
    assert (await foreign.refused("QuickJoin", nothing)).reason == "NO_OPEN_MATCH"


async def test_a_player_keeps_the_seat_when_its_tokens_are_revoked(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3, open_seats=True, visibility=PUBLIC)
    match_id = created.match.match_id
    ada = await signed_in(stack)
    token = (await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))).token.token
    await tenant.call("RevokeSeatTokens", lobby_pb2.RevokeSeatTokensRequest(match_id=match_id, seat=0))
    refusal = await stack.player(token).refused("GetMatch", pb.GetMatchRequest(match_id=match_id))
    assert refusal.reason == "SEAT_FORBIDDEN"
    await ada.call("UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, name="Ada"))
    left = (await ada.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id))).match
    assert left.seats[0].player == ""


async def test_a_player_who_left_acts_no_longer_and_only_watches(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True, visibility=PUBLIC)).match.match_id
    ada = await signed_in(stack)
    await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    await ada.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id))
    refusal = await ada.refused("UpdateSeat", lobby_pb2.UpdateSeatRequest(match_id=match_id, name="A"))
    assert refusal.reason == "SEAT_FORBIDDEN"
    assert (await ada.get(match_id)).match_id == match_id


async def test_a_stream_ends_when_the_session_is_revoked(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.match_stream.SLOW_POLL_SECONDS", 0.1)
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    ada = await signed_in(stack)
    stream = ada.matches.WatchMatch(
        pb.WatchMatchRequest(match_id=match_id), metadata=ada.metadata, timeout=20
    )
    assert (await stream.read()).snapshot.audience == seat(0)
    await revoke(tenant, "ada")
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert Refusal.of(ended.value).reason == "TOKEN_INVALID"


async def test_a_stream_with_the_eyes_of_a_seat_ends_when_the_seat_is_given_up(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(3, open_seats=True, visibility=PUBLIC)).match.match_id
    ada = await signed_in(stack)
    await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    subscriber = Subscriber(ada)
    assert (await subscriber.subscribe(1, match_id)).begun.audience == seat(0)
    await ada.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id))
    assert (await subscriber.refusal(1)).reason == "SEAT_FORBIDDEN"
    subscriber.stream.cancel()


async def test_a_stream_of_a_spectator_goes_on_when_the_player_takes_a_seat(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await tenant.create(2, open_seats=True, visibility=PUBLIC)).match.match_id
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, player="bob"))
    ada = await signed_in(stack)
    subscriber = Subscriber(ada)
    assert (await subscriber.subscribe(1, match_id)).begun.audience.kind == table_pb2.Audience.KIND_PUBLIC
    await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    await ada.call("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert await subscriber.versions(1, 2) == [1, 2]
    hidden = [one.move for one in subscriber.updates if one.HasField("move")][-1]
    assert b"stone1" not in hidden.SerializeToString(), "still with the eyes of the public"
    subscriber.stream.cancel()


async def test_a_player_who_joins_twice_at_once_gets_one_seat(stack: Stack, tenant: Player) -> None:
    """Through two servers, by the match's id and by quick-join."""
    match_id = (await tenant.create(4, open_seats=True, visibility=PUBLIC)).match.match_id
    ada = await signed_in(stack)
    other = stack.player(None, address=await stack.serve())
    other.metadata = ada.metadata
    quick = lobby_pb2.QuickJoinRequest(game="river_dragons")
    await asyncio.gather(
        *(one.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id)) for one in (ada, other, ada, other)),
        *(one.call("QuickJoin", quick) for one in (ada, other)),
        return_exceptions=True,
    )
    seats = (await tenant.get(match_id)).seats
    assert [seat.player for seat in seats].count("ada") == 1


# ── new matches ────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_creates_a_match_and_sits_first(stack: Stack) -> None:
    ada = await signed_in(stack)
    created = await ada.create(3)
    assert [one.player for one in created.match.seats] == ["ada", "", ""]
    assert [token.seat for token in created.tokens] == [0]
    assert not created.invites


async def test_a_player_seats_bots_and_invites(stack: Stack) -> None:
    ada, bob = await signed_in(stack), await signed_in(stack, "bob")
    own = lobby_pb2.SeatPlan(player="ada", name="Ada")
    created = await ada.create(3, seating=[BOT, own, INVITED])
    assert [token.seat for token in created.tokens] == [1]
    (invite,) = created.invites
    match_id = created.match.match_id
    assert (await bob.refused("JoinMatch", pb.JoinMatchRequest(match_id=match_id))).reason == (
        "MATCH_NOT_FOUND"
    )
    joined = await bob.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, invite=invite.token))
    assert joined.match.seats[2].player == "bob"
    assert (await bob.view(match_id)).audience == seat(2)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"players": ["ada", "bob"]}, "$.players"),
        ({"seating": [lobby_pb2.SeatPlan(player="bob"), OPEN]}, "$.seating[0].player"),
        ({"seating": [lobby_pb2.SeatPlan(), lobby_pb2.SeatPlan()]}, "$.seating[1].kind"),
        ({"seating": [OPEN, OPEN]}, "$.seating"),
        (
            {
                "seating": [
                    lobby_pb2.SeatPlan(),
                    lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player="bob"),
                ]
            },
            "$.seating[1].player",
        ),
        (
            {
                "seating": [
                    lobby_pb2.SeatPlan(),
                    lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_BOT, bot="our-own"),
                ]
            },
            "$.seating[1].bot",
        ),
        ({"rematch_of": str(uuid4())}, "$.rematch_of"),
    ],
)
async def test_a_player_hands_out_no_seats_of_others(
    stack: Stack, request_: dict[str, Any], field: str
) -> None:
    ada = await signed_in(stack)
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, **request_)
    refusal = await ada.refused("CreateMatch", request)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


async def test_a_repeated_request_creates_one_match_and_meets_nobody_elses(
    stack: Stack, tenant: Player
) -> None:
    ada, bob = await signed_in(stack), await signed_in(stack, "bob")
    first = await ada.create(2, request_id="one")
    again = await ada.create(2, request_id="one")
    assert first.match.match_id == again.match.match_id
    for other in (bob, tenant):
        created = await other.create(2, open_seats=True, request_id="one")
        assert created.match.match_id != first.match.match_id


async def test_a_player_forks_into_seats_of_the_own(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, players=["ada", "bob"])).match.match_id
    ada = await signed_in(stack)
    fork = await ada.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))
    assert [one.player for one in fork.match.seats] == ["ada", "ada"]
    fork_id = fork.match.match_id
    assert (await ada.view(fork_id, audience=seat(1))).audience == seat(1)
    refusal = await ada.refused("ForkMatch", fork_pb2.ForkMatchRequest(match_id=fork_id))
    assert refusal.reason == "TENANT_ONLY"


# ── joining ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_joins_once_as_oneself(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(3, open_seats=True, visibility=PUBLIC)).match.match_id
    ada = await signed_in(stack)
    refusal = await ada.refused("JoinMatch", pb.JoinMatchRequest(match_id=match_id, player="bob"))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.player"])
    first = await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, request_id="one"))
    again = await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, request_id="one"))
    assert first.token.seat == again.token.seat == 0
    refusal = await ada.refused("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    assert (refusal.reason, dict(refusal.info.metadata)) == ("NOT_JOINABLE", {"seat": "0"})


async def test_a_seat_token_does_not_outlive_its_session(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(3, open_seats=True, visibility=PUBLIC)).match.match_id
    session = await minted(tenant, "ada", lifetime=Duration(seconds=60))
    ada = stack.player(session.token)
    joined = await ada.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    assert joined.token.expire_time == session.expire_time


async def test_an_invite_of_another_player_or_another_match_is_refused(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, seating=[lobby_pb2.SeatPlan(player="carl"), INVITED])
    match_id = created.match.match_id
    ask = lobby_pb2.InviteToSeatRequest(match_id=match_id, seat=1, player="bob")
    invite = (await tenant.call("InviteToSeat", ask)).invite.token
    other = (await tenant.create(2, seating=[lobby_pb2.SeatPlan(player="carl"), INVITED])).match.match_id
    ada, bob = await signed_in(stack), await signed_in(stack, "bob")

    async def refused(player: Player, match_id: str, invite: str) -> Refusal:
        return await player.refused("JoinMatch", pb.JoinMatchRequest(match_id=match_id, invite=invite))

    assert (await refused(ada, match_id, invite)).reason == "INVITE_INVALID"
    assert await refused(bob, other, invite) == await refused(bob, str(uuid4()), invite)
    assert (await refused(bob, match_id, "nonsense")).reason == "INVITE_INVALID"
    assert (await refused(bob, match_id, created.tokens[0].token)).fields == ["$.invite"]
    await bob.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, invite=invite))
    assert (await refused(bob, match_id, invite)).reason in {"NOT_JOINABLE", "SEAT_TAKEN"}


async def test_a_player_quick_joins_as_oneself(stack: Stack, tenant: Player) -> None:
    ada = await signed_in(stack)
    joined = await ada.call(
        "QuickJoin", lobby_pb2.QuickJoinRequest(game="river_dragons", create_if_none=True)
    )
    assert joined.match.seats[0].player == "ada"
    refusal = await ada.refused("QuickJoin", lobby_pb2.QuickJoinRequest(game="river_dragons", player="bob"))
    assert refusal.fields == ["$.player"]


async def test_a_player_waits_in_so_many_matches_only(stack: Stack) -> None:
    ada = await signed_in(stack)
    for number in range(50):
        await ada.create(2, request_id=str(number))
    refusal = await ada.refused("CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2))
    assert (refusal.reason, dict(refusal.info.metadata)) == ("TOO_MANY_WAITING", {"limit": "50"})
    assert await ada.create(2, request_id="7"), "a repeat creates nothing"
    refusal = await ada.refused(
        "QuickJoin", lobby_pb2.QuickJoinRequest(game="river_dragons", create_if_none=True)
    )
    assert refusal.reason == "TOO_MANY_WAITING"
