"""Playing again: one match follows an ended one, with the same players one seat further."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from rules_stack import Player, Stack

from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import payload_pb2

OPTIONS = payload_pb2.Payload(json=b'{"variant":"expert"}')


def again(match_id: str) -> lobby.RematchRequest:
    return lobby.RematchRequest(match_id=match_id)


@pytest.fixture
async def ended(tenant: Player) -> pb.CreateMatchResponse:
    """A match of Ruth, Ann and Omar, in which two resigned."""
    created = await tenant.create(
        3,
        seating=[
            lobby.SeatPlan(kind=lobby.SEATING_KIND_CLOSED, player=player.lower(), name=player)
            for player in ("Ruth", "Ann", "Omar")
        ],
        options=OPTIONS,
        title="Friday",
        visibility=match_pb2.MATCH_VISIBILITY_UNLISTED,
    )
    match_id = created.match.match_id
    for seat in (0, 1):
        await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=seat))
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_ENDED
    return created


def player_of(stack: Stack, created: Any, seat: int, **more: Any) -> Player:
    (token,) = [token.token for token in created.tokens if token.seat == seat]
    return stack.player(token, **more)


async def test_a_tenant_gets_every_seat_handed_out(tenant: Player, ended: pb.CreateMatchResponse) -> None:
    answer = await tenant.call("Rematch", again(ended.match.match_id))
    match = answer.match
    assert [(seat.player, seat.name) for seat in match.seats] == [
        ("ann", "Ann"),
        ("omar", "Omar"),
        ("ruth", "Ruth"),
    ]
    assert [token.seat for token in answer.tokens] == [0, 1, 2]
    assert (match.version, match.rematch_of) == (1, ended.match.match_id)
    assert (match.game, match.options, match.title) == ("river_dragons", b'{"variant":"expert"}', "Friday")
    assert match.visibility == match_pb2.MATCH_VISIBILITY_UNLISTED


async def test_there_is_one_rematch_however_often_it_is_asked_for(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    other = stack.player(address=await stack.serve())
    players = [player_of(stack, ended, seat) for seat in range(3)]
    answers = await asyncio.gather(
        *(
            caller.call("Rematch", again(ended.match.match_id))
            for caller in (*players, tenant, other, *players, tenant, other)
        )
    )
    assert len({answer.match.match_id for answer in answers}) == 1
    assert (await tenant.get(answers[0].match.match_id)).version == 1


async def test_players_take_their_own_seats_and_the_last_one_starts_it(
    stack: Stack, ended: pb.CreateMatchResponse
) -> None:
    ruth, ann, omar = (player_of(stack, ended, seat) for seat in range(3))
    first = await ruth.call("Rematch", again(ended.match.match_id))
    assert [token.seat for token in first.tokens] == [2]
    states = [seat.state for seat in first.match.seats]
    reserved, taken = match_pb2.SEAT_STATE_RESERVED, match_pb2.SEAT_STATE_TAKEN
    assert states == [reserved, reserved, taken]
    assert [seat.player for seat in first.match.seats] == ["ann", "omar", "ruth"]
    assert (await ruth.call("Rematch", again(ended.match.match_id))).tokens[0].seat == 2
    assert (await ann.call("Rematch", again(ended.match.match_id))).match.version == 0
    last = await omar.call("Rematch", again(ended.match.match_id))
    assert (last.match.version, last.tokens[0].seat) == (1, 1)
    assert (await stack.player(last.tokens[0].token).view(last.match.match_id)).audience.seat == 1


async def test_a_reserved_seat_is_for_its_player(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    first = await player_of(stack, ended, 0).call("Rematch", again(ended.match.match_id))
    match_id = first.match.match_id
    joining = pb.JoinMatchRequest(match_id=match_id, seat=0, player="eve")
    assert (await tenant.refused("JoinMatch", joining)).reason == "NOT_JOINABLE"
    joined = await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, seat=0, player="ann"))
    assert joined.token.seat == 0
    opened = await tenant.call("LeaveMatch", lobby.LeaveMatchRequest(match_id=match_id, seat=1))
    assert opened.match.seats[1].player == ""
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, player="eve"))
    refusal = await player_of(stack, ended, 2).refused("Rematch", again(ended.match.match_id))
    assert refusal.reason == "SEAT_TAKEN"


async def test_a_tenant_completes_what_players_have_begun(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    await player_of(stack, ended, 0).call("Rematch", again(ended.match.match_id))
    answer = await tenant.call("Rematch", again(ended.match.match_id))
    assert ([token.seat for token in answer.tokens], answer.match.version) == ([0, 1, 2], 1)


async def test_an_old_token_does_not_bring_back_what_was_revoked(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    ruth = player_of(stack, ended, 0)
    following = (await ruth.call("Rematch", again(ended.match.match_id))).match.match_id
    await tenant.call("RevokeSeatTokens", lobby.RevokeSeatTokensRequest(match_id=following, seat=2))
    assert (await ruth.refused("Rematch", again(ended.match.match_id))).reason == "SEAT_FORBIDDEN"


async def test_there_is_no_rematch_before_the_end(stack: Stack, tenant: Player) -> None:
    running = await tenant.create(2)
    waiting = await tenant.create(2, open_seats=True)
    for match_id in (running.match.match_id, waiting.match.match_id):
        assert (await tenant.refused("Rematch", again(match_id))).reason == "MATCH_NOT_OVER"
    player = player_of(stack, running, 0)
    assert (await player.refused("Rematch", again(running.match.match_id))).reason == "MATCH_NOT_OVER"


async def test_a_rematch_has_a_rematch(tenant: Player, ended: pb.CreateMatchResponse) -> None:
    second = (await tenant.call("Rematch", again(ended.match.match_id))).match
    for seat in (0, 1):
        await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=second.match_id, seat=seat))
    third = (await tenant.call("Rematch", again(second.match_id))).match
    assert [seat.player for seat in third.seats] == ["omar", "ruth", "ann"]
    assert third.rematch_of == second.match_id


async def test_who_comes_after_the_rematch_began_without_the_own_seat_is_refused(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    ruth, ann, omar = (player_of(stack, ended, seat) for seat in range(3))
    for player in (ann, omar):
        following = (await player.call("Rematch", again(ended.match.match_id))).match.match_id
    started = await tenant.call("StartMatch", lobby.StartMatchRequest(match_id=following))
    assert len(started.match.seats) == 2
    refusal = await ruth.refused("Rematch", again(ended.match.match_id))
    assert (refusal.reason, refusal.info.metadata["seat"]) == ("NOT_JOINABLE", "2")


async def test_those_who_have_come_need_not_wait_for_who_never_comes(
    stack: Stack, ended: pb.CreateMatchResponse
) -> None:
    _, ann, omar = (player_of(stack, ended, seat) for seat in range(3))
    first = await ann.call("Rematch", again(ended.match.match_id))
    starting = lobby.StartMatchRequest(match_id=first.match.match_id)
    own = stack.player(first.tokens[0].token)
    assert (await own.refused("StartMatch", starting)).reason == "NOT_FULL", "nobody plays alone"
    await omar.call("Rematch", again(ended.match.match_id))
    started = (await own.call("StartMatch", starting)).match
    assert (started.version, [seat.player for seat in started.seats]) == (1, ["ann", "omar"])


# ── a new match that follows ───────────────────────────────────────────────────────────────────────


def following(match_id: str, seats: int = 2, **more: Any) -> pb.CreateMatchRequest:
    return pb.CreateMatchRequest(
        game="river_dragons", seats=seats, open_seats=True, rematch_of=match_id, **more
    )


async def test_a_match_says_which_one_follows_once_it_is_over(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    match_id = ended.match.match_id
    assert (await tenant.get(match_id)).next_match_id == ""
    made = (await tenant.call("CreateMatch", following(match_id))).match
    assert (made.rematch_of, made.status) == (match_id, match_pb2.MATCH_STATUS_WAITING)
    assert (await player_of(stack, ended, 1).get(match_id)).next_match_id == made.match_id

    running = (await tenant.create(2)).match.match_id
    made = (await tenant.call("CreateMatch", following(running))).match
    assert (await tenant.get(running)).next_match_id == ""
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=running, seat=0))
    assert (await tenant.get(running)).next_match_id == made.match_id


async def test_one_match_follows_however_it_is_asked_for(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    match_id = ended.match.match_id
    first = await tenant.call("CreateMatch", following(match_id, request_id="after"))
    for asked in (following(match_id, 4), following(match_id, request_id="after")):
        assert (await tenant.call("CreateMatch", asked)).match.match_id == first.match.match_id
    omar = await player_of(stack, ended, 2).call("Rematch", again(match_id))
    assert (omar.match.match_id, omar.tokens[0].seat) == (first.match.match_id, 1)
    reused = pb.CreateMatchRequest(game="river_dragons", seats=2, open_seats=True, request_id="after")
    assert (await tenant.refused("CreateMatch", reused)).reason == "REQUEST_ID_REUSED"


async def test_what_follows_is_a_match_of_the_same_tenant_and_game(
    stack: Stack, tenant: Player, ended: pb.CreateMatchResponse
) -> None:
    match_id = ended.match.match_id
    foreign = stack.player("ft_test_two")
    for unknown in ("no match", "0197a4c2-0000-7000-8000-000000000000"):
        assert (await tenant.refused("CreateMatch", following(unknown))).reason == "MATCH_NOT_FOUND"
    assert (await foreign.refused("CreateMatch", following(match_id))).reason == "MATCH_NOT_FOUND"
    other_game = pb.CreateMatchRequest(game="al_rashid", seats=2, rematch_of=match_id)
    assert (await tenant.refused("CreateMatch", other_game)).fields == ["$.rematch_of"]
