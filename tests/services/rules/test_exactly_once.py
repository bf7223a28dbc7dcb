"""A move counts once, in one place, whoever repeats it and through whichever replica."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import grpc
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import abort_pb2, match_pb2, undo_pb2
from foldtable.matches.v1 import match_service_pb2 as pb

MoverOf = Callable[..., Awaitable[Player]]


@pytest.fixture(params=["the tenant, unary", "the tenant", "the seat"])
def mover_of(request: pytest.FixtureRequest, stack: Stack) -> MoverOf:
    """Who moves for a seat: the tenant with its key, or the holder of the seat's token, whose moves wait for nothing but their commit."""

    async def mover(created: pb.CreateMatchResponse, seat: int = 0, *, address: str = "") -> Player:
        if request.param == "the seat":
            return await stack.seated(created, seat, address=address)
        return stack.player(address=address, unary=request.param == "the tenant, unary")

    return mover


async def all_but_last_program(tenant: Player, match: match_pb2.Match) -> None:
    for seat in range(1, len(match.seats)):
        await tenant.any_move(match.match_id, seat)


async def test_the_same_request_id_twice_is_one_move_and_one_answer(
    tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(3)
    match, mover = created.match, await mover_of(created)
    request = act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id=str(uuid4()))
    first = await mover.call("Act", request)
    again = await mover.call("Act", request)
    assert (first.version, first.replayed) == (2, False)
    assert again.replayed
    again.replayed = False
    assert again == first
    assert (await tenant.get(match.match_id)).version == 2


async def test_a_repeat_gets_its_first_answer_even_when_the_match_has_moved_on(
    tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(2)
    match, mover = created.match, await mover_of(created)
    request = act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id="first")
    first = await mover.call("Act", request)
    await tenant.any_move(match.match_id, 1)
    again = await mover.call("Act", request)
    assert (again.version, again.to_act, again.events) == (first.version, first.to_act, first.events)


async def test_a_repeat_through_another_replica_is_recognised(
    stack: Stack, tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(2)
    match, mover = created.match, await mover_of(created)
    other = await mover_of(created, address=await stack.serve())
    await other.view(match.match_id)  # the other replica folds the match before the move
    request = act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id="once")
    first = await mover.call("Act", request)
    again = await other.call("Act", request)
    assert again.replayed
    assert again.version == first.version
    assert (await other.get(match.match_id)).version == 2


async def test_thirty_two_repeats_at_once_are_one_move(
    stack: Stack, tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(2)
    match, mover = created.match, await mover_of(created)
    other = await mover_of(created, address=await stack.serve())
    request = act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id="storm")
    answers = await asyncio.gather(*((mover, other)[n % 2].call("Act", request) for n in range(32)))
    assert {answer.version for answer in answers} == {2}
    assert sum(not answer.replayed for answer in answers) == 1


async def test_the_same_request_id_with_another_move_is_refused(tenant: Player, mover_of: MoverOf) -> None:
    created = await tenant.create(2)
    match, mover = created.match, await mover_of(created)
    await mover.call("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id="id"))
    other_cards = program("move1", "stone1", "stone2", "plank1", "jump")
    refusal = await mover.refused("Act", act(match.match_id, other_cards, 1, seat=0, request_id="id"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")


async def the_same_of_another_seat(tenant: Player, what: str) -> tuple[str, Any, Any]:
    """Return a method and two requests that differ in the seat alone, both of them allowed at the same time."""
    match_id = (await tenant.create(3)).match.match_id
    if what == "Act":
        return what, *(act(match_id, program(*FIVE_CARDS), 1, seat=seat, request_id="id") for seat in (0, 1))
    if what == "ResignSeat":
        return what, *(pb.ResignSeatRequest(match_id=match_id, seat=seat, request_id="id") for seat in (0, 1))
    if what == "AbortMatch":
        return what, *(
            abort_pb2.AbortMatchRequest(match_id=match_id, seat=seat, request_id="id") for seat in (0, 1)
        )
    if what == "AnswerAbort":
        await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=2))
        accept = {"match_id": match_id, "accept": True, "request_id": "id"}
        return what, *(
            abort_pb2.AnswerAbortRequest(seat=seat, expected_version=2 + seat, **accept) for seat in (0, 1)
        )
    for seat in range(3):
        await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=seat))
    if what == "Undo":
        return what, *(
            undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=4, seat=seat, request_id="id")
            for seat in (0, 1)
        )
    await tenant.call("Undo", undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=4, seat=2))
    accept = {"match_id": match_id, "accept": True, "request_id": "id"}
    return what, *(
        undo_pb2.AnswerUndoRequest(seat=seat, expected_version=5 + seat, **accept) for seat in (0, 1)
    )


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "at another replica"])
@pytest.mark.parametrize("what", ["Act", "ResignSeat", "AbortMatch", "AnswerAbort", "Undo", "AnswerUndo"])
async def test_the_same_request_of_another_seat_is_another_request(
    stack: Stack, tenant: Player, what: str, elsewhere: bool
) -> None:
    """It is never answered as the first seat was, which would show it what that one may see."""
    method, first, second = await the_same_of_another_seat(tenant, what)
    await tenant.call(method, first)
    other = stack.player(address=await stack.serve()) if elsewhere else tenant
    refusal = await other.refused(method, second)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    if what == "Act":
        dry = act(second.match_id, program(*FIVE_CARDS), 1, seat=1, request_id="id", dry_run=True)
        assert (await other.refused("Act", dry)).reason == "REQUEST_ID_REUSED"


async def test_a_seat_s_request_is_none_of_the_tenant_s_own(tenant: Player) -> None:
    """Nobody's request, the tenant's, is not that of seat 0 either."""
    match_id = (await tenant.create(3)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0, request_id="id"))
    own = abort_pb2.AbortMatchRequest(match_id=match_id, request_id="id")
    assert (await tenant.refused("AbortMatch", own)).reason == "REQUEST_ID_REUSED"


async def test_of_two_different_moves_at_one_version_one_succeeds_and_the_other_learns_what_changed(
    stack: Stack, tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(2)
    match = created.match
    for seat in (0, 1):
        await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), seat + 1, seat=seat))
    now = await tenant.get(match.match_id)
    (seat,) = now.to_act
    mover, other = await mover_of(created, seat), await mover_of(created, seat, address=await stack.serve())
    await other.view(match.match_id)
    moves = [{"type": "place_stone", "island": island} for island in ("I01", "I02")]
    results = await asyncio.gather(
        *(
            player.call("Act", act(match.match_id, move, now.version, seat=seat))
            for player, move in zip((mover, other), moves, strict=True)
        ),
        return_exceptions=True,
    )
    failures = [one for one in results if isinstance(one, grpc.aio.AioRpcError)]
    assert len(failures) == 1
    refusal = Refusal.of(failures[0])
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    assert refusal.info.metadata["current_version"] == str(now.version + 1)
    assert refusal.standing is not None
    assert refusal.standing.version == now.version + 1


async def test_thirty_two_moves_at_one_version_are_one_success(
    stack: Stack, tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(2)
    match = created.match
    for seat in (0, 1):
        await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), seat + 1, seat=seat))
    now = await tenant.get(match.match_id)
    (seat,) = now.to_act
    mover, other = await mover_of(created, seat), await mover_of(created, seat, address=await stack.serve())
    moves = [{"type": "place_stone", "island": f"I{1 + n % 27:02}"} for n in range(32)]
    results = await asyncio.gather(
        *(
            (mover, other)[n % 2].call("Act", act(match.match_id, move, now.version, seat=seat))
            for n, move in enumerate(moves)
        ),
        return_exceptions=True,
    )
    assert sum(not isinstance(one, Exception) for one in results) == 1
    assert {Refusal.of(one).reason for one in results if isinstance(one, Exception)} == {"VERSION_CONFLICT"}
    assert (await tenant.get(match.match_id)).version == now.version + 1


@pytest.mark.parametrize("replicas", [1, 2])
async def test_all_six_seats_submit_their_programs_at_once_and_all_succeed(
    stack: Stack, tenant: Player, mover_of: MoverOf, replicas: int
) -> None:
    created = await tenant.create(6)
    match = created.match
    addresses = ["", *[await stack.serve() for _ in range(replicas - 1)]]
    movers = [await mover_of(created, seat, address=addresses[seat % replicas]) for seat in range(6)]
    answers = await asyncio.gather(
        *(
            movers[seat].call("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=seat))
            for seat in range(6)
        )
    )
    assert sorted(answer.version for answer in answers) == [2, 3, 4, 5, 6, 7]


async def test_a_seat_cannot_commit_twice_by_repeating_without_a_request_id(
    tenant: Player, mover_of: MoverOf
) -> None:
    created = await tenant.create(3)
    match, mover = created.match, await mover_of(created)
    await mover.call("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0))
    refusal = await mover.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0))
    assert refusal.reason in {"VERSION_CONFLICT", "PROGRAM_SUBMITTED", "ALREADY_SUBMITTED", "NOT_YOUR_TURN"}
    assert (await tenant.get(match.match_id)).version == 2


async def test_no_request_id_of_a_client_is_taken_by_the_start(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    accepted = await tenant.call(
        "Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0, request_id="start")
    )
    assert accepted.version == 2


async def test_the_same_creation_with_other_players_is_another_request(tenant: Player) -> None:
    await tenant.create(2, request_id="table 8", players=["Ruth"])
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await tenant.create(2, request_id="table 8", players=["Omar"])
    assert Refusal.of(failure.value).reason == "REQUEST_ID_REUSED"


async def test_a_match_is_created_once_per_request_id(tenant: Player) -> None:
    first = await tenant.create(2, request_id="table 7")
    again = await tenant.create(2, request_id="table 7")
    assert again.match.match_id == first.match.match_id
    refusal = None
    try:
        await tenant.create(3, request_id="table 7")
    except grpc.aio.AioRpcError as error:
        refusal = Refusal.of(error)
    assert refusal is not None
    assert refusal.reason == "REQUEST_ID_REUSED"
