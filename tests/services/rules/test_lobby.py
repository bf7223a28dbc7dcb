"""Seats before the start: planned, invited, joined, left; and who is told what."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import Player, Stack

from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import payload_pb2

CLOSED, OPEN, INVITED = (
    lobby.SEATING_KIND_CLOSED,
    lobby.SEATING_KIND_OPEN,
    lobby.SEATING_KIND_INVITED,
)


def plan(kind: lobby.SeatingKind.ValueType, player: str = "", name: str = "") -> lobby.SeatPlan:
    return lobby.SeatPlan(kind=kind, player=player, name=name)


def joining(match_id: str, **more: Any) -> pb.JoinMatchRequest:
    return pb.JoinMatchRequest(match_id=match_id, **more)


def leaving(match_id: str, seat: int | None = None) -> lobby.LeaveMatchRequest:
    return lobby.LeaveMatchRequest(match_id=match_id, seat=seat)


def inviting(match_id: str, seat: int, **more: Any) -> lobby.InviteToSeatRequest:
    return lobby.InviteToSeatRequest(match_id=match_id, seat=seat, **more)


def states(match: match_pb2.Match) -> list[str]:
    return [match_pb2.SeatState.Name(seat.state).removeprefix("SEAT_STATE_").lower() for seat in match.seats]


# ── creating ───────────────────────────────────────────────────────────────────────────────────────


async def test_each_seat_is_closed_open_or_invited(tenant: Player) -> None:
    created = await tenant.create(
        4,
        seating=[plan(CLOSED, "ruth", "Ruth"), plan(OPEN), plan(INVITED, "ann", "Ann"), plan(INVITED)],
        title="Friday",
        visibility=match_pb2.MATCH_VISIBILITY_UNLISTED,
    )
    match = created.match
    assert match.status == match_pb2.MATCH_STATUS_WAITING
    assert states(match) == ["taken", "open", "invited", "invited"]
    assert [(seat.player, seat.name) for seat in match.seats] == [
        ("ruth", "Ruth"),
        ("", ""),
        ("ann", "Ann"),
        ("", ""),
    ]
    assert (match.title, match.visibility) == ("Friday", match_pb2.MATCH_VISIBILITY_UNLISTED)
    assert [token.seat for token in created.tokens] == [0]
    assert [invite.seat for invite in created.invites] == [2, 3]


async def test_a_match_is_private_and_starts_when_it_is_full_unless_said_otherwise(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    assert match.visibility == match_pb2.MATCH_VISIBILITY_PRIVATE
    assert match.start == match_pb2.START_RULE_WHEN_FULL
    assert (match.title, match.rematch_of) == ("", "")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        pytest.param({"seating": [plan(OPEN)]}, "$.seating", id="fewer seats than the match has"),
        pytest.param(
            {"seating": [plan(OPEN)] * 2, "players": ["ann"]}, "$.seating", id="seats said twice, by players"
        ),
        pytest.param(
            {"seating": [plan(OPEN)] * 2, "open_seats": True}, "$.seating", id="seats said twice, as open"
        ),
        pytest.param(
            {"seating": [plan(OPEN), plan(OPEN, "ann")]}, "$.seating[1]", id="a player for an open seat"
        ),
        pytest.param(
            {"seating": [plan(OPEN), plan(99)]}, "$.seating[1].kind", id="a kind of seat there is not"
        ),
        pytest.param(
            {"seating": [plan(OPEN), plan(CLOSED, "x" * 65)]}, "$.seating[1].player", id="an id too long"
        ),
        pytest.param(
            {"seating": [plan(CLOSED, "a", "x" * 101), plan(OPEN)]}, "$.seating[0].name", id="a name too long"
        ),
        pytest.param({"title": "x" * 101}, "$.title", id="a title too long"),
        pytest.param({"title": "two\nlines"}, "$.title", id="a title of two lines"),
        pytest.param({"visibility": 99}, "$.visibility", id="an unknown visibility"),
        pytest.param({"start": 99}, "$.start", id="an unknown way to start"),
    ],
)
async def test_a_lobby_that_cannot_be_is_refused(tenant: Player, more: dict[str, Any], field: str) -> None:
    refusal = await tenant.refused(
        "CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2, **more)
    )
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_a_repeated_creation_gives_the_same_match_whoever_has_joined_or_left_meanwhile(
    tenant: Player,
) -> None:
    asked = {"seating": [plan(CLOSED, "ruth"), plan(OPEN), plan(INVITED)], "request_id": "table 7"}
    first = (await tenant.create(3, **asked)).match
    await tenant.call("JoinMatch", joining(first.match_id, player="omar"))
    await tenant.call("LeaveMatch", leaving(first.match_id, 0))
    await tenant.call("JoinMatch", joining(first.match_id, player="eve"))
    again = await tenant.create(3, **asked)
    assert again.match.match_id == first.match_id
    assert [token.seat for token in again.tokens] == [0, 1]
    for other in ({"title": "another"}, {"visibility": match_pb2.MATCH_VISIBILITY_PUBLIC}):
        refusal = await tenant.refused(
            "CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=3, **asked, **other)
        )
        assert refusal.reason == "REQUEST_ID_REUSED"


# ── joining ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_has_an_id_and_a_name(tenant: Player) -> None:
    match = (await tenant.create(2, open_seats=True)).match
    joined = await tenant.call("JoinMatch", joining(match.match_id, player="u-17", name="Ruth é"))
    assert (joined.match.seats[0].player, joined.match.seats[0].name) == ("u-17", "Ruth é")
    for more, field in (({"player": "x" * 65}, "$.player"), ({"name": "x" * 101}, "$.name")):
        refusal = await tenant.refused("JoinMatch", joining(match.match_id, **more))
        assert refusal.fields == [field]


async def test_the_same_request_to_join_for_another_seat_or_match_is_another_request(tenant: Player) -> None:
    """Else it would be given the token of a seat it did not ask for."""
    match_id, other = [(await tenant.create(3, open_seats=True)).match.match_id for _ in range(2)]
    first = await tenant.call("JoinMatch", joining(match_id, seat=1, request_id="join-1"))
    assert first.token.seat == 1
    for asked in (
        joining(match_id, seat=2, request_id="join-1"),
        joining(match_id, request_id="join-1"),
        joining(other, seat=1, request_id="join-1"),
    ):
        assert (await tenant.refused("JoinMatch", asked)).reason == "REQUEST_ID_REUSED"
    assert states(await tenant.get(match_id)) == ["open", "taken", "open"]


async def test_a_request_to_join_can_be_repeated(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create(3, open_seats=True)).match
    request = joining(match.match_id, player="ruth", request_id="join-1")
    other = stack.player(address=await stack.serve())
    answers = await asyncio.gather(
        *((tenant, other)[n % 2].call("JoinMatch", request) for n in range(32)), return_exceptions=True
    )
    assert {answer.token.seat for answer in answers} == {0}
    assert states(await tenant.get(match.match_id)) == ["taken", "open", "open"]
    refusal = await tenant.refused("JoinMatch", joining(match.match_id, player="omar", request_id="join-1"))
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_a_repeated_request_to_join_takes_no_new_seat_for_one_that_was_given_up(tenant: Player) -> None:
    match = (await tenant.create(3, open_seats=True)).match
    request = joining(match.match_id, player="ruth", request_id="join-1")
    await tenant.call("JoinMatch", request)
    await tenant.call("LeaveMatch", leaving(match.match_id, 0))
    assert (await tenant.refused("JoinMatch", request)).reason == "SEAT_GIVEN_UP"


async def test_a_repeated_request_to_join_gives_nobody_else_s_seat(tenant: Player) -> None:
    match = (await tenant.create(3, open_seats=True)).match
    request = joining(match.match_id, player="ruth", request_id="join-1")
    await tenant.call("JoinMatch", request)
    await tenant.call("LeaveMatch", leaving(match.match_id, 0))
    omar = joining(match.match_id, player="omar", request_id="join-2")
    first = await tenant.call("JoinMatch", omar)
    assert (await tenant.refused("JoinMatch", request)).reason == "SEAT_GIVEN_UP"
    assert (await tenant.call("JoinMatch", omar)).token.seat == first.token.seat == 0


async def test_a_repeated_request_to_join_brings_no_revoked_token_back(tenant: Player) -> None:
    match = (await tenant.create(3, open_seats=True)).match
    request = joining(match.match_id, player="ruth", request_id="join-1")
    await tenant.call("JoinMatch", request)
    await tenant.call("RevokeSeatTokens", lobby.RevokeSeatTokensRequest(match_id=match.match_id, seat=0))
    assert (await tenant.refused("JoinMatch", request)).reason == "SEAT_GIVEN_UP"


# ── invites ────────────────────────────────────────────────────────────────────────────────────────


async def test_an_invite_takes_its_seat_and_is_spent(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3, seating=[plan(CLOSED), plan(INVITED, "ann", "Ann"), plan(OPEN)])
    match_id, invite = created.match.match_id, created.invites[0].token
    ann = stack.player(invite)
    joined = await ann.call("JoinMatch", joining(match_id, name="Annie"))
    assert (joined.match.seats[1].player, joined.match.seats[1].name) == ("ann", "Annie")
    assert joined.token.seat == 1
    refusal = await ann.refused("JoinMatch", joining(match_id))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN")
    seat = stack.player(joined.token.token)
    assert (await seat.get(match_id)).match_id == match_id


async def test_an_invite_joins_again_with_the_same_request_id(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, seating=[plan(CLOSED), plan(INVITED)])
    guest = stack.player(created.invites[0].token)
    request = joining(created.match.match_id, request_id="join-1")
    first = await guest.call("JoinMatch", request)
    again = await guest.call("JoinMatch", request)
    assert (first.match.version, again.match.version, again.token.seat) == (1, 1, 1)


async def test_an_invite_brings_no_revoked_token_back(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, seating=[plan(CLOSED), plan(INVITED, "ann")])
    match_id = created.match.match_id
    guest = stack.player(created.invites[0].token)
    request = joining(match_id, request_id="join-1")
    await guest.call("JoinMatch", request)
    await tenant.call("RevokeSeatTokens", lobby.RevokeSeatTokensRequest(match_id=match_id, seat=1))
    assert (await guest.refused("JoinMatch", request)).reason == "INVITE_INVALID"
    assert (await guest.refused("JoinMatch", joining(match_id))).reason == "INVITE_INVALID"


async def test_the_invite_of_who_was_sent_away_gives_no_seat_of_who_came_after(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(3, seating=[plan(CLOSED), plan(INVITED, "ann"), plan(OPEN)])
    match_id = created.match.match_id
    ann = stack.player(created.invites[0].token)
    request = joining(match_id, request_id="join-1")
    await ann.call("JoinMatch", request)
    await tenant.call("LeaveMatch", leaving(match_id, 1))
    invite = (await tenant.call("InviteToSeat", inviting(match_id, 1, player="eve"))).invite
    eve = await stack.player(invite.token).call("JoinMatch", joining(match_id))
    assert eve.match.seats[1].player == "eve"
    assert (await ann.refused("JoinMatch", request)).reason == "INVITE_INVALID"


async def test_an_invite_does_nothing_but_join_its_own_seat(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3, seating=[plan(CLOSED), plan(INVITED, "ann"), plan(OPEN)])
    other = (await tenant.create(3, open_seats=True)).match
    match_id = created.match.match_id
    guest = stack.player(created.invites[0].token)
    for method, request in (
        ("LeaveMatch", leaving(match_id)),
        ("StartMatch", lobby.StartMatchRequest(match_id=match_id)),
        ("Rematch", lobby.RematchRequest(match_id=match_id)),
        ("JoinMatch", joining(other.match_id)),
    ):
        refusal = await guest.refused(method, request)
        assert (method, refusal.code) == (method, grpc.StatusCode.PERMISSION_DENIED)
    assert (await guest.refused("JoinMatch", joining(match_id, seat=2))).fields == ["$.seat"]
    assert (await guest.refused("JoinMatch", joining(match_id, player="eve"))).fields == ["$.player"]
    assert (await guest.call("JoinMatch", joining(match_id, seat=1, player="ann"))).token.seat == 1


async def test_a_tenant_invites_anew_and_the_earlier_invite_is_void(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, seating=[plan(CLOSED), plan(INVITED)])
    match_id = created.match.match_id
    first = stack.player(created.invites[0].token)
    invite = (await tenant.call("InviteToSeat", inviting(match_id, 1, player="eve"))).invite
    refusal = await first.refused("JoinMatch", joining(match_id))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "INVITE_INVALID")
    joined = await stack.player(invite.token).call("JoinMatch", joining(match_id))
    assert joined.match.seats[1].player == "eve"
    assert (await tenant.refused("InviteToSeat", inviting(match_id, 0))).reason == "MATCH_STARTED"


async def test_an_open_seat_can_be_kept_for_an_invite_and_opened_again(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("InviteToSeat", inviting(match_id, 1))
    assert (await tenant.refused("JoinMatch", joining(match_id, seat=1))).reason == "NOT_JOINABLE"
    await tenant.call("JoinMatch", joining(match_id))
    assert (await tenant.refused("JoinMatch", joining(match_id))).reason == "NO_FREE_SEAT"
    assert (await tenant.refused("InviteToSeat", inviting(match_id, 0))).reason == "SEAT_TAKEN"
    opened = await tenant.call("LeaveMatch", leaving(match_id, 1))
    assert states(opened.match) == ["taken", "open"]


@pytest.mark.parametrize(
    ("seconds", "allowed"),
    [(0, False), (-1, False), (1, True), (366 * 86_400, True), (366 * 86_400 + 1, False)],
)
async def test_invites_and_watch_tokens_last_as_long_as_is_said(
    tenant: Player, seconds: int, allowed: bool
) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    lifetime = Duration(seconds=seconds)
    watching = lobby.IssueWatchTokenRequest(
        match_id=match_id, role=lobby.WATCH_ROLE_SPECTATOR, lifetime=lifetime
    )
    for method, request in (
        ("InviteToSeat", inviting(match_id, 1, lifetime=lifetime)),
        ("IssueWatchToken", watching),
    ):
        if allowed:
            await tenant.call(method, request)
        else:
            assert (await tenant.refused(method, request)).fields == ["$.lifetime"]


async def test_an_expired_invite_takes_nothing(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    lifetime = Duration(nanos=1)
    invite = (await tenant.call("InviteToSeat", inviting(match_id, 1, lifetime=lifetime))).invite
    refusal = await stack.player(invite.token).refused("JoinMatch", joining(match_id))
    assert refusal.reason == "TOKEN_EXPIRED"


# ── leaving ────────────────────────────────────────────────────────────────────────────────────────


async def test_who_leaves_frees_the_seat_and_has_no_say_any_more(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    token = (await tenant.call("JoinMatch", joining(match_id, player="ruth"))).token.token
    ruth = stack.player(token)
    left = await ruth.call("LeaveMatch", leaving(match_id))
    assert states(left.match) == ["open", "open"]
    assert left.match.seats[0].player == ""
    for method, request in (
        ("GetMatch", pb.GetMatchRequest(match_id=match_id)),
        ("LeaveMatch", leaving(match_id)),
    ):
        assert (await ruth.refused(method, request)).reason == "SEAT_FORBIDDEN"
    await tenant.call("JoinMatch", joining(match_id, player="ann"))
    assert (await ruth.refused("LeaveMatch", leaving(match_id))).reason == "SEAT_FORBIDDEN"
    assert (await tenant.get(match_id)).seats[0].player == "ann"


async def test_a_tenant_frees_a_seat_by_naming_it(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    await tenant.call("JoinMatch", joining(match_id, seat=1, player="ruth"))
    for _ in range(2):  # the repeat finds it free already
        assert states((await tenant.call("LeaveMatch", leaving(match_id, 1))).match) == ["open", "open"]
    assert (await tenant.refused("LeaveMatch", leaving(match_id))).fields == ["$.seat"]
    assert (await tenant.refused("LeaveMatch", leaving(match_id, 2))).fields == ["$.seat"]


async def test_nobody_leaves_once_the_match_has_begun(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    player = stack.player(created.tokens[0].token)
    refusal = await player.refused("LeaveMatch", leaving(created.match.match_id))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_STARTED")


# ── quick-join ─────────────────────────────────────────────────────────────────────────────────────


def quick(player: str, **more: Any) -> lobby.QuickJoinRequest:
    return lobby.QuickJoinRequest(**{"game": "river_dragons", "player": player} | more)


PUBLIC = match_pb2.MATCH_VISIBILITY_PUBLIC


async def test_quick_join_fills_the_oldest_public_match_and_starts_it(tenant: Player) -> None:
    first = (await tenant.create(2, open_seats=True, visibility=PUBLIC)).match
    await tenant.create(2, open_seats=True, visibility=PUBLIC)
    joined = [await tenant.call("QuickJoin", quick(player)) for player in ("ruth", "ann")]
    assert {answer.match.match_id for answer in joined} == {first.match_id}
    assert [answer.token.seat for answer in joined] == [0, 1]
    assert joined[1].match.status == match_pb2.MATCH_STATUS_RUNNING


async def test_quick_join_says_when_there_is_nothing(tenant: Player) -> None:
    await tenant.create(2, open_seats=True)
    refusal = await tenant.refused("QuickJoin", quick("ruth"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "NO_OPEN_MATCH")


async def test_quick_join_makes_a_public_match_that_fits_the_next_who_asks(tenant: Player) -> None:
    options = payload_pb2.Payload(json=b'{"variant":"expert"}')
    asked = {"seats": 3, "options": options, "create_if_none": True}
    made = (await tenant.call("QuickJoin", quick("ruth", **asked))).match
    assert (len(made.seats), made.options, made.visibility) == (3, b'{"variant":"expert"}', PUBLIC)
    plain = (await tenant.call("QuickJoin", quick("ann", create_if_none=True, seats=2))).match
    assert plain.match_id != made.match_id
    assert (await tenant.call("QuickJoin", quick("omar", **asked))).match.match_id == made.match_id


async def test_quick_join_knows_the_smallest_number_of_players(tenant: Player) -> None:
    assert len((await tenant.call("QuickJoin", quick("ruth", create_if_none=True))).match.seats) == 2


async def test_a_quick_join_can_be_repeated(stack: Stack, tenant: Player) -> None:
    other = stack.player(address=await stack.serve())
    request = quick("ruth", create_if_none=True, request_id="quick-1")
    answers = await asyncio.gather(*((tenant, other)[n % 2].call("QuickJoin", request) for n in range(32)))
    assert len({(answer.match.match_id, answer.token.seat) for answer in answers}) == 1
    refusal = await tenant.refused("QuickJoin", quick("ann", create_if_none=True, request_id="quick-1"))
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_a_repeated_quick_join_gives_nobody_else_s_seat(tenant: Player) -> None:
    request = quick("ruth", create_if_none=True, request_id="quick-1")
    made = await tenant.call("QuickJoin", request)
    await tenant.call("LeaveMatch", leaving(made.match.match_id, 0))
    omar = await tenant.call("QuickJoin", quick("omar"))
    assert (omar.match.match_id, omar.token.seat) == (made.match.match_id, 0)
    assert (await tenant.refused("QuickJoin", request)).reason == "SEAT_GIVEN_UP"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"game": "chess"}, "GAME_UNKNOWN"),
        ({"seats": 7, "create_if_none": True}, "SEAT_COUNT"),
        ({"options": payload_pb2.Payload(json=b"[]")}, "MALFORMED_OPTIONS"),
        ({"player": "x" * 65}, "MALFORMED_REQUEST"),
        ({"request_id": "x" * 65}, "MALFORMED_REQUEST"),
    ],
)
async def test_a_quick_join_that_cannot_be(tenant: Player, more: dict[str, Any], reason: str) -> None:
    assert (await tenant.refused("QuickJoin", quick(**{"player": "ruth"} | more))).reason == reason
