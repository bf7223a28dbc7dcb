"""Another player for a seat with the consent of the table: over gRPC, on two replicas of one log."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import grpc
import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import (
    abort_pb2,
    bots_pb2,
    clock_pb2,
    match_pb2,
    match_service_pb2,
    pause_pb2,
    player_session_pb2,
    replacing_pb2,
    undo_pb2,
)
from services.movelog.events import EventType
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.rules.match import commands
from tests.support.independent_verifier import WHY_NOT, found_in

TABLE = replacing_pb2.REPLACEMENT_CONSENT_TABLE
PLAYERS = ["ada", "bob", "carl"]
PER_MOVE = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600), away_after=1)


@pytest.fixture
async def other(stack: Stack) -> Player:
    """The same platform, at another replica."""
    return stack.player(address=await stack.serve())


def ask(match_id: str, seat: int | None = 1, **more: Any) -> replacing_pb2.AskToReplaceRequest:
    return replacing_pb2.AskToReplaceRequest(match_id=match_id, seat=seat, **more)


def answer(
    match_id: str, seat: int, version: int, *, accept: bool = True
) -> replacing_pb2.AnswerReplacementRequest:
    return replacing_pb2.AnswerReplacementRequest(
        match_id=match_id, accept=accept, expected_version=version, seat=seat
    )


def replace(match_id: str, seat: int = 1, player: str = "cleo", **more: Any) -> Any:
    return replacing_pb2.ReplacePlayerRequest(
        match_id=match_id, seat=seat, player=player, **{"consent": TABLE, **more}
    )


async def agree(tenant: Player, match_id: str, seat: int = 1, seats: int = 3) -> None:
    """Ask for a seat, and let all others agree."""
    version = (await tenant.call("AskToReplace", ask(match_id, seat))).result.version
    for one in (one for one in range(seats) if one != seat):
        version = (await tenant.call("AnswerReplacement", answer(match_id, one, version))).result.version


def why(refused: Refusal) -> str:
    assert refused.rule is not None
    return {fact.name: fact.text for fact in refused.rule.facts}["reason"]


def events_of(result: Any) -> Any:
    return msgspec.json.decode(result.events.json)


async def verified(player: Player, match_id: str) -> Any:
    """Give what the export of a match that is over decides again; the verifier of the documents agrees."""
    request = match_service_pb2.ExportMatchRequest(match_id=match_id)
    document = bytes((await player.call("ExportMatch", request)).document)
    found = verify_document(read_document(document))
    assert found.ok, found.difference
    if not WHY_NOT:
        assert await asyncio.to_thread(found_in, [document]) == [[]]
    return found


# ── asking and answering ───────────────────────────────────────────────────────────────────────────


async def test_the_table_agrees_and_the_player_is_replaced_once(
    stack: Stack, tenant: Player, other: Player
) -> None:
    created = await tenant.create(3, players=PLAYERS)
    match_id = created.match.match_id
    zero, one, two = (stack.player(token.token) for token in created.tokens)
    missing = await tenant.refused("ReplacePlayer", replace(match_id))
    assert (missing.reason, missing.info.metadata["seat"]) == ("CONSENT_MISSING", "1")
    asked = (await tenant.call("AskToReplace", ask(match_id, request_id="a"))).result
    assert events_of(asked) == [{"type": "replacement_proposed", "seat": 1}]
    assert list(asked.to_act) == [0, 1, 2]
    again = (await other.call("AskToReplace", ask(match_id, request_id="a"))).result
    assert (again.replayed, again.version) == (True, 2)
    seen = (await two.view(match_id)).proposal
    assert (seen.kind, seen.seat, list(seen.waiting)) == (abort_pb2.PROPOSAL_KIND_REPLACE, 1, [0, 2])
    todos = [(todo.kind, todo.seat, todo.player) for todo in (await other.get(match_id)).todos]
    kind = match_pb2.TODO_KIND_ANSWER_REPLACE
    assert todos == [(kind, 0, "ada"), (kind, 2, "carl")]
    assert (await one.refused("AnswerReplacement", answer(match_id, 1, 2))).reason == "NO_PROPOSAL"
    assert (await one.refused("AnswerReplacement", answer(match_id, 0, 2))).reason == "SEAT_FORBIDDEN"
    without = replacing_pb2.AnswerReplacementRequest(match_id=match_id, accept=True)
    assert (await zero.refused("AnswerReplacement", without)).reason == "VERSION_REQUIRED"
    await zero.call("AnswerReplacement", answer(match_id, 0, 2))
    assert (await other.refused("ReplacePlayer", replace(match_id))).reason == "CONSENT_MISSING"
    agreed = (await two.call("AnswerReplacement", answer(match_id, 2, 3))).result
    assert events_of(agreed)[-1] == {"type": "replacement_agreed", "seat": 1}
    for seat, player in ((0, "cleo"), (2, "cleo")):
        assert (await other.refused("ReplacePlayer", replace(match_id, seat, player))).reason == (
            "CONSENT_MISSING"
        )
    given = await other.call("ReplacePlayer", replace(match_id, request_id="r"))
    assert (given.match.seats[1].player, given.match.version) == ("cleo", 4)
    repeated = await tenant.call("ReplacePlayer", replace(match_id, request_id="r"))
    assert repeated.match.seats[1].player == "cleo"
    assert (await tenant.refused("ReplacePlayer", replace(match_id, player="dora"))).reason == (
        "CONSENT_MISSING"
    )
    await agree(tenant, match_id)
    assert (await tenant.call("ReplacePlayer", replace(match_id, player="dora"))).match.version == 7
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await verified(other, match_id)).decided_again


@pytest.mark.parametrize("game", ["river_dragons", "al_rashid", "river_of_gold"])
async def test_moves_after_the_agreement_leave_it_good(tenant: Player, other: Player, game: str) -> None:
    """The rows of it draw nothing, so moves after them draw as if they were not there, for every verifier."""
    match_id = (await tenant.create(2, game=game, players=PLAYERS[:2])).match.match_id
    await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    await agree(tenant, match_id, seats=2)
    for _ in range(6):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    assert (await other.call("ReplacePlayer", replace(match_id))).match.seats[1].player == "cleo"
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await verified(other, match_id)).decided_again


async def test_what_was_taken_back_before_is_put_back_after_it(tenant: Player, other: Player) -> None:
    """As asking is no move, also in the eyes of every verifier."""
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    await tenant.any_move(match_id, 0)
    undo = undo_pb2.UndoRequest(match_id=match_id, seat=0, to=1, expected_version=2)
    await tenant.call("Undo", undo)
    await agree(tenant, match_id, seats=2)
    redo = undo_pb2.RedoRequest(match_id=match_id, seat=0, expected_version=5)
    assert events_of((await other.call("Redo", redo)).result) == [{"type": "move_redone", "seat": 0, "to": 2}]
    await tenant.any_move(match_id, 1)
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await verified(other, match_id)).decided_again


async def test_an_agreement_is_about_the_player_who_had_the_seat(tenant: Player, other: Player) -> None:
    """Also if the tenant alone replaces the player while the others are still asked, at the same version."""
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    await tenant.call("AskToReplace", ask(match_id))
    alone = replace(match_id, consent=replacing_pb2.REPLACEMENT_CONSENT_TENANT)
    await other.call("ReplacePlayer", alone)
    agreed = (await tenant.call("AnswerReplacement", answer(match_id, 0, 2))).result
    assert events_of(agreed)[-1] == {"type": "replacement_agreed", "seat": 1}
    for player in (tenant, other):
        refused = await player.refused("ReplacePlayer", replace(match_id, player="dora"))
        assert refused.reason == "CONSENT_MISSING"
    assert (await tenant.get(match_id)).seats[1].player == "cleo"


async def test_of_many_replacements_by_one_agreement_one_succeeds(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    await agree(tenant, match_id, seats=2)

    async def tried(player: Player, name: str) -> str:
        try:
            await player.call("ReplacePlayer", replace(match_id, player=name))
        except grpc.aio.AioRpcError as failure:
            return Refusal.of(failure).reason
        return "replaced"

    done = await asyncio.gather(
        *(tried(one, f"p{n}{i}") for i, one in enumerate((tenant, other)) for n in range(5))
    )
    assert sorted(done) == ["CONSENT_MISSING"] * 9 + ["replaced"]
    assert len((await tenant.get(match_id)).seats[1].replaced) == 1


async def test_the_seat_itself_asks_with_its_token_or_its_player_s_session(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2, players=PLAYERS[:2])
    match_id, one = created.match.match_id, stack.player(created.tokens[1].token)
    assert (await one.refused("AskToReplace", ask(match_id, 0))).reason == "SEAT_FORBIDDEN"
    result = (await one.call("AskToReplace", ask(match_id, None))).result
    assert events_of(result) == [{"type": "replacement_proposed", "seat": 1}]
    asked = player_session_pb2.CreatePlayerSessionRequest(player="ada")
    session = stack.player((await tenant.call("CreatePlayerSession", asked)).token)
    assert (await session.refused("AskToReplace", ask(match_id, None))).reason == "PROPOSAL_OPEN"
    await session.call("AnswerReplacement", answer(match_id, 0, 2))
    assert (await session.refused("ReplacePlayer", replace(match_id))).reason == "TENANT_ONLY"
    assert (await tenant.refused("AskToReplace", ask(match_id, None))).reason == "MALFORMED_REQUEST"
    assert (await tenant.refused("AskToReplace", ask(match_id, 2))).reason == "MALFORMED_REQUEST"


async def test_one_refusal_or_the_time_limit_ends_the_proposal(tenant: Player) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2], undo_timeout=Duration(seconds=1))).match.match_id
    await tenant.call("AskToReplace", ask(match_id))
    refused = (await tenant.call("AnswerReplacement", answer(match_id, 0, 2, accept=False))).result
    assert events_of(refused) == [{"type": "replacement_answered", "seat": 0, "accept": False}]
    again = await tenant.refused("AskToReplace", ask(match_id))
    assert (again.reason, why(again)) == ("REPLACEMENT_NOT_ALLOWED", "REFUSED_BEFORE")
    await tenant.call("AskToReplace", ask(match_id, 0))
    while (await tenant.view(match_id)).HasField("proposal"):
        pass
    assert (await tenant.refused("AnswerReplacement", answer(match_id, 1, 4))).reason == "NO_PROPOSAL"
    assert (await tenant.refused("ReplacePlayer", replace(match_id, 0))).reason == "CONSENT_MISSING"


async def test_an_answer_is_to_the_proposal_that_its_version_has(tenant: Player) -> None:
    """The decisions are secret and simultaneous, in which a move may be based on an earlier version."""
    match_id = (await tenant.create(3, players=PLAYERS)).match.match_id
    await tenant.call("AskToReplace", ask(match_id))
    await tenant.call("AnswerReplacement", answer(match_id, 0, 2, accept=False))
    version = (await tenant.call("AskToReplace", ask(match_id, 0))).result.version
    late = await tenant.refused("AnswerReplacement", answer(match_id, 2, version - 1))
    assert (late.reason, late.info.metadata["current_version"]) == ("VERSION_CONFLICT", str(version))
    await tenant.call("AnswerReplacement", answer(match_id, 1, version))
    await tenant.call("AnswerReplacement", answer(match_id, 2, version))
    assert (await tenant.call("ReplacePlayer", replace(match_id, 0))).match.seats[0].player == "cleo"


async def test_a_move_ends_the_proposal(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    await tenant.call("AskToReplace", ask(match_id))
    version = (await other.any_move(match_id, 1)).version
    assert (await tenant.refused("AnswerReplacement", answer(match_id, 0, version))).reason == "NO_PROPOSAL"


# ── who need not be waited for ─────────────────────────────────────────────────────────────────────


async def test_built_in_bots_and_players_who_are_away_agree_at_once(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(3, players=PLAYERS, clock=PER_MOVE)).match.match_id
    await tenant.call("SeatBot", bots_pb2.SeatBotRequest(match_id=match_id, seat=0, level="greedy"))
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE clocks SET time_outs = 1 WHERE match_id = $1 AND seat = 2", (UUID(match_id),)
        )
    await tenant.call("AskToReplace", ask(match_id))
    assert not (await tenant.view(match_id)).HasField("proposal")
    assert (await tenant.call("ReplacePlayer", replace(match_id))).match.seats[1].player == "cleo"


# ── when it is possible ────────────────────────────────────────────────────────────────────────────


async def test_it_is_possible_in_a_pause(tenant: Player, other: Player) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2], clock=PER_MOVE)).match.match_id
    await tenant.call("PauseMatch", pause_pb2.PauseMatchRequest(match_id=match_id))
    await agree(tenant, match_id, seats=2)
    assert (await other.call("ReplacePlayer", replace(match_id))).match.seats[1].player == "cleo"
    match = await tenant.get(match_id)
    assert (match.paused_by, [one.HasField("deadline") for one in match.clocks.seats]) == (
        match_pb2.PAUSED_BY_TENANT,
        [False, False],
    )


async def test_it_is_not_possible_before_the_start_after_the_end_and_for_who_has_left(tenant: Player) -> None:
    waiting = (await tenant.create(2, open_seats=True)).match.match_id
    assert (await tenant.refused("AskToReplace", ask(waiting))).reason == "MATCH_NOT_STARTED"
    match_id = (await tenant.create(3, players=PLAYERS)).match.match_id
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=1))
    gone = await tenant.refused("AskToReplace", ask(match_id))
    assert (gone.reason, why(gone)) == ("REPLACEMENT_NOT_ALLOWED", "SEAT_LEFT")
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert (await tenant.refused("AskToReplace", ask(match_id, 0))).reason == "MATCH_OVER"
    assert (await tenant.refused("ReplacePlayer", replace(match_id, 0))).reason == "MATCH_OVER"


async def test_the_table_is_not_asked_without_end(tenant: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    monkeypatch.setattr(commands, "too_often", lambda _: True)
    refused = await tenant.refused("AskToReplace", ask(match_id))
    assert (refused.reason, why(refused)) == ("REPLACEMENT_NOT_ALLOWED", "TOO_OFTEN")


async def test_a_consent_of_another_kind_is_malformed_and_another_one_is_another_request(
    tenant: Player,
) -> None:
    match_id = (await tenant.create(2, players=PLAYERS[:2])).match.match_id
    refused = await tenant.refused("ReplacePlayer", replace(match_id, consent=7))
    assert (refused.reason, refused.fields) == ("MALFORMED_REQUEST", ["$.consent"])
    await agree(tenant, match_id, seats=2)
    await tenant.call("ReplacePlayer", replace(match_id, request_id="r"))
    for consent in (replacing_pb2.REPLACEMENT_CONSENT_TENANT, replacing_pb2.REPLACEMENT_CONSENT_UNSPECIFIED):
        reused = await tenant.refused("ReplacePlayer", replace(match_id, request_id="r", consent=consent))
        assert reused.reason == "REQUEST_ID_REUSED"


# ── events ─────────────────────────────────────────────────────────────────────────────────────────


async def test_the_tenant_is_told_who_is_asked_and_how_it_ended(stack: Stack, tenant: Player) -> None:
    log = stack.logs[0]
    await log.events.record(
        "one", (EventType.CONSENT_ASKED, EventType.CONSENT_SETTLED, EventType.SEAT_REPLACED)
    )
    match_id = (await tenant.create(3, players=PLAYERS)).match.match_id
    await agree(tenant, match_id)
    await tenant.call("ReplacePlayer", replace(match_id))
    told = [
        (event.type, event.version, event.seat, event.proposal, event.result)
        for _, event in await log.events.read("one", limit=100)
        if str(event.match_id) == match_id
    ]
    assert told == [
        ("consent.asked", 2, 0, "replace", ""),
        ("consent.asked", 2, 2, "replace", ""),
        ("consent.settled", 4, 1, "replace", "accepted"),
        ("seat.replaced", 4, 1, "", ""),
    ]


async def test_no_id_of_a_player_is_in_the_log(tenant: Player) -> None:
    match_id = (await tenant.create(3, players=PLAYERS)).match.match_id
    await agree(tenant, match_id)
    for move in (await tenant.moves(match_id)).moves[1:]:
        assert not any(name.encode() in move.events.json for name in PLAYERS)
