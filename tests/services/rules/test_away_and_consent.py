"""Nobody waits for a seat that is away: the server agrees for it to what the others propose, until its player is back."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import Player, Stack

from foldtable.matches.v1 import abort_pb2, clock_pb2, match_pb2, returning_pb2, undo_pb2
from services.movelog.failures import LogUnavailable


async def with_a_seat_away(stack: Stack, tenant: Player, seats: int) -> str:
    """Begin a match in which the last seat is away."""
    clock = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600), away_after=1)
    match_id = (await tenant.create(seats, clock=clock)).match.match_id
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET time_outs = 1 WHERE match_id = $1 AND seat = $2", (UUID(match_id), seats - 1)
        )
    return match_id


async def test_an_abort_is_agreed_to_for_who_is_away(stack: Stack, tenant: Player) -> None:
    match_id = await with_a_seat_away(stack, tenant, 3)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    match = await tenant.get(match_id)
    assert (match.version, match.status) == (3, match_pb2.MATCH_STATUS_RUNNING), (
        "seat 1 is there, and is asked"
    )
    answer = abort_pb2.AnswerAbortRequest(match_id=match_id, seat=1, accept=True, expected_version=3)
    await tenant.call("AnswerAbort", answer)
    assert (await tenant.get(match_id)).outcome.reason == "ABORTED"


async def test_an_undo_is_agreed_to_for_who_is_away(stack: Stack, tenant: Player) -> None:
    match_id = await with_a_seat_away(stack, tenant, 3)
    await tenant.any_move(match_id, 0)
    async with asyncio.timeout(20):
        while (await tenant.get(match_id)).version < 3:  # noqa: ASYNC110 - seat 0 waits, so seat 2 is decided for at once
            await asyncio.sleep(0.05)
    undo = undo_pb2.UndoRequest(match_id=match_id, seat=0, to=1, expected_version=3)
    await tenant.call("Undo", undo)
    answer = undo_pb2.AnswerUndoRequest(match_id=match_id, seat=1, accept=True, expected_version=5)
    await tenant.call("AnswerUndo", answer)
    assert list((await tenant.get(match_id)).to_act) == [0, 1, 2], "the moves are taken back"


@pytest.mark.parametrize("is_back", [False, True])
async def test_who_has_come_back_is_asked_again(stack: Stack, tenant: Player, is_back: bool) -> None:
    match_id = await with_a_seat_away(stack, tenant, 2)
    if is_back:
        await tenant.call("ReturnToSeat", returning_pb2.ReturnToSeatRequest(match_id=match_id, seat=1))
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    expected = match_pb2.MATCH_STATUS_RUNNING if is_back else match_pb2.MATCH_STATUS_ENDED
    assert (await tenant.get(match_id)).status == expected


@pytest.mark.parametrize("lost", ["of", "append"])
async def test_a_proposal_stands_where_the_database_is_lost_before_it_is_agreed_to(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Who is away is looked up, then agreed for: both after the proposal was written, which is what is answered."""
    match_id = await with_a_seat_away(stack, tenant, 2)
    log = stack.logs[0]
    append, of = log.append, log.clocks.of
    written = read = 0

    async def append_once(*arguments: Any, **more: Any) -> Any:
        nonlocal written
        written += 1
        if written > 1 and lost == "append":
            raise LogUnavailable("the connection broke")
        return await append(*arguments, **more)

    async def of_nobody(*arguments: Any) -> Any:
        nonlocal read
        read += written > 0
        if read == 2 and lost == "of":  # the first time it is read for the answer
            raise LogUnavailable("the connection broke")
        return await of(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(log, "append", append_once)
        patch.setattr(log.clocks, "of", of_nobody)
        asked = abort_pb2.AbortMatchRequest(match_id=match_id, seat=0)
        assert (await tenant.call("AbortMatch", asked)).result.version == 2
    assert (written, read) == (2 if lost == "append" else 1, 2)
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_RUNNING
    answer = abort_pb2.AnswerAbortRequest(match_id=match_id, seat=1, accept=True, expected_version=2)
    await tenant.call("AnswerAbort", answer)
    assert (await tenant.get(match_id)).outcome.reason == "ABORTED"
