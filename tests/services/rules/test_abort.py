"""Abort over gRPC, on two replicas of one log."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.kernel import seats
from engine.kernel.codec import encode
from foldtable.matches.v1 import (
    abort_pb2,
    bots_pb2,
    fork_pb2,
    lobby_pb2,
    match_pb2,
    match_service_pb2,
    undo_pb2,
)
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.cli.replay.recorded_match import recorded
from services.cli.replay.words import event_lines, heading
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document

REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)
TYPED = payload_pb2.PAYLOAD_FORM_TYPED


@pytest.fixture
async def other(stack: Stack) -> Player:
    """The same platform, at another replica."""
    return stack.player(address=await stack.serve())


def abort(match_id: str, **more: Any) -> abort_pb2.AbortMatchRequest:
    return abort_pb2.AbortMatchRequest(match_id=match_id, **more)


def answer(match_id: str, accept: bool, version: int, seat: int) -> abort_pb2.AnswerAbortRequest:
    return abort_pb2.AnswerAbortRequest(match_id=match_id, accept=accept, expected_version=version, seat=seat)


def events_of(result: Any) -> Any:
    return msgspec.json.decode(result.events.json)


async def exported(player: Player, match_id: str) -> bytes:
    request = match_service_pb2.ExportMatchRequest(match_id=match_id)
    return bytes((await player.call("ExportMatch", request)).document)


async def test_the_tenant_calls_a_running_match_off(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.any_move(match_id, 0)
    result = (await tenant.call("AbortMatch", abort(match_id, request_id="off"))).result
    assert events_of(result) == [{"type": "match_aborted", "by": "tenant", "seat": None}]
    assert (list(result.to_act), result.status) == ([], match_pb2.MATCH_STATUS_ENDED)
    assert (result.outcome.reason, list(result.outcome.winners)) == ("ABORTED", [])
    again = (await other.call("AbortMatch", abort(match_id, request_id="off"))).result
    assert (again.replayed, again.version, again.status) == (True, 3, match_pb2.MATCH_STATUS_ENDED)
    assert again.outcome == result.outcome
    match = await other.get(match_id)
    assert (match.status, list(match.to_act), match.outcome.reason) == (
        match_pb2.MATCH_STATUS_ENDED,
        [],
        "ABORTED",
    )
    assert len(match.secret) == 32, "it is told as that of any ended match"
    seen = msgspec.json.decode((await other.view(match_id)).view.json)
    assert (seen["pending"], seen["outcome"]["reason"]) == ([], "ABORTED")
    assert (await other.view(match_id, form=TYPED)).view.typed.value
    before = msgspec.json.decode((await other.view(match_id, at_version=2)).view.json)
    assert before["pending"]
    assert before["outcome"] is None


async def test_nothing_can_be_done_any_more(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("AbortMatch", abort(match_id))
    for player in (tenant, other):
        for method, request in (
            ("Act", act(match_id, program(*FIVE_CARDS), 2, seat=0)),
            ("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=0)),
            ("Undo", undo_pb2.UndoRequest(match_id=match_id, to=1, expected_version=2, seat=0)),
            ("AbortMatch", abort(match_id)),
        ):
            assert (await player.refused(method, request)).reason == "MATCH_OVER", method
    legal = await other.legal(match_id, seat=0)
    assert not legal.HasField("pending")


async def test_the_seats_agree_and_everybody_sees_what_is_proposed(
    tenant: Player, other: Player, stack: Stack
) -> None:
    created = await tenant.create(3, undo=match_pb2.UNDO_RULE_NONE)
    match_id = created.match.match_id
    zero, one, two = (stack.player(token.token) for token in created.tokens)
    assert events_of((await zero.call("AbortMatch", abort(match_id))).result) == [
        {"type": "abort_proposed", "seat": 0}
    ]
    seen = (await two.view(match_id)).proposal
    assert (seen.kind, seen.seat, seen.version, list(seen.waiting), seen.HasField("to")) == (
        abort_pb2.PROPOSAL_KIND_ABORT,
        0,
        2,
        [1, 2],
        False,
    )
    assert not (await two.view(match_id, at_version=1)).HasField("proposal")
    state = await other.call("GetUndo", undo_pb2.GetUndoRequest(match_id=match_id, seat=1))
    assert state.proposal == seen
    assert (await one.refused("AbortMatch", abort(match_id))).reason == "PROPOSAL_OPEN"
    assert (await one.refused("AnswerAbort", answer(match_id, True, 2, 2))).reason == "SEAT_FORBIDDEN"
    await one.call("AnswerAbort", answer(match_id, True, 2, 1))
    over = (await other.call("AnswerAbort", answer(match_id, True, 3, 2))).result
    assert events_of(over) == [
        {"type": "abort_answered", "seat": 2, "accept": True},
        {"type": "match_aborted", "by": "consent", "seat": 0},
    ]
    assert over.status == match_pb2.MATCH_STATUS_ENDED


async def test_a_proposal_ends_when_its_time_is_up(tenant: Player) -> None:
    match_id = (await tenant.create(2, undo_timeout=Duration(seconds=1))).match.match_id
    await tenant.call("AbortMatch", abort(match_id, seat=0))
    while (await tenant.view(match_id)).HasField("proposal"):
        pass
    assert (await tenant.refused("AnswerAbort", answer(match_id, True, 2, 1))).reason == "NO_PROPOSAL"
    assert (await tenant.call("AbortMatch", abort(match_id, seat=1))).result.version == 3


async def test_a_match_that_waits_for_players_is_called_off(tenant: Player, other: Player) -> None:
    created = await tenant.create(3, open_seats=True, visibility=match_pb2.MATCH_VISIBILITY_PUBLIC)
    match_id = created.match.match_id
    joined = await tenant.call("JoinMatch", match_service_pb2.JoinMatchRequest(match_id=match_id))
    assert (await other.refused("AbortMatch", abort(match_id, seat=0))).reason == "MATCH_NOT_STARTED"
    result = (await tenant.call("AbortMatch", abort(match_id))).result
    assert (result.version, result.status) == (1, match_pb2.MATCH_STATUS_ENDED)
    for player in (tenant, other):
        join = match_service_pb2.JoinMatchRequest(match_id=match_id, seat=1)
        assert (await player.refused("JoinMatch", join)).reason == "MATCH_STARTED"
        looks = match_service_pb2.GetViewRequest(match_id=match_id)
        assert (await player.refused("GetView", looks)).reason == "MATCH_NOT_STARTED"
        deals = bots_pb2.DeterminizeRequest(match_id=match_id, count=1)
        assert (await player.refused("Determinize", deals)).reason == "MATCH_NOT_STARTED"
        copy = fork_pb2.ForkMatchRequest(match_id=match_id)
        assert (await player.refused("ForkMatch", copy)).reason == "MATCH_NOT_STARTED"
        again = lobby_pb2.RematchRequest(match_id=match_id)
        assert (await player.refused("Rematch", again)).reason == "MATCH_NOT_STARTED"
        assert (await player.refused("AbortMatch", abort(match_id))).reason == "MATCH_OVER"
        quick = lobby_pb2.QuickJoinRequest(game="river_dragons", seats=3)
        assert (await player.refused("QuickJoin", quick)).reason == "NO_OPEN_MATCH"
        verified = await player.call("VerifyMatch", match_service_pb2.VerifyMatchRequest(match_id=match_id))
        assert (verified.ok, verified.decided_again) == (True, True)
    assert joined.match.status == match_pb2.MATCH_STATUS_WAITING
    updates = [
        update
        async for update in other.matches.WatchMatch(
            match_service_pb2.WatchMatchRequest(match_id=match_id), metadata=other.metadata, timeout=10
        )
    ]
    assert [update.WhichOneof("update") for update in updates] == ["move"]


async def test_an_aborted_match_is_verified_shown_and_followed_by_a_rematch(
    tenant: Player, other: Player
) -> None:
    match_id = (await tenant.create(2, game="al_rashid")).match.match_id
    await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    await tenant.call("AbortMatch", abort(match_id, seat=0))
    await other.call("AnswerAbort", answer(match_id, True, 3, 1))
    verified = await other.call("VerifyMatch", match_service_pb2.VerifyMatchRequest(match_id=match_id))
    assert (verified.ok, verified.decided_again, verified.difference) == (True, True, "")
    document = read_document(await exported(tenant, match_id))
    assert verify_document(document).ok
    match = recorded(document)
    live = (await tenant.view(match_id, audience=REFEREE)).view.json
    assert encode(match.view(4, seats.REFEREE)) == live
    assert heading(match, 3, seats.REFEREE, "en") == "Seat 0 asks to call the match off."
    assert event_lines(match, 3, seats.PUBLIC, "en") == ["Seat 0 asks to call the match off."]
    assert heading(match, 4, seats.REFEREE, "en") == "Seat 1 agrees to call the match off."
    assert event_lines(match, 4, seats.PUBLIC, "en") == [
        "Seat 1 agrees to call the match off.",
        "The match is called off by agreement; there is no result.",
    ]
    rematch = await other.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    assert rematch.match.status == match_pb2.MATCH_STATUS_RUNNING


async def test_a_forged_abort_is_found(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("AbortMatch", abort(match_id))
    document = await exported(tenant, match_id)
    forged = document.replace(b'"by":"tenant","seat":null', b'"by":"consent","seat":0')
    assert forged != document
    found = verify_document(read_document(forged))
    assert (found.ok, found.difference_version) == (False, 2)
