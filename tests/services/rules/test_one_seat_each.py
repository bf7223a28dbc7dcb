"""A player gets one seat of a match however often it is asked for, also at once and at two servers, and waits in so many matches only."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from uuid import uuid4

import grpc
import pytest
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import lobby_pb2, match_pb2, player_session_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.rules.seats.waiting_seats import MAX_WAITING

PUBLIC = match_pb2.MATCH_VISIBILITY_PUBLIC
OPEN = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)


@pytest.fixture
async def servers(stack: Stack, tenant: Player) -> tuple[Player, Player]:
    """The tenant at two servers."""
    return tenant, stack.player(address=await stack.serve())


async def session_of(tenant: Player, stack: Stack, player: str, *addresses: str) -> list[Player]:
    asked = player_session_pb2.CreatePlayerSessionRequest(player=player)
    token = (await tenant.call("CreatePlayerSession", asked)).token
    return [stack.player(token, address=address) for address in addresses]


def join(match_id: str, player: str = "ada", **more: Any) -> pb.JoinMatchRequest:
    return pb.JoinMatchRequest(match_id=match_id, player=player, **more)


async def at_once(*calls: Any) -> tuple[list[Any], list[Refusal]]:
    """Return the answers and the refusals of requests that are sent together."""
    done = await asyncio.gather(*calls, return_exceptions=True)
    refusals = [Refusal.of(one) for one in done if isinstance(one, grpc.aio.AioRpcError)]
    answers = [one for one in done if not isinstance(one, BaseException)]
    assert len(answers) + len(refusals) == len(done), done
    return answers, refusals


def seats_of(match: match_pb2.Match, player: str) -> list[int]:
    return [seat.seat for seat in match.seats if seat.player == player]


async def account_of(stack: Stack, match_id: str, seat: int) -> str:
    """Return the account whose rate limits the tokens of a seat use."""
    async with stack.logs[0].pool.connection() as connection:
        asked = "SELECT account FROM seats WHERE match_id = $1::text::uuid AND seat = $2::int"
        row = await (await connection.execute(asked, (match_id, seat))).fetchone()
    assert row is not None
    return str(row[0])


# ── one seat ───────────────────────────────────────────────────────────────────────────────────────


async def test_a_double_click_on_join_gives_one_seat(tenant: Player, servers: tuple[Player, Player]) -> None:
    match_id = (await tenant.create(4, open_seats=True)).match.match_id
    answers, refusals = await at_once(
        *(server.call("JoinMatch", join(match_id)) for server in servers for _ in range(3))
    )
    (joined,) = answers
    assert {one.reason for one in refusals} == {"NOT_JOINABLE"}
    assert {one.info.metadata["seat"] for one in refusals} == {str(joined.token.seat)}
    assert len(seats_of(await tenant.get(match_id), "ada")) == 1


async def test_the_same_request_sent_at_once_gets_the_same_seat(
    tenant: Player, servers: tuple[Player, Player]
) -> None:
    match_id = (await tenant.create(4, open_seats=True)).match.match_id
    asked = join(match_id, request_id=str(uuid4()))
    answers, refusals = await at_once(
        *(server.call("JoinMatch", asked) for server in servers for _ in range(3))
    )
    assert not refusals
    assert {answer.token.seat for answer in answers} == {0}
    assert seats_of(await tenant.get(match_id), "ada") == [0]


async def test_a_session_that_repeats_its_request_at_once_gets_the_same_seat(
    stack: Stack, tenant: Player, servers: tuple[Player, Player]
) -> None:
    match_id = (await tenant.create(4, open_seats=True, visibility=PUBLIC)).match.match_id
    ada = await session_of(tenant, stack, "ada", *stack.addresses)
    asked = join(match_id, "", request_id=str(uuid4()))
    answers, refusals = await at_once(*(one.call("JoinMatch", asked) for one in ada for _ in range(3)))
    assert not refusals
    assert {answer.token.seat for answer in answers} == {0}


async def test_a_tenant_that_names_the_seat_may_hand_out_several(tenant: Player) -> None:
    match_id = (await tenant.create(4, open_seats=True)).match.match_id
    await tenant.call("JoinMatch", join(match_id))
    await tenant.call("JoinMatch", join(match_id, seat=2))
    assert seats_of(await tenant.get(match_id), "ada") == [0, 2]
    assert (await tenant.refused("JoinMatch", join(match_id))).reason == "NOT_JOINABLE"


async def test_players_without_an_id_are_not_told_apart(tenant: Player) -> None:
    match_id = (await tenant.create(3, open_seats=True)).match.match_id
    for seat in range(2):
        joined = await tenant.call("JoinMatch", join(match_id, ""))
        assert joined.token.seat == seat


async def test_an_invite_gives_no_second_seat(stack: Stack, tenant: Player) -> None:
    invited = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player="ada")
    created = await tenant.create(3, seating=[OPEN, invited, OPEN])
    match_id = created.match.match_id
    await tenant.call("JoinMatch", join(match_id))
    holder = stack.player(created.invites[0].token)
    refusal = await holder.refused("JoinMatch", join(match_id, ""))
    assert (refusal.reason, refusal.info.metadata["seat"]) == ("NOT_JOINABLE", "0")


async def test_an_invite_that_was_used_says_so_as_before(stack: Stack, tenant: Player) -> None:
    invited = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_INVITED, player="ada")
    created = await tenant.create(3, seating=[OPEN, invited, OPEN])
    holder = stack.player(created.invites[0].token)
    await holder.call("JoinMatch", join(created.match.match_id, ""))
    assert (await holder.refused("JoinMatch", join(created.match.match_id, ""))).reason == "SEAT_TAKEN"


async def test_joining_and_quick_joining_at_once_give_one_seat_of_a_match(
    tenant: Player, servers: tuple[Player, Player]
) -> None:
    """Only one public match waits, so whoever comes second finds none."""
    match_id = (await tenant.create(4, open_seats=True, visibility=PUBLIC)).match.match_id
    quick = lobby_pb2.QuickJoinRequest(game="river_dragons", player="ada")
    _, refusals = await at_once(
        *(server.call("JoinMatch", join(match_id)) for server in servers for _ in range(2)),
        *(server.call("QuickJoin", quick) for server in servers for _ in range(2)),
    )
    assert {one.reason for one in refusals} <= {"NOT_JOINABLE", "NO_OPEN_MATCH"}
    assert len(refusals) == 7
    assert len(seats_of(await tenant.get(match_id), "ada")) == 1


# ── a rematch ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_seat_taken_again_in_a_rematch_is_its_players_again(stack: Stack, tenant: Player) -> None:
    seating = [
        lobby_pb2.SeatPlan(player="ada", name="Ada", data=b'{"colour":"teal"}'),
        lobby_pb2.SeatPlan(player="bob", name="Bob"),
    ]
    created = await tenant.create(2, seating=seating)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=created.match.match_id, seat=0))
    again = lobby_pb2.RematchRequest(match_id=created.match.match_id)
    ada, _ = (stack.player(given.token) for given in created.tokens)
    first = await ada.call("Rematch", again)
    before = first.match.seats[1]
    with_new_token = stack.player(first.tokens[0].token)
    await with_new_token.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=first.match.match_id))
    assert (await tenant.get(first.match.match_id)).seats[1].player == ""

    second = await ada.call("Rematch", again)
    assert second.match.match_id == first.match.match_id
    assert second.match.seats[1] == before
    assert (before.player, before.name, before.data) == ("ada", "Ada", b'{"colour":"teal"}')
    assert [given.seat for given in second.tokens] == [1]


async def test_a_seat_taken_again_counts_against_the_same_account(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2, players=["ada", "bob"])
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=created.match.match_id, seat=0))
    ada = stack.player(created.tokens[0].token)
    again = lobby_pb2.RematchRequest(match_id=created.match.match_id)
    first = await ada.call("Rematch", again)
    account = await account_of(stack, first.match.match_id, 1)
    leaving = stack.player(first.tokens[0].token)
    await leaving.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=first.match.match_id))
    second = await ada.call("Rematch", again)
    assert second.tokens[0].seat == 1
    assert await account_of(stack, first.match.match_id, 1) == account != ""


async def test_who_had_one_seat_gets_one_in_the_rematch(stack: Stack, tenant: Player) -> None:
    """Ada gives her seat of the rematch up, and is given another one."""
    created = await tenant.create(3, players=["ada", "bob", "carl"])
    for seat in (0, 1):
        await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=created.match.match_id, seat=seat))
    again = lobby_pb2.RematchRequest(match_id=created.match.match_id)
    ada, bob = (stack.player(given.token) for given in created.tokens[:2])
    match_id = (await ada.call("Rematch", again)).match.match_id
    await bob.call("Rematch", again)
    for seat in (2, 0):
        await tenant.call("LeaveMatch", lobby_pb2.LeaveMatchRequest(match_id=match_id, seat=seat))
    await tenant.call("JoinMatch", join(match_id, seat=0))
    refusal = await ada.refused("Rematch", again)
    assert (refusal.reason, refusal.info.metadata["seat"]) == ("NOT_JOINABLE", "0")


# ── waiting matches ────────────────────────────────────────────────────────────────────────────────


async def test_no_rush_makes_a_player_wait_in_more_matches_than_may_be(
    stack: Stack, tenant: Player, servers: tuple[Player, Player]
) -> None:
    ada = await session_of(tenant, stack, "ada", *stack.addresses)
    for _ in range(MAX_WAITING - 5):
        await ada[0].create(2)
    public = [(await tenant.create(2, open_seats=True, visibility=PUBLIC)).match.match_id for _ in range(8)]
    quick = lobby_pb2.QuickJoinRequest(game="river_dragons", create_if_none=True)
    answers, refusals = await at_once(
        *(one.call("JoinMatch", join(match_id, "")) for one in ada for match_id in public),
        *(one.create(2) for one in ada for _ in range(6)),
        *(one.call("QuickJoin", quick) for one in ada for _ in range(4)),
    )
    reasons = Counter(one.reason for one in refusals)
    assert reasons["TOO_MANY_WAITING"] > 0
    assert set(reasons) <= {"TOO_MANY_WAITING", "NOT_JOINABLE"}
    assert len(answers) == 5
    async with stack.logs[0].pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT count(*) FROM seats WHERE player = 'ada' AND state = 'taken'"
        )
        assert await cursor.fetchone() == (MAX_WAITING,)


async def test_a_repeat_is_answered_when_no_more_may_wait(stack: Stack, tenant: Player) -> None:
    (ada,) = await session_of(tenant, stack, "ada", stack.address)
    public = (await tenant.create(2, open_seats=True, visibility=PUBLIC)).match.match_id
    joined = join(public, "", request_id="joined")
    quick = lobby_pb2.QuickJoinRequest(game="river_dragons", create_if_none=True, request_id="quick")
    first = await ada.call("JoinMatch", joined)
    quickly = await ada.call("QuickJoin", quick)
    made = await ada.create(2, request_id="made")
    for _ in range(MAX_WAITING - 3):
        await ada.create(2)
    assert (
        await ada.refused("CreateMatch", pb.CreateMatchRequest(game="river_dragons", seats=2))
    ).reason == ("TOO_MANY_WAITING")
    assert (await ada.call("JoinMatch", joined)).token.seat == first.token.seat
    assert (await ada.call("QuickJoin", quick)).match.match_id == quickly.match.match_id
    assert (await ada.create(2, request_id="made")).match.match_id == made.match.match_id
    other = pb.CreateMatchRequest(game="river_dragons", seats=3, request_id="made")
    assert (await ada.refused("CreateMatch", other)).reason == "REQUEST_ID_REUSED"
