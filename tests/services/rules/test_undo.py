"""Undo over gRPC, on two replicas of one log."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import grpc
import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from engine.kernel import seats
from engine.kernel.codec import encode
from foldtable.matches.v1 import clock_pb2, match_pb2, match_service_pb2, undo_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.cli.replay.recorded_match import recorded
from services.cli.replay.words import event_lines, heading
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.rules.match import undo as undo_state
from tests.support.our_games import OUR_GAMES

FREE, NONE = match_pb2.UNDO_RULE_FREE, match_pb2.UNDO_RULE_NONE
REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)


@pytest.fixture
async def other(stack: Stack) -> Player:
    """The same platform, at another replica."""
    return stack.player(address=await stack.serve())


async def dragons(tenant: Player, **more: Any) -> str:
    return (await tenant.create(2, **more)).match.match_id


async def submit(player: Player, match_id: str, seat: int, version: int) -> Any:
    return await player.call("Act", act(match_id, program(*FIVE_CARDS), version, seat=seat))


def undo(match_id: str, to: int, version: int | None, seat: int = 0, **more: Any) -> undo_pb2.UndoRequest:
    return undo_pb2.UndoRequest(match_id=match_id, to=to, expected_version=version, seat=seat, **more)


def redo(match_id: str, version: int, seat: int = 0) -> undo_pb2.RedoRequest:
    return undo_pb2.RedoRequest(match_id=match_id, expected_version=version, seat=seat)


def answer(match_id: str, accept: bool, version: int, seat: int) -> undo_pb2.AnswerUndoRequest:
    return undo_pb2.AnswerUndoRequest(match_id=match_id, accept=accept, expected_version=version, seat=seat)


async def allowed(player: Player, match_id: str, seat: int) -> undo_pb2.GetUndoResponse:
    return await player.call("GetUndo", undo_pb2.GetUndoRequest(match_id=match_id, seat=seat))


async def table(player: Player, match_id: str, version: int | None = None) -> bytes:
    return (await player.view(match_id, audience=REFEREE, at_version=version)).view.json


def events_of(result: Any) -> Any:
    return msgspec.json.decode(result.events.json)


async def test_a_secret_program_is_taken_back_and_given_anew(tenant: Player, other: Player) -> None:
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    told = await allowed(other, match_id, 0)
    assert (told.version, told.free_to, told.refusal, told.rule) == (2, 1, "", match_pb2.UNDO_RULE_CONSENT)
    undone = (await other.call("Undo", undo(match_id, 1, 2))).result
    assert (undone.version, list(undone.to_act)) == (3, [0, 1])
    assert events_of(undone) == [{"type": "move_undone", "seat": 0, "to": 1}]
    assert (
        await table(tenant, match_id) == await table(tenant, match_id, 1) != await table(tenant, match_id, 2)
    )
    assert (await submit(tenant, match_id, 0, 3)).version == 4


async def test_a_move_decided_before_the_undo_was_seen_is_refused(tenant: Player) -> None:
    """Even a secret simultaneous one, whose version otherwise may lag behind."""
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    await tenant.call("Undo", undo(match_id, 1, 2))
    refusal = await tenant.refused("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    assert (refusal.reason, refusal.standing.version) == ("VERSION_CONFLICT", 3)


async def test_an_undo_is_made_exactly_once(tenant: Player, other: Player) -> None:
    match_id, request_id = await dragons(tenant), str(uuid4())
    await submit(tenant, match_id, 0, 1)
    first = (await tenant.call("Undo", undo(match_id, 1, 2, request_id=request_id))).result
    again = (await other.call("Undo", undo(match_id, 1, 2, request_id=request_id))).result
    assert (first.replayed, again.replayed) == (False, True)
    assert (again.version, again.events, again.to_act) == (first.version, first.events, first.to_act)
    reused = await other.refused("Undo", undo(match_id, 2, 3, request_id=request_id))
    assert reused.reason == "REQUEST_ID_REUSED"
    assert (await other.refused("Undo", undo(match_id, 1, 2))).reason == "VERSION_CONFLICT"
    assert (await other.refused("Undo", undo(match_id, 1, None))).reason == "VERSION_REQUIRED"


async def test_beyond_the_boundary_the_others_are_asked_and_answer_at_another_replica(
    tenant: Player, other: Player
) -> None:
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    await submit(tenant, match_id, 1, 1)
    told = await allowed(tenant, match_id, 0)
    assert (told.free_to, told.obstacle, told.obstacle_version, told.earliest) == (3, "ANSWERED", 3, 1)
    proposed = (await tenant.call("Undo", undo(match_id, 1, 3))).result
    assert events_of(proposed) == [{"type": "undo_proposed", "seat": 0, "to": 1}]
    assert await table(other, match_id) == await table(other, match_id, 3)
    open_now = (await allowed(other, match_id, 1)).proposal
    assert (open_now.version, open_now.seat, open_now.to, list(open_now.waiting)) == (4, 0, 1, [1])
    assert (await other.refused("Undo", undo(match_id, 2, 4))).reason == "PROPOSAL_OPEN"
    accepted = (await other.call("AnswerUndo", answer(match_id, True, 4, 1))).result
    assert [event["type"] for event in events_of(accepted)] == ["undo_answered", "move_undone"]
    assert await table(tenant, match_id) == await table(tenant, match_id, 1)
    assert (await tenant.call("Redo", redo(match_id, 5))).result.version == 6
    assert await table(other, match_id) == await table(other, match_id, 3)


async def test_a_refusal_ends_a_proposal(tenant: Player) -> None:
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    await submit(tenant, match_id, 1, 1)
    await tenant.call("Undo", undo(match_id, 1, 3))
    await tenant.call("AnswerUndo", answer(match_id, False, 4, 1))
    assert not (await allowed(tenant, match_id, 0)).HasField("proposal")
    refusal = await tenant.refused("Undo", undo(match_id, 1, 5))
    assert (refusal.reason, refusal.info.metadata["reason"]) == ("UNDO_NOT_ALLOWED", "REFUSED_BEFORE")
    assert (await tenant.refused("AnswerUndo", answer(match_id, True, 5, 1))).reason == "NO_PROPOSAL"


@pytest.mark.parametrize("asks", [0, 1], ids=["who moved before", "who did not"])
@pytest.mark.parametrize("late", [False, True], ids=["resigned", "forfeited"])
async def test_nothing_is_taken_back_from_behind_a_seat_that_has_left(
    stack: Stack, tenant: Player, asks: int, late: bool
) -> None:
    """Nobody agrees for it any more, and it does not come back that way."""
    forfeit = clock_pb2.Clock(
        kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600), absent=clock_pb2.ABSENT_RULE_FORFEIT
    )
    match_id = (await tenant.create(3, clock=forfeit if late else None)).match.match_id
    await submit(tenant, match_id, 0, 1)
    if late:
        async with stack.logs[0].pool.connection() as connection:
            await connection.execute(
                "UPDATE clocks SET deadline_at = now() WHERE match_id = $1 AND seat = 2", (UUID(match_id),)
            )
        while (await tenant.get(match_id)).version < 3:  # noqa: ASYNC110 - a test may poll
            await asyncio.sleep(0.02)
    else:
        await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=2))
    told = await allowed(tenant, match_id, asks)
    assert (told.version, told.earliest, told.free_to) == (3, 3, 3)
    for to in (1, 2):
        refusal = await tenant.refused("Undo", undo(match_id, to, 3, seat=asks))
        assert refusal.reason == "UNDO_NOT_ALLOWED"
        assert (refusal.info.metadata["reason"], refusal.info.metadata["seq"]) == ("SEAT_LEFT", "3")
    await submit(tenant, match_id, 1, 3)
    assert (await allowed(tenant, match_id, 0)).earliest == 3, "up to there, with consent"
    assert events_of((await tenant.call("Undo", undo(match_id, 3, 4))).result)[0]["type"] == "undo_proposed"


async def test_what_was_proposed_before_a_seat_left_is_not_agreed_to_after_it(tenant: Player) -> None:
    match_id = (await tenant.create(3)).match.match_id
    await submit(tenant, match_id, 0, 1)
    await submit(tenant, match_id, 1, 1)
    await tenant.call("Undo", undo(match_id, 1, 3))
    await tenant.call("AnswerUndo", answer(match_id, True, 4, 1))
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=2))
    assert not (await allowed(tenant, match_id, 0)).HasField("proposal")
    refusal = await tenant.refused("AnswerUndo", answer(match_id, True, 6, 1))
    assert refusal.reason == "NO_PROPOSAL"
    refusal = await tenant.refused("Undo", undo(match_id, 1, 6))
    assert refusal.info.metadata["reason"] == "SEAT_LEFT"


async def test_a_proposal_ends_when_its_time_is_up(tenant: Player, stack: Stack) -> None:
    """Time is that of the rows: the proposal's own, and that of the answer."""
    match_id = await dragons(tenant, undo_timeout=Duration(seconds=3600))
    await submit(tenant, match_id, 0, 1)
    await submit(tenant, match_id, 1, 1)
    await tenant.call("Undo", undo(match_id, 1, 3))
    (row,) = await stack.logs[0].read(UUID(match_id), after=3)
    proposal = (await allowed(tenant, match_id, 1)).proposal
    assert proposal.expire_time.ToDatetime(tzinfo=row.recorded_at.tzinfo) == row.recorded_at + timedelta(
        hours=1
    )
    short = await dragons(tenant, undo_timeout=Duration(seconds=1))
    await submit(tenant, short, 0, 1)
    await submit(tenant, short, 1, 1)
    await tenant.call("Undo", undo(short, 1, 3))
    while (await allowed(tenant, short, 1)).HasField("proposal"):
        pass
    assert (await tenant.refused("AnswerUndo", answer(short, True, 4, 1))).reason == "NO_PROPOSAL"
    assert (await tenant.call("Undo", undo(short, 1, 4))).result.version == 5, "it may be proposed again"


@pytest.mark.parametrize("seconds", [0, -1, 31 * 86_400])
async def test_a_timeout_has_bounds(tenant: Player, seconds: int) -> None:
    request = match_service_pb2.CreateMatchRequest(
        game="river_dragons", seats=2, undo_timeout=Duration(seconds=seconds)
    )
    assert (await tenant.refused("CreateMatch", request)).fields == ["$.undo_timeout"]


async def test_a_match_says_what_may_be_taken_back(tenant: Player) -> None:
    nothing = await dragons(tenant, undo=NONE)
    await submit(tenant, nothing, 0, 1)
    refusal = await tenant.refused("Undo", undo(nothing, 1, 2))
    assert (refusal.reason, refusal.info.metadata["reason"]) == ("UNDO_NOT_ALLOWED", "SWITCHED_OFF")
    assert (await allowed(tenant, nothing, 0)).refusal == "SWITCHED_OFF"
    own = await dragons(tenant, undo=FREE)
    await submit(tenant, own, 0, 1)
    await submit(tenant, own, 1, 1)
    refusal = await tenant.refused("Undo", undo(own, 1, 3))
    assert (refusal.reason, refusal.info.metadata["reason"], refusal.info.metadata["seq"]) == (
        "UNDO_NOT_ALLOWED",
        "ANSWERED",
        "3",
    )
    assert (await tenant.get(own)).undo == FREE


async def test_back_and_forth_for_ever_ends_in_a_refusal_and_the_match_goes_on(
    tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking back and putting back are free and lead nowhere: without a bound a match's log has none."""
    monkeypatch.setattr(undo_state, "MAX_ROWS", 13)
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    version = 2
    while version <= 12:
        await tenant.call("Undo", undo(match_id, 1, version))
        await tenant.call("Redo", redo(match_id, version + 1))
        version += 2
    refusal = await tenant.refused("Undo", undo(match_id, 1, version))
    assert (refusal.reason, refusal.info.metadata["reason"]) == ("UNDO_NOT_ALLOWED", "TOO_OFTEN")
    assert (await allowed(tenant, match_id, 0)).refusal == "TOO_OFTEN"
    await submit(tenant, match_id, 1, version)
    assert (await tenant.get(match_id)).version > version


@pytest.mark.parametrize("game", OUR_GAMES)
async def test_a_match_with_undos_ends_is_verified_and_every_view_was_the_live_one(
    tenant: Player, other: Player, game: str
) -> None:
    created = await tenant.create(2, game=game)
    match_id, live = created.match.match_id, {1: await table(tenant, created.match.match_id)}
    players, asked = (tenant, other), False
    for turn in range(24):
        match = await players[turn % 2].get(match_id)
        seat = match.to_act[0]
        made = await players[turn % 2].any_move(match_id, seat)
        live[made.version] = await table(tenant, match_id)
        if turn % 3 == 0:
            version = made.version
            undone = (await other.call("Undo", undo(match_id, version - 1, version, seat))).result
            if events_of(undone)[0]["type"] == "undo_proposed":
                asked = True
                live[version + 1] = live[version]
                undone = (
                    await tenant.call("AnswerUndo", answer(match_id, True, version + 1, 1 - seat))
                ).result
            live[undone.version] = live[version - 1]
            assert await table(tenant, match_id) == live[version - 1]
        if turn % 6 == 0:
            back = (await tenant.call("Redo", redo(match_id, undone.version, seat))).result
            live[back.version] = live[version]
    fresh = players[0]
    for version, seen in live.items():
        assert await table(fresh, match_id, version) == seen
    match = await tenant.play_to_the_end(match_id)
    assert match.status == match_pb2.MATCH_STATUS_ENDED
    found = await other.call("VerifyMatch", match_service_pb2.VerifyMatchRequest(match_id=match_id))
    assert (found.ok, found.decided_again, found.difference) == (True, True, "")
    over = await tenant.refused("Undo", undo(match_id, match.version - 1, match.version))
    assert over.reason == "MATCH_OVER"
    await looked_at_offline(tenant, match_id, live, asked=asked)


async def looked_at_offline(player: Player, match_id: str, live: dict[int, bytes], *, asked: bool) -> None:
    """Read the export as `foldtable verify` and `foldtable replay` do; `asked` says that an undo needed consent."""
    exported = await player.call("ExportMatch", match_service_pb2.ExportMatchRequest(match_id=match_id))
    document = read_document(exported.document)
    assert verify_document(document).ok
    match = recorded(document)
    for version, seen in live.items():
        assert encode(match.view(version, seats.REFEREE)) == seen
    words = [line for version in live for line in event_lines(match, version, seats.PUBLIC, "en")]
    assert any("takes back: the match is at version" in line for line in words)
    for wanted in ("asks to go back to version", "agrees to going back"):
        assert any(wanted in line for line in words) is asked, wanted
    headings = [heading(match, version, seats.REFEREE, "en") for version in live]
    for wanted in ("asks to go back to version", "asks to restore what was taken back"):
        assert any(wanted in line for line in headings), wanted
    assert any("agrees to going back" in line for line in headings) is asked


@pytest.mark.parametrize("game", ["al_rashid", "river_of_gold"])
async def test_the_same_move_after_an_undo_has_the_same_luck(
    tenant: Player, other: Player, game: str
) -> None:
    """By another replica, which has it from the log alone. In River of Gold, nearly every move ends with a die."""
    match_id = (await tenant.create(2, game=game)).match.match_id
    version, repeated = 1, 0
    for _ in range(12):
        seat = (await tenant.get(match_id)).to_act[0]
        legal = await tenant.legal(match_id, seat=seat, samples=1)
        (action,) = msgspec.json.decode(legal.samples.json)
        first = await tenant.call("Act", act(match_id, action, version, seat=seat))
        after = await table(tenant, match_id)
        undone = (await tenant.call("Undo", undo(match_id, version, version + 1, seat))).result
        if events_of(undone)[0]["type"] == "undo_proposed":
            undone = (await tenant.call("AnswerUndo", answer(match_id, True, version + 2, 1 - seat))).result
            repeated += 1
        again = await other.call("Act", act(match_id, action, undone.version, seat=seat))
        assert again.events == first.events
        assert await table(other, match_id) == after
        version = again.version
    assert repeated


async def test_streams_and_exports_show_undos_in_either_form(tenant: Player) -> None:
    match_id = await dragons(tenant)
    await submit(tenant, match_id, 0, 1)
    await tenant.call("Undo", undo(match_id, 1, 2))
    moves = await tenant.moves(match_id, audience=REFEREE, form=payload_pb2.PAYLOAD_FORM_TYPED)
    assert events_of(moves.moves[2]) == [{"type": "move_undone", "seat": 0, "to": 1}]
    assert msgspec.json.decode(moves.moves[2].action.json) == {"type": "undo", "to": 1}
    exported = await tenant.call("ExportMatch", match_service_pb2.ExportMatchRequest(match_id=match_id))
    rows = msgspec.json.decode(exported.document)["moves"]
    assert rows[2]["events"] == [{"type": "move_undone", "seat": 0, "to": 1}]
    assert rows[2]["request"] is None, "the public learns of it from the events"


@pytest.mark.parametrize("attempt", range(5))
async def test_of_an_undo_and_a_move_at_the_same_moment_one_counts(
    tenant: Player, other: Player, attempt: int
) -> None:
    match_id = await dragons(tenant, title=f"race {attempt}")
    await submit(tenant, match_id, 0, 1)
    await other.get(match_id)
    made = await asyncio.gather(
        tenant.call("Undo", undo(match_id, 1, 2)),
        submit(other, match_id, 1, 2),
        return_exceptions=True,
    )
    (refused,) = [one for one in made if isinstance(one, grpc.aio.AioRpcError)]
    assert Refusal.of(refused).reason == "VERSION_CONFLICT"
    rows = (await tenant.moves(match_id, audience=REFEREE)).moves
    assert [row.version for row in rows] == [1, 2, 3]
