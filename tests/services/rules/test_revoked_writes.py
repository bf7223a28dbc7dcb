"""Whatever a seat's token may write, it writes nothing once it was revoked, at a replica that has not heard of it either."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import grpc
import psycopg
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from foldtable.matches.v1 import (
    abort_pb2,
    bots_pb2,
    clock_pb2,
    fork_pb2,
    match_pb2,
    returning_pb2,
    undo_pb2,
)
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_service_pb2 as pb

SEAT: Final = 1
"""Whose token is used."""
ROWS: Final = """
SELECT (SELECT array_agg(version ORDER BY id) FROM matches), (SELECT count(*) FROM moves),
       (SELECT array_agg((seat, state, player, name, bot, convert_from(data, 'UTF8')) ORDER BY match_id, seat)::text FROM seats)
"""
"""All that a seat's token may change, but for what a revocation changes."""


@dataclass
class Scene:
    """Somebody with a seat's token, about to change something."""

    match_id: str
    token: str
    method: str
    request: Any


async def running(tenant: Player, **more: Any) -> tuple[str, str]:
    created = await tenant.create(2, **more)
    return created.match.match_id, created.tokens[SEAT].token


async def submitted(tenant: Player, match_id: str, *seats: int) -> None:
    for seat in seats:
        await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=seat))


async def waiting(tenant: Player, **more: Any) -> tuple[str, str]:
    match_id = (await tenant.create(3, open_seats=True, **more)).match.match_id
    joined = [await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id)) for _ in range(2)]
    return match_id, joined[SEAT].token.token


async def moves(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    return Scene(match_id, token, "Act", act(match_id, program(*FIVE_CARDS), 1))


async def resigns(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    return Scene(match_id, token, "ResignSeat", pb.ResignSeatRequest(match_id=match_id))


async def undoes(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await submitted(tenant, match_id, SEAT)
    request = undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=2)
    return Scene(match_id, token, "Undo", request)


async def redoes(tenant: Player, stack: Stack) -> Scene:
    scene = await undoes(tenant, stack)
    await tenant.call(
        "Undo", undo_pb2.UndoRequest(match_id=scene.match_id, to=1, expected_version=2, seat=SEAT)
    )
    request = undo_pb2.RedoRequest(match_id=scene.match_id, expected_version=3)
    return Scene(scene.match_id, scene.token, "Redo", request)


async def proposes_an_undo(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await submitted(tenant, match_id, SEAT, 0)
    request = undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=3)
    return Scene(match_id, token, "Undo", request)


async def answers_an_undo(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await submitted(tenant, match_id, 0, SEAT)
    await tenant.call("Undo", undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=3, seat=0))
    request = undo_pb2.AnswerUndoRequest(match_id=match_id, accept=True, expected_version=4)
    return Scene(match_id, token, "AnswerUndo", request)


async def proposes_an_abort(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    return Scene(match_id, token, "AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))


async def answers_an_abort(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    request = abort_pb2.AnswerAbortRequest(match_id=match_id, accept=True, expected_version=2)
    return Scene(match_id, token, "AnswerAbort", request)


async def moves_by_the_clock(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant, clock=clock())
    return Scene(match_id, token, "Act", act(match_id, program(*FIVE_CARDS), 1))


async def comes_back(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant, clock=clock(away_after=1))
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET time_outs = 1 WHERE match_id = $1 AND seat = $2", (UUID(match_id), SEAT)
        )
    request = returning_pb2.ReturnToSeatRequest(match_id=match_id)
    return Scene(match_id, token, "ReturnToSeat", request)


async def says_a_name(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    request = lobby.UpdateSeatRequest(match_id=match_id, name="Mallory", data=b'{"color":"red"}')
    return Scene(match_id, token, "UpdateSeat", request)


async def takes_its_seat_from_a_bot(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await tenant.call("SeatBot", bots_pb2.SeatBotRequest(match_id=match_id, seat=SEAT, bot="mine"))
    return Scene(match_id, token, "UnseatBot", bots_pb2.UnseatBotRequest(match_id=match_id))


async def leaves(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await waiting(tenant)
    return Scene(match_id, token, "LeaveMatch", lobby.LeaveMatchRequest(match_id=match_id))


async def starts(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await waiting(tenant, start=match_pb2.START_RULE_ON_DEMAND)
    return Scene(match_id, token, "StartMatch", lobby.StartMatchRequest(match_id=match_id))


async def plays_again(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    return Scene(match_id, token, "Rematch", lobby.RematchRequest(match_id=match_id))


async def takes_its_seat_at_the_rematch(tenant: Player, stack: Stack) -> Scene:
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    request = lobby.RematchRequest(match_id=match_id)
    await stack.player(created.tokens[0].token).call("Rematch", request)
    return Scene(match_id, created.tokens[SEAT].token, "Rematch", request)


async def forks(tenant: Player, stack: Stack) -> Scene:
    match_id, token = await running(tenant)
    return Scene(match_id, token, "ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))


def clock(**more: Any) -> clock_pb2.Clock:
    return clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600), **more)


SCENES: Final[tuple[Callable[[Player, Stack], Awaitable[Scene]], ...]] = (
    moves,
    moves_by_the_clock,
    resigns,
    undoes,
    redoes,
    proposes_an_undo,
    answers_an_undo,
    proposes_an_abort,
    answers_an_abort,
    comes_back,
    says_a_name,
    takes_its_seat_from_a_bot,
    leaves,
    starts,
    plays_again,
    takes_its_seat_at_the_rematch,
    forks,
)
"""All that permissions.may_change lets a seat do, and the fork, which whoever may look may make."""


async def a_deaf_replica(stack: Stack) -> str:
    """Start another replica, which no word of what happens elsewhere reaches."""
    address = await stack.serve()
    await stack.logs[-1]._receiver.close()
    return address


def rows(stack: Stack) -> Any:
    with psycopg.connect(stack.database_url) as connection:
        return connection.execute(ROWS).fetchone()


def revoke(match_id: str, seat: int = SEAT) -> lobby.RevokeSeatTokensRequest:
    return lobby.RevokeSeatTokensRequest(match_id=match_id, seat=seat)


@pytest.mark.parametrize("set_up", SCENES, ids=lambda scene: scene.__name__)
async def test_a_revoked_token_changes_nothing_where_nobody_has_heard_of_it(
    stack: Stack, tenant: Player, set_up: Callable[[Player, Stack], Awaitable[Scene]]
) -> None:
    address = await a_deaf_replica(stack)
    for revoked in (True, False):
        scene = await set_up(tenant, stack)
        player = stack.player(scene.token, address=address)
        await player.moves(scene.match_id)  # so that this replica has looked at the token
        if revoked:
            await tenant.call("RevokeSeatTokens", revoke(scene.match_id))
        before = rows(stack)
        if revoked:
            refusal = await player.refused(scene.method, scene.request)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")
            assert refusal.standing is None
            assert rows(stack) == before
        else:
            await player.call(scene.method, scene.request)
            assert rows(stack) != before, "else the refusal says nothing"


@pytest.mark.parametrize(
    "set_up", [starts, plays_again, takes_its_seat_from_a_bot, forks], ids=lambda scene: scene.__name__
)
async def test_a_revoked_token_is_given_nothing_for_what_was_done_before(
    stack: Stack, tenant: Player, set_up: Callable[[Player, Stack], Awaitable[Scene]]
) -> None:
    """To do it again would change nothing, so no write is refused; but who does it is given fresh tokens."""
    scene = await set_up(tenant, stack)
    if set_up is forks:
        scene.request.request_id = "once"
    player = stack.player(scene.token, address=await a_deaf_replica(stack))
    for _ in range(2):
        await player.call(scene.method, scene.request)
    await tenant.call("RevokeSeatTokens", revoke(scene.match_id))
    refusal = await player.refused(scene.method, scene.request)
    assert (scene.method, refusal.reason) == (scene.method, "SEAT_FORBIDDEN")


async def test_of_a_revocation_the_other_seats_notice_nothing(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    other = stack.player(created.tokens[0].token, address=await a_deaf_replica(stack))
    await other.view(match_id)
    await tenant.call("RevokeSeatTokens", revoke(match_id))
    assert (await other.call("Act", act(match_id, program(*FIVE_CARDS), 1))).version == 2


async def test_a_repeat_is_not_answered_once_its_token_is_revoked(stack: Stack, tenant: Player) -> None:
    match_id, token = await running(tenant)
    player = stack.player(token, address=await a_deaf_replica(stack))
    request = act(match_id, program(*FIVE_CARDS), 1, request_id="once")
    assert not (await player.call("Act", request)).replayed
    assert (await player.call("Act", request)).replayed
    await tenant.call("RevokeSeatTokens", revoke(match_id))
    assert (await player.refused("Act", request)).reason == "SEAT_FORBIDDEN"


async def test_a_fresh_token_is_good_at_once_where_nobody_has_heard_why_there_is_one(
    stack: Stack, tenant: Player
) -> None:
    match_id, token = await running(tenant)
    address = await a_deaf_replica(stack)
    await stack.player(token, address=address).view(match_id)
    await tenant.call("RevokeSeatTokens", revoke(match_id))
    minted = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match_id, seat=SEAT))
    fresh = stack.player(minted.token.token, address=address)
    assert (await fresh.view(match_id)).audience.seat == SEAT
    await tenant.call("RevokeWatchTokens", lobby.RevokeWatchTokensRequest(match_id=match_id))
    watching = lobby.IssueWatchTokenRequest(match_id=match_id, role=lobby.WATCH_ROLE_SPECTATOR)
    watcher = (await tenant.call("IssueWatchToken", watching)).token.token
    assert (await stack.player(watcher, address=address).view(match_id)).version == 1


async def test_a_revoked_watcher_forks_nothing_where_nobody_has_heard_of_it(
    stack: Stack, tenant: Player
) -> None:
    match_id, _ = await running(tenant)
    watching = lobby.IssueWatchTokenRequest(match_id=match_id, role=lobby.WATCH_ROLE_REFEREE)
    watcher = (await tenant.call("IssueWatchToken", watching)).token.token
    player = stack.player(watcher, address=await a_deaf_replica(stack))
    await player.view(match_id)
    await tenant.call("RevokeWatchTokens", lobby.RevokeWatchTokensRequest(match_id=match_id))
    before = rows(stack)
    assert (
        await player.refused("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))
    ).reason == "SEAT_FORBIDDEN"
    assert rows(stack) == before
