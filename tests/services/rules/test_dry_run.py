"""Judging a move without making it: the very refusal, or a bare yes; nothing written, nothing told."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.kernel.chance import SeededChance
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1 import play_pb2
from services.rules.match import moves as move_path


def rehearsed(match_id: str, action: Any, version: int | None, **more: Any) -> play_pb2.ActRequest:
    return act(match_id, action, version, dry_run=True, **more)


async def test_a_legal_move_is_judged_legal_and_nothing_else_is_said(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    answer = await tenant.call("Act", rehearsed(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert answer == play_pb2.ActResponse(match_id=match_id, version=1, dry_run=True)


async def test_nothing_is_written_and_the_request_id_stays_free(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    before = await tenant.get(match_id)
    request = rehearsed(match_id, program(*FIVE_CARDS), 1, seat=0, request_id="move-1")
    await tenant.call("Act", request)
    assert await tenant.get(match_id) == before
    assert len(await stack.logs[0].read(UUID(match_id))) == 1
    made = await tenant.call("Act", act(match_id, program(*FIVE_CARDS[::-1]), 1, seat=0, request_id="move-1"))
    assert (made.version, made.replayed) == (2, False)


@pytest.mark.parametrize(
    ("action", "version", "more"),
    [
        pytest.param(program("stone1"), 1, {"seat": 0}, id="too few cards"),
        pytest.param({"type": "step", "to": 3}, 1, {"seat": 0}, id="another decision"),
        pytest.param({"type": "fly"}, 1, {"seat": 0}, id="no such action"),
        pytest.param(program(*FIVE_CARDS), 9, {"seat": 0}, id="a version there is not"),
        pytest.param(program(*FIVE_CARDS), None, {"seat": 0}, id="no version"),
        pytest.param(program(*FIVE_CARDS), 1, {}, id="no seat"),
        pytest.param(program(*FIVE_CARDS), 1, {"seat": 2}, id="a seat there is not"),
    ],
)
async def test_a_refusal_is_the_one_the_move_would_get(
    tenant: Player, action: Any, version: int | None, more: dict[str, Any]
) -> None:
    match_id = (await tenant.create(2)).match.match_id
    rehearsal = await tenant.refused("Act", rehearsed(match_id, action, version, **more))
    assert rehearsal == await tenant.refused("Act", act(match_id, action, version, **more))


async def test_it_is_judged_on_the_newest_table(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    other = stack.player(address=await stack.serve())
    await other.view(match_id)
    move = act(match_id, program(*FIVE_CARDS), 1, seat=0)
    await tenant.call("Act", move)
    rehearsal = await other.refused("Act", rehearsed(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert rehearsal == await other.refused("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert rehearsal.info.metadata["current_version"] == "2"
    assert (await other.call("Act", rehearsed(match_id, program(*FIVE_CARDS), 1, seat=1))).version == 2


async def test_a_request_id_that_was_used_is_judged_as_a_repeat(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    move = program(*FIVE_CARDS)
    await tenant.call("Act", act(match_id, move, 1, seat=0, request_id="move-1"))
    repeated = await tenant.call("Act", rehearsed(match_id, move, 1, seat=0, request_id="move-1"))
    assert (repeated.version, repeated.dry_run) == (2, True)
    other = rehearsed(match_id, program(*FIVE_CARDS[::-1]), 1, seat=0, request_id="move-1")
    assert (await tenant.refused("Act", other)).reason == "REQUEST_ID_REUSED"


async def test_it_goes_over_the_stream_of_moves_too(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id

    async def calls() -> Any:
        call = play_pb2.PlayCall(call_id=1, act=rehearsed(match_id, program(*FIVE_CARDS), 1, seat=0))
        yield play_pb2.PlayRequest(calls=[call])

    async for response in tenant.matches.Play(calls(), metadata=tenant.metadata, timeout=10):
        (reply,) = response.replies
        assert (reply.accepted.version, reply.accepted.dry_run) == (1, True)
    moves = await tenant.call("ListMoves", pb.ListMovesRequest(match_id=match_id))
    assert len(moves.moves) == 1


async def test_it_is_judged_with_luck_of_its_own(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So nothing that a game does with luck can tell what would be drawn."""
    drawn_from: list[bytes] = []

    def noted(secret: bytes, move: int) -> SeededChance:
        drawn_from.append(secret)
        return SeededChance(secret, move)

    match_id = (await tenant.create(2)).match.match_id
    secret = (await stack.logs[0].find(UUID(match_id))).secret
    monkeypatch.setattr(move_path, "SeededChance", noted)
    await tenant.call("Act", rehearsed(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert len(drawn_from) == 1
    assert secret not in drawn_from
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    assert drawn_from[1:] == [secret]


async def test_rehearsing_the_same_move_again_and_again_reveals_nothing_of_what_luck_will_bring(
    tenant: Player,
) -> None:
    """The first move of Al-Rashid that draws is answered alike, whatever it would draw."""
    answers = set()
    for _ in range(5):
        match_id = (await tenant.create(2, game="al_rashid")).match.match_id
        match = await tenant.get(match_id)
        seat = match.to_act[0]
        legal = await tenant.legal(match_id, seat=seat, samples=1)
        action = legal.samples.json[1:-1]
        answer = await tenant.call("Act", rehearsed(match_id, action, legal.version, seat=seat))
        answers.add((answer.events.json, answer.outcome.ByteSize(), tuple(answer.to_act), answer.status))
    assert answers == {(b"", 0, (), 0)}
