"""A refused move says why, and all a client needs to go on; nothing has changed."""

from __future__ import annotations

import json

import grpc
import msgspec
import pytest
from rules_stack import FIVE_CARDS, Player, act, program

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import payload_pb2

SECOND_DRAGON = program("dragon:green", "dragon:blue", "stone1", "stone2", "move1")
SIX_CARDS = program("stone1", "stone2", "plank1", "plank2", "move1", "jump")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(b"", "$.action", id="nothing"),
        pytest.param(b"{", "$.action", id="half an object"),
        pytest.param(b"[]", "$.action", id="an array"),
        pytest.param(b'{"type":"fly"}', "$.action.type", id="an unknown type"),
        pytest.param(b'{"type":"start_match","seats":2,"options":{}}', "$.action.type", id="the start"),
        pytest.param(b'{"type":"resign"}', "$.action.type", id="a resignation"),
        pytest.param(b'{"type":"submit_program"}', "$.action", id="a missing field"),
        pytest.param(
            b'{"type":"submit_program","cards":["stone1"],"seat":1}', "$.action", id="an unknown field"
        ),
        pytest.param(
            b'{"type":"submit_program","cards":["stone9"]}', "$.action.cards[0]", id="an unknown card"
        ),
        pytest.param(b'{"type":"submit_program","cards":"stone1"}', "$.action.cards", id="a wrong type"),
        pytest.param(b'{"type":"place_stone_at","x":1e999,"y":0}', "$.action", id="a huge number"),
        pytest.param(b'{"type":"place_stone_at","x":0.5,"y":0}', "$.action.x", id="half a unit"),
        pytest.param(b'{"type":"place_stone","island":"\xff"}', "$.action", id="not UTF-8"),
        pytest.param(b'{"type":"place_stone","island":"\\ud800"}', "$.action", id="a lone surrogate"),
        pytest.param(b'{"type":' + b"[" * 50_000, "$.action", id="nested deeply"),
        pytest.param(json.dumps(program(*["stone1"] * 10_000)).encode(), "$.action", id="a huge program"),
    ],
)
async def test_a_move_that_cannot_be_read_names_the_place(tenant: Player, body: bytes, field: str) -> None:
    match = (await tenant.create()).match
    refusal = await tenant.refused("Act", act(match.match_id, body, 1, seat=0))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MOVE")
    assert refusal.fields[0].startswith(field)
    assert (await tenant.get(match.match_id)).version == 1


@pytest.mark.parametrize(
    "body", [pytest.param(SECOND_DRAGON, id="a second dragon"), pytest.param(SIX_CARDS, id="six cards")]
)
async def test_a_broken_rule_is_named_with_its_paragraph(tenant: Player, body: dict[str, object]) -> None:
    match = (await tenant.create(6)).match
    refusal = await tenant.refused("Act", act(match.match_id, body, 1, seat=2))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.info.domain == "river_dragons"
    assert refusal.rule is not None
    assert refusal.rule.code == refusal.reason
    assert refusal.rule.rule.startswith("5")
    assert refusal.rule.field.startswith("cards")
    assert (await tenant.get(match.match_id)).version == 1


async def test_a_refused_player_learns_what_is_legal_now(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("Act", act(match.match_id, {"type": "step", "to": "V-red"}, 1, seat=0))
    assert refusal.reason == "WRONG_DECISION"
    assert refusal.standing is not None
    assert refusal.standing.pending.decision == "program"
    (template,) = msgspec.json.decode(refusal.standing.templates.json)
    assert template["type"] == "submit_program"


async def test_the_refusal_of_a_stale_move_has_what_it_missed_as_its_seat_may_see_it(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    for seat in (0, 1):
        await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), seat + 1, seat=seat))
    (turn,) = (await tenant.get(match.match_id)).to_act
    island = {"type": "place_stone", "island": "I01"}
    refusal = await tenant.refused("Act", act(match.match_id, island, 1, seat=turn))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    assert refusal.standing is not None
    assert [move.version for move in refusal.standing.missed] == [2, 3]
    other = 1 - turn
    (theirs,) = [move for move in refusal.standing.missed if move.seat == other]
    assert not theirs.HasField("action")
    assert msgspec.json.decode(theirs.events.json)[0]["cards"] is None
    assert any(action["island"] == "I01" for action in msgspec.json.decode(refusal.standing.actions.json))


async def test_a_version_that_is_not_yet_is_stale_too(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), 99, seat=0))
    assert refusal.reason == "VERSION_CONFLICT"


async def test_a_move_without_a_version_is_asked_for_one(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), None, seat=0))
    assert (refusal.reason, refusal.fields) == ("VERSION_REQUIRED", ["$.expected_version"])


async def test_a_move_out_of_turn_is_refused_as_such(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    for seat in (0, 1):
        await tenant.call("Act", act(match.match_id, program(*FIVE_CARDS), seat + 1, seat=seat))
    (turn,) = (await tenant.get(match.match_id)).to_act
    island = {"type": "place_stone", "island": "I01"}
    refusal = await tenant.refused("Act", act(match.match_id, island, 3, seat=1 - turn))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")


async def test_after_the_end_nothing_is_played(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match.match_id, seat=0))
    ended = await tenant.get(match.match_id)
    assert ended.outcome.reason == "LAST_PLAYER_LEFT"
    assert list(ended.outcome.winners) == [1]
    assert len(ended.secret) == 32
    for version in (1, ended.version):
        refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), version, seat=1))
        assert refusal.reason == "MATCH_OVER"
    refusal = await tenant.refused("ResignSeat", pb.ResignSeatRequest(match_id=match.match_id, seat=1))
    assert refusal.reason == "MATCH_OVER"


@pytest.mark.parametrize("at", [0, -1, 2, 10**12])
async def test_a_version_the_match_does_not_have_is_not_found(tenant: Player, at: int) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("GetView", pb.GetViewRequest(match_id=match.match_id, at_version=at))
    assert refusal.reason in {"VERSION_NOT_FOUND", "MATCH_NOT_STARTED"}


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        pytest.param({"page_size": -1}, "MALFORMED_REQUEST", "$.page_size", id="a negative page"),
        pytest.param({"after_version": -1}, "MALFORMED_REQUEST", "$.after_version", id="a negative version"),
        pytest.param({"page_token": "AAAA"}, "PAGE_TOKEN_INVALID", "$.page_token", id="a token made up"),
        pytest.param({"page_token": "ä"}, "PAGE_TOKEN_INVALID", "$.page_token", id="a token not base64"),
    ],
)
async def test_a_listing_that_makes_no_sense_is_refused(
    tenant: Player, request_: dict[str, object], reason: str, field: str
) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("ListMoves", pb.ListMovesRequest(match_id=match.match_id, **request_))
    assert (refusal.reason, refusal.fields) == (reason, [field])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"type": "a" * 20_000}, id="a long type"),
        pytest.param({**program(*FIVE_CARDS), "b" * 20_000: 1}, id="a long field"),
        pytest.param(program("c" * 20_000), id="a long card"),
    ],
)
async def test_what_is_too_long_to_be_quoted_is_cut(tenant: Player, body: dict[str, object]) -> None:
    match = (await tenant.create(2)).match
    refusal = await tenant.refused("Act", act(match.match_id, body, 1, seat=0))
    assert refusal.reason == "MALFORMED_MOVE"
    assert len(refusal.message) <= 700


async def test_too_many_samples_are_refused(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    request = pb.GetLegalActionsRequest(match_id=match.match_id, seat=0, samples=101)
    assert (await tenant.refused("GetLegalActions", request)).fields == ["$.samples"]


async def test_a_typed_payload_of_the_wrong_kind_is_refused(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    request = act(match.match_id, b"", 1, seat=0)
    request.action.typed.Pack(payload_pb2.Payload())
    refusal = await tenant.refused("Act", request)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_MOVE", ["$.action"])
