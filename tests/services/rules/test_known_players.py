"""Players whom the servers know by now: they have read before they move, so that most of their moves wait only for the commit.

Every test is of both calls: over a stream, as gateways move, and unary.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import grpc
import msgspec
import pytest
import structlog
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import clock_pb2, match_pb2, play_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.match_tokens import MatchTokens
from services.rules.api import answers
from tests.support.ways import ACCEPTED, REFUSED, REPEATED, STALE, Ways

SHORT = timedelta(seconds=5)


class Moves:
    """The call that the moves of a test are made by, and what was counted of them."""

    def __init__(self, *, unary: bool) -> None:
        self.unary = unary
        self._before = Ways.of_this_process()

    def were(self, *, accepted: int = 0, **others: int) -> None:
        """Assert how the moves since the beginning were answered."""
        counts = Ways.of_this_process().since(self._before).counts
        names = {"repeated": REPEATED, "stale": STALE, "refused": REFUSED}
        wanted = {ACCEPTED: accepted} | {names[name]: number for name, number in others.items()}
        assert {way: number for way, number in counts.items() if number} == {
            way: number for way, number in wanted.items() if number
        }


@pytest.fixture(params=["stream", "unary"])
def moves(request: pytest.FixtureRequest) -> Iterator[Moves]:
    return Moves(unary=request.param == "unary")


async def seated(stack: Stack, created: pb.CreateMatchResponse, seat: int, moves: Moves) -> Player:
    return await stack.seated(created, seat, unary=moves.unary)


async def play_on(match: match_pb2.Match, players: list[Player]) -> play_pb2.ActResponse:
    """Let whoever must act make legal moves until the match is over; return the last answer."""
    match_id, to_act, last = match.match_id, list(match.to_act), None
    while to_act:
        seat = to_act[0]
        legal = await players[seat].legal(match_id, samples=1)
        (action,) = msgspec.json.decode(legal.samples.json)
        last = await players[seat].call("Act", act(match_id, action, legal.version))
        to_act = list(last.to_act)
    assert last is not None
    return last


async def test_a_move_is_answered_whole(stack: Stack, tenant: Player, moves: Moves) -> None:
    created = await tenant.create(2)
    answer = await (await seated(stack, created, 0, moves)).call(
        "Act", act(created.match.match_id, program(*FIVE_CARDS), 1)
    )
    assert answer.match_id == created.match.match_id
    assert (answer.version, list(answer.to_act), answer.replayed) == (2, [1], False)
    assert answer.status == match_pb2.MATCH_STATUS_RUNNING
    assert msgspec.json.decode(answer.events.json) == [
        {"type": "program_submitted", "seat": 0, "cards": list(FIVE_CARDS)}
    ]
    assert not answer.HasField("outcome")
    assert not answer.HasField("clocks")
    moves.were(accepted=1)


async def test_a_token_that_has_expired_moves_no_more(stack: Stack, tenant: Player, moves: Moves) -> None:
    created = await tenant.create(2)
    match = created.match
    soon = MatchTokens(stack.tokens._private, lifetime=SHORT)
    token, expires_at = soon.mint(match_id=match.match_id, game=match.game, seat=0, generation=0)
    player = stack.player(token, unary=moves.unary)
    await player.view(match.match_id)
    await asyncio.sleep((expires_at - datetime.now(UTC)).total_seconds() + 0.05)
    refusal = await player.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
    assert (await tenant.get(match.match_id)).version == 1
    moves.were(refused=1)


async def test_a_token_of_another_match_moves_in_neither(stack: Stack, tenant: Player, moves: Moves) -> None:
    """Though both are loaded, of the same game, and wait for the same seat."""
    mine, theirs = await tenant.create(2), await tenant.create(2)
    player = await seated(stack, mine, 0, moves)
    await seated(stack, theirs, 0, moves)
    refusal = await player.refused("Act", act(theirs.match.match_id, program(*FIVE_CARDS), 1))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")
    assert refusal.standing is None
    assert [(await tenant.get(one.match.match_id)).version for one in (mine, theirs)] == [1, 1]
    moves.were(refused=1)


async def test_a_token_moves_for_no_other_seat(stack: Stack, tenant: Player, moves: Moves) -> None:
    created = await tenant.create(2)
    player = await seated(stack, created, 0, moves)
    refusal = await player.refused("Act", act(created.match.match_id, program(*FIVE_CARDS), 1, seat=1))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_FORBIDDEN")
    assert (await tenant.get(created.match.match_id)).version == 1


async def test_a_move_by_the_clock_is_answered_with_the_clocks(
    stack: Stack, tenant: Player, moves: Moves
) -> None:
    clock = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600))
    created = await tenant.create(2, clock=clock)
    answer = await (await seated(stack, created, 0, moves)).call(
        "Act", act(created.match.match_id, program(*FIVE_CARDS), 1)
    )
    assert [(one.seat, one.HasField("deadline")) for one in answer.clocks.seats] == [(0, False), (1, True)]
    moves.were(accepted=1)


async def test_the_last_move_is_answered_with_the_outcome(stack: Stack, tenant: Player, moves: Moves) -> None:
    created = await tenant.create(2, game="al_rashid")
    match_id = created.match.match_id
    last = await play_on(created.match, [await seated(stack, created, seat, moves) for seat in (0, 1)])
    match = await tenant.get(match_id)
    assert (last.version, last.status) == (match.version, match_pb2.MATCH_STATUS_ENDED)
    assert last.outcome == match.outcome
    assert [one.seat for one in last.outcome.results] == [0, 1]
    moves.were(accepted=match.version - 1)


async def test_a_repeat_a_stale_move_and_one_against_the_rules_are_counted_as_such(
    stack: Stack, tenant: Player, moves: Moves
) -> None:
    created = await tenant.create(3)
    match_id = created.match.match_id
    player = await seated(stack, created, 0, moves)
    request = act(match_id, program(*FIVE_CARDS), 1, request_id="once")
    first, again = [await player.call("Act", request) for _ in range(2)]
    assert again.replayed
    again.replayed = False
    assert again == first
    stale = await player.refused("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert (stale.reason, stale.standing is not None and stale.standing.version) == ("VERSION_CONFLICT", 2)
    other = await seated(stack, created, 1, moves)
    twice = await other.refused(
        "Act", act(match_id, program("stone1", "stone1", "move1", "move2", "jump"), 2)
    )
    assert twice.rule is not None
    assert (await tenant.get(match_id)).version == 2
    moves.were(accepted=1, repeated=1, stale=1, refused=1)


def mistaken(*_: Any) -> Any:
    raise ZeroDivisionError("a mistake of ours")


async def test_a_mistake_while_a_move_is_judged_is_answered_and_leaves_no_match_held(
    stack: Stack, tenant: Player, moves: Moves
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    player = await seated(stack, created, 0, moves)
    with (
        structlog.testing.capture_logs() as logs,
        patch("services.rules.api.plays.make_move", mistaken),
    ):
        refusal = await player.refused("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    (fault,) = [line for line in logs if line["log_level"] == "error"]
    assert (fault["event"], fault["kind"]) == ("internal error", "ZeroDivisionError")
    assert "in mistaken" in fault["exception"]
    assert (await player.call("Act", act(match_id, program(*FIVE_CARDS), 1))).version == 2
    moves.were(accepted=1)


async def test_a_match_that_was_half_advanced_is_read_again(
    stack: Stack, tenant: Player, moves: Moves
) -> None:
    """The row is written, and a mistake of ours keeps the match in memory from following it."""
    created = await tenant.create(2)
    match_id = created.match.match_id
    player = await seated(stack, created, 0, moves)
    with patch("services.rules.match.loaded_match.fingerprint", mistaken):
        refusal = await player.refused("Act", act(match_id, program(*FIVE_CARDS), 1, request_id="once"))
    assert refusal.reason == "INTERNAL"
    answer = await player.call("Act", act(match_id, program(*FIVE_CARDS), 1, request_id="once"))
    assert (answer.version, answer.replayed) == (2, True)
    other = await seated(stack, created, 1, moves)
    assert (await other.call("Act", act(match_id, program(*FIVE_CARDS), 2))).version == 3
    moves.were(accepted=1, repeated=1)


async def test_a_mistake_in_one_answer_is_its_caller_s_alone_and_leaves_no_match_held(
    stack: Stack, tenant: Player
) -> None:
    """Three moves of one message, so that their rows share a transaction."""
    matches = [await tenant.create(2) for _ in range(3)]
    for one in matches:
        await stack.seated(one, 0)
    broken = matches[0].match.match_id
    real = answers.answer_message

    def told(table: Any, *rest: Any) -> Any:
        if table.name == broken:
            mistaken()
        return real(table, *rest)

    calls = [
        play_pb2.PlayCall(
            call_id=number,
            authorization=f"Bearer {one.tokens[0].token}",
            act=act(one.match.match_id, program(*FIVE_CARDS), 1),
        )
        for number, one in enumerate(matches)
    ]
    replies: dict[int, play_pb2.PlayReply] = {}
    with structlog.testing.capture_logs() as logs, patch("services.rules.api.answers.answer_message", told):
        stream = tenant.matches.Play(timeout=20)
        await stream.write(play_pb2.PlayRequest(calls=calls))
        while len(replies) < 3:
            replies |= {reply.call_id: reply for reply in (await stream.read()).replies}
    assert [replies[number].WhichOneof("result") for number in range(3)] == [
        "refused",
        "accepted",
        "accepted",
    ]
    assert Refusal.of_status(replies[0].refused, grpc.StatusCode.INTERNAL).reason == "INTERNAL"
    assert ("internal error", "ZeroDivisionError") in [(line["event"], line.get("kind")) for line in logs]
    for one in matches:
        answer = await (await stack.seated(one, 1)).call(
            "Act", act(one.match.match_id, program(*FIVE_CARDS), 2)
        )
        assert answer.version == 3
    await stream.done_writing()
    assert await stream.read() is grpc.aio.EOF, "every call has had its reply"
