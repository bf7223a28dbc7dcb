"""Pauses and added time over gRPC, on two replicas of one log, with and without a clock."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import (
    abort_pb2,
    added_time_pb2,
    bots_pb2,
    clock_pb2,
    fork_pb2,
    match_pb2,
    match_service_pb2,
    pause_pb2,
    undo_pb2,
)
from services.movelog.events import EventType
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document

TENANT, CONSENT = match_pb2.PAUSED_BY_TENANT, match_pb2.PAUSED_BY_CONSENT


def clock(seconds: int = 3600, **more: Any) -> clock_pb2.Clock:
    return clock_pb2.Clock(
        **{"kind": clock_pb2.CLOCK_KIND_PER_MOVE, "time": Duration(seconds=seconds), **more}
    )


BUDGET = clock(kind=clock_pb2.CLOCK_KIND_BUDGET)


@pytest.fixture
async def other(stack: Stack) -> Player:
    """The same platform, at another replica."""
    return stack.player(address=await stack.serve())


def pause(match_id: str, **more: Any) -> pause_pb2.PauseMatchRequest:
    return pause_pb2.PauseMatchRequest(match_id=match_id, **more)


def resume(match_id: str, **more: Any) -> pause_pb2.ResumeMatchRequest:
    return pause_pb2.ResumeMatchRequest(match_id=match_id, **more)


def answer(match_id: str, accept: bool, version: int, seat: int) -> pause_pb2.AnswerPauseRequest:
    return pause_pb2.AnswerPauseRequest(match_id=match_id, accept=accept, expected_version=version, seat=seat)


def add_time(match_id: str, *seats: int, seconds: int = 60, **more: Any) -> added_time_pb2.AddTimeRequest:
    return added_time_pb2.AddTimeRequest(match_id=match_id, seats=seats, seconds=seconds, **more)


def why(refused: Refusal) -> str:
    assert refused.rule is not None
    return {fact.name: fact.text for fact in refused.rule.facts}["reason"]


def events_of(result: Any) -> Any:
    return msgspec.json.decode(result.events.json)


def left(clocks: clock_pb2.Clocks) -> list[int]:
    return [round(one.left.ToTimedelta().total_seconds()) for one in clocks.seats]


def about(seconds: Any) -> Any:
    """Return what a number of seconds, or several, may be some moments later."""
    return pytest.approx(seconds, abs=5)


def running(clocks: clock_pb2.Clocks) -> list[int]:
    return [one.seat for one in clocks.seats if one.HasField("deadline")]


async def let_pass(stack: Stack, match_id: str, time: timedelta) -> None:
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET deadline_at = deadline_at - $1::interval, "
            "remind_at = remind_at - $1::interval WHERE match_id = $2",
            (time, UUID(match_id)),
        )


async def verified(player: Player, match_id: str) -> Any:
    """Give what the export of a match that is over decides again."""
    request = match_service_pb2.ExportMatchRequest(match_id=match_id)
    found = verify_document(read_document(bytes((await player.call("ExportMatch", request)).document)))
    assert found.ok, found.difference
    return found


# ── the tenant ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("clocked", [None, clock(), BUDGET], ids=["no clock", "per move", "budget"])
async def test_the_tenant_pauses_a_match_and_it_goes_on(
    stack: Stack, tenant: Player, other: Player, clocked: clock_pb2.Clock | None
) -> None:
    match_id = (await tenant.create(2, clock=clocked)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    await let_pass(stack, match_id, timedelta(minutes=10))
    paused = (await tenant.call("PauseMatch", pause(match_id, request_id="stop"))).result
    assert events_of(paused) == [{"type": "match_paused", "by": "tenant", "seat": None}]
    assert (list(paused.to_act), paused.status) == ([], match_pb2.MATCH_STATUS_RUNNING)
    again = (await other.call("PauseMatch", pause(match_id, request_id="stop"))).result
    assert (again.replayed, again.version, list(again.to_act)) == (True, 3, [])

    match = await other.get(match_id)
    assert (match.paused_by, match.status, list(match.to_act)) == (
        TENANT,
        match_pb2.MATCH_STATUS_RUNNING,
        [],
    )
    assert running(match.clocks) == []
    seen = await other.view(match_id)
    assert msgspec.json.decode(seen.view.json)["pending"] == []
    assert not (await other.legal(match_id, seat=1)).HasField("pending")
    before = msgspec.json.decode((await other.view(match_id, at_version=2)).view.json)
    assert [one["seat"] for one in before["pending"]] == [1]

    went_on = (await other.call("ResumeMatch", resume(match_id))).result
    assert events_of(went_on) == [{"type": "match_resumed", "seat": None}]
    assert list(went_on.to_act) == [1]
    assert not (await tenant.get(match_id)).HasField("paused_by")
    if clocked is not None:
        assert (running(went_on.clocks), left(went_on.clocks)[1]) == ([1], about(3000)), "what was left"
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 4, seat=1))
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await verified(other, match_id)).decided_again


async def test_nobody_moves_in_a_pause_at_any_replica(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await other.view(match_id)
    await tenant.call("PauseMatch", pause(match_id))
    for player in (other, tenant):
        for method, request, reason in (
            ("Act", act(match_id, program(*FIVE_CARDS), 2, seat=0), "MATCH_PAUSED"),
            ("Act", act(match_id, program(*FIVE_CARDS), 2, seat=0, dry_run=True), "MATCH_PAUSED"),
            ("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0), "VERSION_CONFLICT"),
            (
                "Undo",
                undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=2, seat=0),
                "MATCH_PAUSED",
            ),
            ("PauseMatch", pause(match_id, seat=0), "MATCH_PAUSED"),
            ("ResumeMatch", resume(match_id, seat=0), "PAUSE_NOT_ALLOWED"),
        ):
            assert (await player.refused(method, request)).reason == reason, method
    resigned = match_service_pb2.ResignSeatRequest(match_id=match_id, seat=0)
    assert (await other.call("ResignSeat", resigned)).result.status == match_pb2.MATCH_STATUS_ENDED
    over = await tenant.get(match_id)
    assert (over.status, over.HasField("paused_by")) == (match_pb2.MATCH_STATUS_ENDED, False)
    assert (await tenant.refused("ResumeMatch", resume(match_id))).reason == "MATCH_OVER"
    assert (await verified(tenant, match_id)).decided_again


async def test_a_match_that_has_not_begun_is_not_paused(tenant: Player) -> None:
    match_id = (await tenant.create(3, open_seats=True)).match.match_id
    for method, request in (
        ("PauseMatch", pause(match_id)),
        ("ResumeMatch", resume(match_id)),
        ("AddTime", add_time(match_id, 0)),
    ):
        assert (await tenant.refused(method, request)).reason == "MATCH_NOT_STARTED", method


async def test_nobody_s_time_runs_out_in_a_pause(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, clock=clock(1))).match.match_id
    await tenant.call("PauseMatch", pause(match_id))
    await asyncio.sleep(1.6)
    assert (await tenant.get(match_id)).version == 2, "the server decides for nobody"
    went_on = (await tenant.call("ResumeMatch", resume(match_id))).result
    assert running(went_on.clocks) == [0, 1]
    for _ in range(200):
        if (await tenant.get(match_id)).version >= 4:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the clocks do not run again")


async def test_a_fork_of_a_paused_match_goes_on(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("PauseMatch", pause(match_id))
    forked = await tenant.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))
    assert (list(forked.match.to_act), forked.match.HasField("paused_by")) == ([0, 1], False)


# ── the seats ──────────────────────────────────────────────────────────────────────────────────────


async def test_the_seats_agree_on_a_pause_and_each_of_them_ends_it(
    tenant: Player, other: Player, stack: Stack
) -> None:
    created = await tenant.create(3, undo=match_pb2.UNDO_RULE_NONE)
    match_id = created.match.match_id
    zero, one, two = (stack.player(token.token) for token in created.tokens)
    assert events_of((await zero.call("PauseMatch", pause(match_id))).result) == [
        {"type": "pause_proposed", "seat": 0}
    ]
    seen = (await two.view(match_id)).proposal
    assert (seen.kind, seen.seat, list(seen.waiting)) == (abort_pb2.PROPOSAL_KIND_PAUSE, 0, [1, 2])
    assert (await one.refused("PauseMatch", pause(match_id))).reason == "PROPOSAL_OPEN"
    assert (await one.refused("AnswerPause", answer(match_id, True, 2, 2))).reason == "SEAT_FORBIDDEN"
    without = pause_pb2.AnswerPauseRequest(match_id=match_id, accept=True)
    assert (await one.refused("AnswerPause", without)).reason == "VERSION_REQUIRED"
    await one.call("AnswerPause", answer(match_id, True, 2, 1))
    agreed = (await other.call("AnswerPause", answer(match_id, True, 3, 2))).result
    assert events_of(agreed)[-1] == {"type": "match_paused", "by": "consent", "seat": 0}
    assert (await tenant.get(match_id)).paused_by == CONSENT
    ended = (await two.call("ResumeMatch", resume(match_id))).result
    assert (events_of(ended), list(ended.to_act)) == ([{"type": "match_resumed", "seat": 2}], [0, 1, 2])
    assert (await one.refused("ResumeMatch", resume(match_id))).reason == "NOT_PAUSED"


async def test_one_refusal_or_the_time_limit_ends_the_proposal(tenant: Player) -> None:
    match_id = (await tenant.create(2, undo_timeout=Duration(seconds=1))).match.match_id
    await tenant.call("PauseMatch", pause(match_id, seat=0))
    refused = (await tenant.call("AnswerPause", answer(match_id, False, 2, 1))).result
    assert events_of(refused) == [{"type": "pause_answered", "seat": 1, "accept": False}]
    assert list(refused.to_act) == [0, 1]
    again = await tenant.refused("PauseMatch", pause(match_id, seat=0))
    assert (again.reason, why(again)) == ("PAUSE_NOT_ALLOWED", "REFUSED_BEFORE")
    await tenant.call("PauseMatch", pause(match_id, seat=1))
    while (await tenant.view(match_id)).HasField("proposal"):
        pass
    assert (await tenant.refused("AnswerPause", answer(match_id, True, 4, 0))).reason == "NO_PROPOSAL"


async def test_built_in_bots_agree_to_a_pause(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("SeatBot", bots_pb2.SeatBotRequest(match_id=match_id, seat=1, level="greedy"))
    await tenant.call("PauseMatch", pause(match_id, seat=0))
    assert (await tenant.get(match_id)).paused_by == CONSENT


# ── events ─────────────────────────────────────────────────────────────────────────────────────────


async def test_the_tenant_is_told_of_pauses_and_of_whose_turn_begins_again(
    stack: Stack, tenant: Player
) -> None:
    log = stack.logs[0]
    await log.events.record("one", (EventType.MATCH_PAUSED, EventType.MATCH_RESUMED, EventType.TURN_STARTED))
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("PauseMatch", pause(match_id))
    await tenant.call("ResumeMatch", resume(match_id))
    told = [
        (event.type, event.version, event.seat, event.to_act)
        for _, event in await log.events.read("one", limit=100)
        if str(event.match_id) == match_id and event.version > 1
    ]
    assert told == [
        ("match.paused", 2, None, ()),
        ("match.resumed", 3, None, (0, 1)),
        ("turn.started", 3, 0, (0, 1)),
        ("turn.started", 3, 1, (0, 1)),
    ]


async def test_the_tenant_is_reminded_once_before_a_deadline(stack: Stack, tenant: Player) -> None:
    log = stack.logs[0]
    await log.events.record("one", (EventType.DEADLINE_NEAR,))
    asked = clock(3600, remind_before=Duration(seconds=600))
    match_id = (await tenant.create(2, clock=asked)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))

    async def reminders() -> list[tuple[int | None, int]]:
        read = await log.events.read("one", limit=100)
        return [(event.seat, event.version) for _, event in read if str(event.match_id) == match_id]

    await let_pass(stack, match_id, timedelta(minutes=49))
    await asyncio.sleep(1.2)
    assert await reminders() == []
    await let_pass(stack, match_id, timedelta(minutes=2))
    for _ in range(100):
        if await reminders():
            break
        await asyncio.sleep(0.05)
    await asyncio.sleep(1.2)
    assert await reminders() == [(1, 2)], "for the seat whose clock runs, and once"
    await tenant.call("AddTime", add_time(match_id, 1, seconds=3600))
    await let_pass(stack, match_id, timedelta(minutes=60))
    for _ in range(100):
        if len(await reminders()) > 1:
            break
        await asyncio.sleep(0.05)
    assert await reminders() == [(1, 2), (1, 3)], "the deadline had moved away"


# ── added time ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("clocked", [clock(), BUDGET], ids=["per move", "budget"])
async def test_time_is_added_by_the_tenant_and_by_the_other_seat(
    stack: Stack, tenant: Player, other: Player, clocked: clock_pb2.Clock
) -> None:
    created = await tenant.create(2, clock=clocked)
    match_id = created.match.match_id
    zero, one = (stack.player(token.token) for token in created.tokens)
    given = (await tenant.call("AddTime", add_time(match_id, 1, 0, seconds=100, request_id="gift"))).result
    assert events_of(given) == [{"type": "time_added", "by": None, "seats": [0, 1], "seconds": 100}]
    assert left(given.clocks) == about([3700, 3700])
    again = (await other.call("AddTime", add_time(match_id, 0, 1, seconds=100, request_id="gift"))).result
    assert (again.replayed, left(again.clocks)) == (True, about([3700, 3700])), "once"
    friendly = (await zero.call("AddTime", add_time(match_id, 1, seconds=60))).result
    assert (events_of(friendly)[0]["by"], left(friendly.clocks)) == (0, about([3700, 3760]))
    refused = await one.refused("AddTime", add_time(match_id, 0, 1))
    assert (refused.reason, why(refused)) == ("TIME_NOT_ADDED", "OWN_CLOCK")
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 3, seat=1))
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await verified(tenant, match_id)).decided_again


async def test_time_is_kept_for_a_budget_that_stands(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2, clock=BUDGET)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    given = (await tenant.call("AddTime", add_time(match_id, 0, seconds=300))).result
    assert (running(given.clocks), left(given.clocks)) == ([1], about([3900, 3600]))


async def test_a_clock_holds_a_year_at_most(tenant: Player) -> None:
    match_id = (await tenant.create(2, clock=clock())).match.match_id
    for _ in range(14):
        given = (await tenant.call("AddTime", add_time(match_id, 0, seconds=2_592_000))).result
    assert left(given.clocks) == about([366 * 86_400, 3600])


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (add_time("", seconds=1), "$.seats"),
        (add_time("", 0, 0), "$.seats"),
        (add_time("", -1), "$.seats"),
        (add_time("", 2), "$.seats"),
        (add_time("", 0, seconds=0), "$.seconds"),
        (add_time("", 0, seconds=2_592_001), "$.seconds"),
    ],
)
async def test_time_for_nobody_or_none_is_refused(tenant: Player, request_: Any, field: str) -> None:
    request_.match_id = (await tenant.create(2, clock=clock())).match.match_id
    refused = await tenant.refused("AddTime", request_)
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", [field])


async def test_without_a_clock_there_is_no_time_to_add(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    refused = await tenant.refused("AddTime", add_time(match_id, 0))
    assert (refused.reason, why(refused)) == ("TIME_NOT_ADDED", "NO_CLOCK")
