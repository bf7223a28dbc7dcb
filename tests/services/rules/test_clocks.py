"""Clocks over gRPC: what is told of them, what a late player hears, who is away and comes back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.kernel import seats
from engine.match.commands import AnswerUndo, Redo, ReturnToSeat, Undo
from engine.match.requests import Resign
from foldtable.matches.v1 import (
    bots_pb2,
    clock_pb2,
    lobby_pb2,
    match_pb2,
    match_service_pb2,
    returning_pb2,
    undo_pb2,
)
from foldtable.rules.v1 import table_pb2
from services.cli.replay.recorded_match import recorded
from services.cli.replay.words import heading
from services.movelog.clocks import Cause, Tick
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.rules.match.timekeeping import tick_between

REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)
HOUR = timedelta(hours=1)


def clock(seconds: int = 3600, **more: Any) -> clock_pb2.Clock:
    return clock_pb2.Clock(
        **{"kind": clock_pb2.CLOCK_KIND_PER_MOVE, "time": Duration(seconds=seconds), **more}
    )


async def dragons(tenant: Player, seats: int = 2, **more: Any) -> match_pb2.Match:
    return (await tenant.create(seats, **{"clock": clock(), **more})).match


async def let_pass(stack: Stack, match_id: str, *seats: int, time: timedelta = HOUR) -> None:
    """Let time go by for some seats of a match."""
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET deadline_at = deadline_at - $1::interval "
            "WHERE match_id = $2 AND seat = ANY ($3::int2[])",
            (time, UUID(match_id), list(seats)),
        )


async def until(tenant: Player, match_id: str, version: int) -> match_pb2.Match:
    for _ in range(200):
        if (match := await tenant.get(match_id)).version >= version:
            return match
        await asyncio.sleep(0.02)
    raise AssertionError(f"version {match.version}, not {version}")


def come_back(match_id: str, seat: int, **more: Any) -> returning_pb2.ReturnToSeatRequest:
    return returning_pb2.ReturnToSeatRequest(match_id=match_id, seat=seat, **more)


def running(clocks: clock_pb2.Clocks) -> list[int]:
    return [one.seat for one in clocks.seats if one.HasField("deadline")]


async def test_the_deadlines_stand_wherever_a_player_looks(tenant: Player) -> None:
    match = await dragons(tenant)
    assert match.clock.time.seconds == 3600
    assert match.clock.away_after == 2
    assert running(match.clocks) == [0, 1], "both decide in secret"
    moved = await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=0))
    assert running(moved.clocks) == [1]
    seen = await tenant.view(match.match_id)
    legal = await tenant.legal(match.match_id, seat=1)
    listed = (await tenant.moves(match.match_id)).moves
    assert [running(told.clocks) for told in (seen, legal, listed[-1])] == [[1], [1], [1]]
    deadline = legal.clocks.seats[1].deadline
    assert deadline == match.clocks.seats[1].deadline, "another's answer stops nobody else's clock"
    left = legal.clocks.seats[1].left
    assert 3590 <= left.seconds < 3600
    earlier = await tenant.view(match.match_id, at_version=1)
    assert not earlier.HasField("clocks")
    assert not listed[0].HasField("clocks")


async def test_a_subscriber_receives_the_deadlines_with_each_move(tenant: Player) -> None:
    match = await dragons(tenant)
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    stream = tenant.matches.WatchMatch(request, metadata=tenant.metadata, timeout=20)
    snapshot = (await stream.read()).snapshot
    assert running(snapshot.clocks) == [0, 1]
    await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=1))
    assert running((await stream.read()).move.clocks) == [0]
    stream.cancel()


async def test_a_match_without_a_clock_says_nothing_of_one(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    assert not match.HasField("clock")
    assert not match.HasField("clocks")
    refused = await tenant.refused("ReturnToSeat", come_back(match.match_id, 0))
    assert refused.reason == "NOT_AWAY"


async def test_the_system_plays_for_who_is_late_and_everybody_sees_that_it_did(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await dragons(tenant)).match_id
    await let_pass(stack, match_id, 0)
    match = await until(tenant, match_id, 2)
    assert (list(match.to_act), match.clocks.seats[0].time_outs) == ([1], 1)
    public, referee = [
        (await tenant.moves(match_id, audience=audience)).moves[1]
        for audience in (table_pb2.Audience(kind=table_pb2.Audience.KIND_PUBLIC), REFEREE)
    ]
    assert (public.timed_out, public.seat, public.HasField("action")) == (True, 0, False)
    asked = msgspec.json.decode(referee.action.json)
    assert asked["type"] == "time_out"
    assert asked["action"]["type"] == "submit_program"


async def test_a_move_after_the_deadline_does_not_count_and_is_refused_as_late(
    stack: Stack, tenant: Player
) -> None:
    """Nobody sweeps here: the log itself refuses."""
    for server in stack.servers:
        await server.stop_sweeping()
    match_id = (await dragons(tenant)).match_id
    await let_pass(stack, match_id, 0)
    refused = await tenant.refused("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert (refused.reason, refused.standing.version) == ("TIME_IS_UP", 1)
    other = await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    assert other.version == 2, "the others play on"


async def test_of_two_late_in_a_row_a_seat_is_away_until_it_comes_back(stack: Stack, tenant: Player) -> None:
    match_id = (await dragons(tenant, seats=3, clock=clock(away_after=1))).match_id
    await let_pass(stack, match_id, 0)
    match = await until(tenant, match_id, 2)
    assert [seat.away for seat in match.clocks.seats] == [True, False, False]
    refused = await tenant.refused("ReturnToSeat", come_back(match_id, 1))
    assert refused.reason == "NOT_AWAY"
    version = 2
    for seat in (1, 2):
        version = (await tenant.any_move(match_id, seat)).version
    while seat := (match := await tenant.get(match_id)).to_act[0] if match.to_act else 0:
        version = (await tenant.any_move(match_id, seat)).version
    returned = await tenant.call("ReturnToSeat", come_back(match_id, 0, request_id="back"))
    assert msgspec.json.decode(returned.result.events.json) == [{"type": "seat_returned", "seat": 0}]
    assert not returned.result.clocks.seats[0].away
    again = await tenant.call("ReturnToSeat", come_back(match_id, 0, request_id="back"))
    assert (again.result.replayed, again.result.version) == (True, returned.result.version)
    assert version < returned.result.version


async def test_a_forfeit_leaves_for_good(stack: Stack, tenant: Player) -> None:
    forfeit = clock(absent=clock_pb2.ABSENT_RULE_FORFEIT)
    match_id = (await dragons(tenant, clock=forfeit)).match_id
    await let_pass(stack, match_id, 1)
    match = await until(tenant, match_id, 2)
    assert match.status == match_pb2.MATCH_STATUS_ENDED
    assert not match.HasField("clocks"), "an ended match has none"
    assert list(match.outcome.winners) == [0]


async def test_a_bot_takes_the_seat_of_who_is_late_and_gives_it_back(stack: Stack, tenant: Player) -> None:
    bot = clock(absent=clock_pb2.ABSENT_RULE_BOT)
    match_id = (await dragons(tenant, clock=bot)).match_id
    await let_pass(stack, match_id, 1)
    await until(tenant, match_id, 2)
    for _ in range(100):
        match = await tenant.get(match_id)
        if match.seats[1].level:
            break
        await asyncio.sleep(0.02)
    assert [(seat.level, seat.taken) for seat in match.seats] == [("", True), ("greedy", True)]
    assert not match.clocks.seats[1].away, "the bot has the time that a player has"
    back = bots_pb2.UnseatBotRequest(match_id=match_id, seat=1)
    assert [seat.level for seat in (await tenant.call("UnseatBot", back)).match.seats] == ["", ""]


async def test_one_time_out_is_one_row_however_many_servers_sweep(stack: Stack, tenant: Player) -> None:
    await stack.serve()
    await stack.serve()
    matches = [(await dragons(tenant)).match_id for _ in range(5)]
    for match_id in matches:
        await let_pass(stack, match_id, 0)
    for match_id in matches:
        await until(tenant, match_id, 2)
    await asyncio.sleep(0.6)  # whoever has not looked yet looks now
    assert [(await tenant.get(match_id)).version for match_id in matches] == [2] * 5


async def test_a_time_out_is_taken_back_with_consent_only_and_checked_with_the_rest(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await dragons(tenant)).match_id
    await let_pass(stack, match_id, 0)
    await until(tenant, match_id, 2)
    told = await tenant.call("GetUndo", undo_pb2.GetUndoRequest(match_id=match_id, seat=0))
    assert (told.free_to, told.obstacle) == (2, "TIMED_OUT")
    asked = undo_pb2.UndoRequest(match_id=match_id, seat=0, to=1, expected_version=2)
    await tenant.call("Undo", asked)
    agreed = undo_pb2.AnswerUndoRequest(match_id=match_id, seat=1, accept=True, expected_version=3)
    answer = (await tenant.call("AnswerUndo", agreed)).result
    assert running(answer.clocks) == [0, 1]
    assert answer.clocks.seats[0].left.seconds > 3590, "with its time, since all agreed"
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 4, seat=0))
    await tenant.call(
        "ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=1, expected_version=5)
    )
    exported = await tenant.call("ExportMatch", match_service_pb2.ExportMatchRequest(match_id=match_id))
    found = verify_document(read_document(exported.document))
    assert (found.ok, found.decided_again, found.difference) == (True, True, "")
    match = recorded(read_document(exported.document))
    assert heading(match, 2, seats.REFEREE, "en").startswith("Time is up for Seat 0. Seat 0 ")


@pytest.mark.parametrize(
    ("asked", "cause"),
    [
        (Undo(to=1), Cause.TURN),
        (AnswerUndo(accept=True), Cause.TURN),
        (Redo(), Cause.REDO),
        (ReturnToSeat(), Cause.RETURN),
        (Resign(), Cause.MOVE),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_request_is_to_the_clocks(asked: Any, cause: Cause) -> None:
    """A redo is not an undo: the decisions it closes are made."""
    assert tick_between((), (), 0, asked) == Tick(cause=cause)


async def test_a_rematch_has_the_same_clock(tenant: Player) -> None:
    match_id = (await dragons(tenant)).match_id
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=1))
    again = await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    assert again.match.clock.time.seconds == 3600


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"kind": clock_pb2.CLOCK_KIND_UNSPECIFIED}, "$.clock.kind"),
        ({"time": Duration(seconds=0)}, "$.clock.time"),
        ({"time": Duration(seconds=1, nanos=1)}, "$.clock.time"),
        ({"time": Duration(seconds=2_592_001)}, "$.clock.time"),
        ({"increment": Duration(seconds=1)}, "$.clock.increment"),
        ({"away_after": 11}, "$.clock.away_after"),
        ({"away_after": -1}, "$.clock.away_after"),
        ({"absent": 9}, "$.clock.absent"),
        ({"abandoned_after": Duration(seconds=0)}, "$.clock.abandoned_after"),
        ({"abandoned_after": Duration(seconds=31_536_001)}, "$.clock.abandoned_after"),
        ({"abandoned_after": Duration(seconds=1, nanos=1)}, "$.clock.abandoned_after"),
        ({"absent": clock_pb2.ABSENT_RULE_BOT, "away_after": 1}, "$.clock.away_after"),
    ],
)
async def test_a_clock_that_cannot_be_is_refused(tenant: Player, wrong: dict[str, Any], field: str) -> None:
    request = match_service_pb2.CreateMatchRequest(game="river_dragons", seats=2, clock=clock(**wrong))
    refused = await tenant.refused("CreateMatch", request)
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", [field])
